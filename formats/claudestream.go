package formats

import (
	"bytes"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// claudeStream is what claude -p prints with --output-format stream-json: the messages of a session as Claude Code
// keeps them, without the links between them, each with the tool call it belongs to where a sub-agent said it. They
// are decoded and put in order as those of a session file are.
func claudeStream() Format {
	return Format{
		Name:  "claude-stream",
		About: "output of claude -p --output-format stream-json, saved to a file",
		Gives: Gives{Usage: true, Window: true, Compactions: true, Images: true, Agents: true},
		Sniff: sniffClaudeStream,
		Read:  whole(parseClaudeStream),
	}
}

// sniffClaudeStream looks for the record that begins a stream, or for a message of one.
func sniffClaudeStream(head []byte, _ string) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
			continue
		}
		kind, sub := "", ""
		keys := map[string]bool{}
		gjson.ParseBytes(line).ForEach(func(k, v gjson.Result) bool { // a cut line gives what stands before the cut
			switch keys[k.Str] = true; k.Str {
			case "type":
				kind = v.Str
			case "subtype":
				sub = v.Str
			}
			return true
		})
		switch kind {
		case "system":
			if sub == "init" && keys["session_id"] {
				return true
			}
		case "user", "assistant":
			if keys["session_id"] && keys["message"] && keys["parent_tool_use_id"] {
				return true
			}
		}
	}
	return false
}

// parseClaudeStream reads a stream. A file may hold several, one after the other.
func parseClaudeStream(r io.Reader, _ string) ([]*transcript.Transcript, error) {
	s := newStreamReader()
	if err := eachRecord(r, &s.file.notes, s.record); err != nil {
		return nil, err
	}
	return s.transcripts()
}

// streamReader reads the records of a stream.
type streamReader struct {
	file    claudeFile
	version string
	windows map[string]int         // of the models, as the results name them
	cut     map[*claudeThread]bool // threads whose compaction has not brought its summary yet
	began   map[*claudeThread]bool // threads that have a message
}

// newStreamReader begins a file.
func newStreamReader() *streamReader {
	return &streamReader{
		file:    claudeFile{threads: map[threadKey]*claudeThread{}, side: map[string]string{}},
		windows: map[string]int{}, cut: map[*claudeThread]bool{}, began: map[*claudeThread]bool{},
	}
}

// record reads one record.
func (r *streamReader) record(rec record) {
	kind, sub := rec.obj.Get("type").Str, rec.obj.Get("subtype").Str
	switch {
	case kind == "system" && sub == "init":
		r.version = own(rec.obj.Get("claude_code_version"))
	case kind == "user", kind == "assistant", kind == "system" && sub == "compact_boundary":
		r.message(rec)
	case kind == "result":
		rec.obj.Get("modelUsage").ForEach(func(model, use gjson.Result) bool {
			if n, ok := tokens(use.Get("contextWindow")); ok && n > 0 {
				r.windows[strings.TrimSuffix(model.Str, "[1m]")] = n // the mark of a large window is not part of a message's model
			}
			return true
		})
	case kind == "system", kind == "stream_event", kind == "rate_limit_event", kind == "tool_progress", kind == "tool_use_summary",
		kind == "auth_status", kind == "keep_alive", kind == "control_request", kind == "control_response": // for the program that listens
	default:
		r.file.notes.strange(orName(kind, "record without a type"))
	}
}

// message reads a record that stands in the prompt of a thread, or changes one.
func (r *streamReader) message(rec record) {
	e := decodeClaude(rec, &r.file.notes)
	e.session, e.version = own(rec.obj.Get("session_id")), r.version
	e.meta = e.meta || isTrue(rec.obj.Get("isSynthetic"))
	t := r.thread(e.session, own(rec.obj.Get("parent_tool_use_id")))
	if e.sub == "compact_boundary" {
		meta := rec.obj.Get("compact_metadata")
		e.compact.trigger = cut(own(meta.Get("trigger")), maxName)
		e.compact.before.n, e.compact.before.ok = tokens(meta.Get("pre_tokens"))
		r.cut[t] = true
	} else if r.cut[t] && e.meta && len(e.message.results) == 0 {
		e.summary, r.cut[t] = true, false
	}
	if !r.began[t] && e.kind == "assistant" && t.kind == mainThread {
		t.notes.warn(e.line, "the message that began the run is not in its output: what it cost is part of what the recording does not show")
	}
	r.began[t] = true
	t.add(e)
}

// thread returns the thread of a session, or that of a sub-agent by the call that began it.
func (r *streamReader) thread(session, call string) *claudeThread {
	if call != "" {
		return r.file.thread(sideThread, call)
	}
	return r.file.thread(mainThread, session)
}

// transcripts returns the threads. The limit of a call is the window of its model that a result names.
func (r *streamReader) transcripts() ([]*transcript.Transcript, error) {
	list, err := r.file.transcripts()
	for _, t := range list {
		t.Format = "claude-stream"
		if t.Thread == t.ID {
			t.Thread = "main"
		}
		for i := range t.Calls {
			c := &t.Calls[i]
			if n := r.windows[c.Model]; n > 0 && c.Limit.Tokens == 0 {
				c.Limit = transcript.Limit{Tokens: n, Kind: transcript.Window, From: transcript.FromRecord}
			}
		}
	}
	return list, err
}
