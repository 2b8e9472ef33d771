package formats

import (
	"bytes"
	"errors"
	"io"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// codex is the rollout files of the Codex CLI, its extensions and its desktop application: one JSON record a line,
// an envelope of time, type and payload from version 0.34 on, bare items before. Much is written twice, once as an
// item of the conversation and once as an event for the screen; only the items are read.
//
// A file is read in three steps:
//
//  1. codex_record.go tells the records apart and follows the session, the turn, the model and the limit,
//  2. codex_item.go, codex_output.go and codex_origin.go decode one item of the conversation,
//  3. codex_thread.go gathers items into responses and finds the call that each token count belongs to;
//     codex_usage.go says which counts are calls, codex_compact.go what compactions and rollbacks leave.
func codex() Format {
	return Format{
		Name:  "codex",
		About: "rollout files of Codex, from the flat ones of 2025 to 0.155 (~/.codex/sessions)",
		Gives: Gives{Usage: true, Window: true, Compactions: true, Images: true, Agents: true},
		Homes: []Home{
			{Env: "CODEX_HOME", Dir: "~/.codex", Pattern: "sessions/**/*.jsonl"},
			{Env: "CODEX_HOME", Dir: "~/.codex", Pattern: "sessions/**/*.jsonl.zst"},
			{Env: "CODEX_HOME", Dir: "~/.codex", Pattern: "archived_sessions/**/*.jsonl"},
			{Env: "CODEX_HOME", Dir: "~/.codex", Pattern: "archived_sessions/**/*.jsonl.zst"},
		},
		Sniff: sniffCodex,
		Read:  whole(parseCodex),
	}
}

// sniffCodex looks for the envelope of a rollout, or for the two records that a flat file begins with.
func sniffCodex(head []byte, _ string) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
			continue
		}
		kind := ""
		keys := map[string]bool{}
		gjson.ParseBytes(line).ForEach(func(k, v gjson.Result) bool { // a cut line gives what stands before the cut
			keys[k.Str] = true
			if k.Str == "type" || k.Str == "record_type" {
				kind = v.Str
			}
			return true
		})
		switch {
		case keys["payload"]:
			switch kind {
			case "session_meta", "turn_context", "response_item", "event_msg", "compacted":
				return true
			}
		case keys["record_type"] && kind == "state":
			return true
		case keys["id"] && keys["timestamp"] && keys["instructions"] && !keys["type"]:
			return true
		}
	}
	return false
}

// errNoCodex is the reason why a file of other records is not read.
var errNoCodex = errors.New("there is no record of a Codex session in it: give a rollout file, as in ~/.codex/sessions")

// parseCodex reads a rollout file: a single thread. Sub-agents have files of their own.
func parseCodex(r io.Reader, name string) ([]*transcript.Transcript, error) {
	c := newCodexReader(name)
	seen := 0
	err := eachRecord(r, &c.notes, func(rec record) {
		if c.record(rec) {
			seen++
		}
	})
	if err != nil {
		return nil, err
	}
	switch t := c.finish(); {
	case len(t.Messages) > 0 || len(t.Calls) > 0:
		return []*transcript.Transcript{t}, nil
	case seen == 0 && (c.notes.damaged > 0 || len(c.notes.unknown) > 0):
		return nil, errNoCodex
	}
	return nil, nil
}
