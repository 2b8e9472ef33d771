package formats

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"perch/formats/transcript"
)

// read reads one file given as its bytes.
func read(t testing.TB, f Format, data string) ([]*transcript.Transcript, error) {
	t.Helper()
	fsys := fstest.MapFS{"run.jsonl": {Data: []byte(data)}}
	var out []*transcript.Transcript
	for tr, err := range f.Read(fsys, "run.jsonl") {
		if err != nil {
			return out, err
		}
		if err := transcript.Check(tr); err != nil {
			t.Errorf("thread %s breaks an invariant: %v", tr.Thread, err)
		}
		out = append(out, tr)
	}
	return out, nil
}

// readOne reads a file that holds a single transcript.
func readOne(t testing.TB, f Format, data string) *transcript.Transcript {
	t.Helper()
	list, err := read(t, f, data)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("%d transcripts, want 1", len(list))
	}
	return list[0]
}

// claude reads a Claude Code session that holds a single thread.
func claude(t testing.TB, lines ...string) *transcript.Transcript {
	t.Helper()
	return readOne(t, claudeCode(), strings.Join(lines, "\n")+"\n")
}

// js is a JSON value.
func js(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// envelope is what every record of a session has. An empty parent is none.
func envelope(kind, uuid, parent string) string {
	up := "null"
	if parent != "" {
		up = js(parent)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":"s1","version":"2.1.30","type":%q,"uuid":%q`, up, kind, uuid)
}

// user is a record with a text.
func user(uuid, parent, text string, more ...string) string {
	return envelope("user", uuid, parent) + extra(more) + `,"message":{"role":"user","content":` + js(text) + `}}`
}

// results is a user record with blocks.
func results(uuid, parent string, blocks ...string) string {
	return envelope("user", uuid, parent) + `,"message":{"role":"user","content":[` + strings.Join(blocks, ",") + `]}}`
}

// asst is one record of a response: its id, and its blocks.
func asst(uuid, parent, id string, blocks ...string) string {
	return asstWith(uuid, parent, id, "", blocks...)
}

// asstWith is one record of a response with more fields in its message.
func asstWith(uuid, parent, id, fields string, blocks ...string) string {
	return envelope("assistant", uuid, parent) + `,"requestId":"r-` + id + `","message":{"id":"` + id + `","role":"assistant","model":"claude-opus-4-6"` +
		fields + `,"content":[` + strings.Join(blocks, ",") + `]}}`
}

// system is a record of the client.
func system(uuid, parent, sub string, more ...string) string {
	return envelope("system", uuid, parent) + `,"subtype":"` + sub + `"` + extra(more) + `}`
}

// attachment is a record of something the client attached.
func attachment(uuid, parent, body string) string {
	return envelope("attachment", uuid, parent) + `,"attachment":` + body + `}`
}

// summary is the message a compaction left.
func summary(uuid, parent, text string) string {
	return user(uuid, parent, text, `"isCompactSummary":true`)
}

func extra(more []string) string {
	if len(more) == 0 {
		return ""
	}
	return "," + strings.Join(more, ",")
}

// usage is the usage field of a response.
func usage(input, read, write, output int) string {
	return fmt.Sprintf(`,"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":%d}`, input, read, write, output)
}

func say(s string) string { return `{"type":"text","text":` + js(s) + `}` }
func think(s string) string {
	return `{"type":"thinking","thinking":` + js(s) + `,"signature":"abcdefgh"}`
}
func use(id string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"Read","input":{"file_path":"/a/` + id + `"}}`
}
func result(id, text string) string {
	return `{"type":"tool_result","tool_use_id":"` + id + `","content":` + js(text) + `}`
}

// story tells a transcript in short lines: its messages, then the prompt of each call as indexes, and its changes.
func story(t *transcript.Transcript) []string {
	var out []string
	for i := range t.Messages {
		m := &t.Messages[i]
		var parts []string
		for p := range m.Parts {
			part := &m.Parts[p]
			s := string(part.Kind)
			if part.CallID != "" {
				s += " " + part.CallID
			}
			if part.Text != "" && part.Kind != transcript.ToolCall {
				s += " " + part.Text
			}
			parts = append(parts, s)
		}
		unsent := ""
		if m.NotSent {
			unsent = " (not sent)"
		}
		out = append(out, fmt.Sprintf("%d %s/%s%s: %s", i, m.Role, m.Origin, unsent, strings.Join(parts, " | ")))
	}
	var prompt []int
	for e := range t.Walk() {
		switch e.Kind {
		case transcript.Append:
			prompt = append(prompt, e.Index)
		case transcript.Alter:
			c := &t.Changes[e.Index]
			prompt = t.Rewrite(c, prompt)
			out = append(out, fmt.Sprintf("%s -> %v", c.Kind, prompt))
		case transcript.Send:
			c := &t.Calls[e.Index]
			out = append(out, fmt.Sprintf("call %s %v", c.Key, prompt))
		}
	}
	return out
}

// messages lists the warnings of a transcript as "line: message".
func messages(t *transcript.Transcript) []string {
	var out []string
	for _, w := range t.Warnings {
		out = append(out, fmt.Sprintf("%d: %s", w.Line, w.Message))
	}
	return out
}

// sortedKeys lists the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
