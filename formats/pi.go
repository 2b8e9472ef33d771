package formats

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// pi is the session files of the pi coding agent, versions 1 to 3 of its format, and of OpenClaw, which writes the
// same: one JSON record a line, linked to a tree by id and parentId from version 2 on.
//
// A file is read in two steps:
//
//  1. pi_entry.go, pi_message.go and pi_usage.go decode each record into an entry and keep what can stand in a prompt,
//  2. pi_thread.go and pi_compact.go lay the entries out in the order of the file, and say where the thread went back
//     or was compacted.
//
// The uncached input, the cache reads and the cache writes of a call add up to its prompt.
func pi() Format {
	return Format{
		Name:  "pi",
		About: "session files of pi, versions 1 to 3 (~/.pi/agent/sessions), and of OpenClaw",
		Gives: Gives{Usage: true, Compactions: true, Images: true},
		Homes: []Home{
			{Env: "PI_CODING_AGENT_DIR", Dir: "~/.pi/agent", Pattern: "sessions/**/*.jsonl"},
			{Env: "OPENCLAW_STATE_DIR", Dir: "~/.openclaw", Pattern: "agents/*/sessions/*.jsonl"},
			{Dir: "~/.kimi_openclaw", Pattern: "agents/*/sessions/*.jsonl"},
		},
		Sniff: sniffPi,
		Read:  whole(parsePi),
	}
}

// sniffPi looks for the header of a session, or, where a file begins later, for a record of a message.
func sniffPi(head []byte, _ string) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
			continue
		}
		var kind, role string
		has := map[string]bool{}
		gjson.ParseBytes(line).ForEach(func(k, v gjson.Result) bool { // a cut line gives what stands before the cut
			has[k.Str] = true
			switch k.Str {
			case "type":
				kind = v.Str
			case "message":
				role = v.Get("role").Str
			}
			return true
		})
		switch {
		case kind == "session" && has["id"] && has["timestamp"] && has["cwd"],
			kind == "message" && has["timestamp"] && isPiRole(role) && !has["sessionId"]:
			return true
		}
	}
	return false
}

// isPiRole reports whether a name is that of a role only pi gives its messages.
func isPiRole(role string) bool {
	switch role {
	case "toolResult", "bashExecution", "branchSummary", "compactionSummary", "hookMessage":
		return true
	}
	return false
}

// parsePi reads a session file: a single thread.
func parsePi(r io.Reader, _ string) ([]*transcript.Transcript, error) {
	s := &piSession{agent: "pi"}
	if err := eachRecord(r, &s.notes, s.add); err != nil {
		return nil, err
	}
	t := s.build()
	switch {
	case len(t.Messages) > 0 || len(t.Calls) > 0:
		return []*transcript.Transcript{t}, nil
	case t.Damaged > 0:
		w := t.Warnings[0]
		return nil, fmt.Errorf("no message could be read; line %d: %s", w.Line, w.Message)
	}
	return nil, nil
}
