package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// line of a stream: its type, the call it belongs to, and more fields.
func streamLine(kind, call, fields string) string {
	up := "null"
	if call != "" {
		up = js(call)
	}
	return `{"type":"` + kind + `","parent_tool_use_id":` + up + `,"session_id":"s1"` + fields + `}`
}

func streamSay(call, id, text string) string {
	return streamLine("assistant", call, `,"message":{"id":"`+id+`","model":"claude-opus-4-6","content":[`+say(text)+`]`+usage(3, 100, 20, 40)+`}`)
}

const streamInit = `{"type":"system","subtype":"init","session_id":"s1","claude_code_version":"2.1.40","model":"claude-opus-4-6"}`

// Messages of sub-agents stand between those of the run. Taken for its own, they would fill its prompts with what
// the run never saw.
func TestClaudeStreamThreads(t *testing.T) {
	data := strings.Join([]string{streamInit,
		streamLine("assistant", "", `,"message":{"id":"m1","model":"claude-opus-4-6","content":[`+use("t1")+`,`+use("t2")+`]}`),
		streamLine("user", "t1", `,"message":{"content":"look"}`), streamSay("t1", "a1", "seen"),
		streamLine("user", "", `,"message":{"content":[`+result("t2", "two")+`]}`),
		streamSay("t1", "a2", "done"),
		streamLine("user", "", `,"message":{"content":[`+result("t1", "one")+`]}`),
		streamLine("user", "", `,"isSynthetic":true,"message":{"content":[`+say("a skill")+`]}`), streamSay("", "m2", "ok"),
	}, "\n")
	list, err := read(t, claudeStream(), data)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d threads, error %v, want 2", len(list), err)
	}
	for i, want := range [][]string{
		{
			"0 assistant/agent: tool_call t1 | tool_call t2", "1 tool/tool: tool_result t2 two", "2 tool/tool: tool_result t1 one",
			"3 user/injected: text a skill", "4 assistant/agent: text ok", "call m1 []", "call m2 [0 1 2 3]",
		},
		{"0 user/person: text look", "1 assistant/agent: text seen", "2 assistant/agent: text done", "call a1 [0]", "call a2 [0 1]"},
	} {
		if diff := cmp.Diff(want, story(list[i])); diff != "" {
			t.Errorf("thread %d (-want +got):\n%s", i, diff)
		}
	}
	if list[0].Thread != "main" || list[1].Thread != "t1" || list[1].ID != "s1" || list[0].Format != "claude-stream" || list[0].Version != "2.1.40" {
		t.Errorf("threads %s and %s of %s, format %s, version %s", list[0].Thread, list[1].Thread, list[1].ID, list[0].Format, list[0].Version)
	}
}

// The window is told once, at the end, for each model.
func TestClaudeStreamWindow(t *testing.T) {
	tr := readOne(t, claudeStream(), strings.Join([]string{streamInit, streamSay("", "m1", "ok"),
		streamLine("result", "", `,"modelUsage":{"claude-opus-4-6[1m]":{"contextWindow":1000000},"claude-haiku-4-5":{"contextWindow":200000}}`)}, "\n"))
	want := transcript.Limit{Tokens: 1_000_000, Kind: transcript.Window, From: transcript.FromRecord}
	if tr.Calls[0].Limit != want || tr.Calls[0].Usage.Prompt != transcript.Of(123) {
		t.Errorf("limit %+v, prompt %v, want %+v, 123", tr.Calls[0].Limit, tr.Calls[0].Usage.Prompt, want)
	}
}

// A compaction in a stream leaves its summary as the next message of the client.
func TestClaudeStreamCompaction(t *testing.T) {
	tr := readOne(t, claudeStream(), strings.Join([]string{streamInit, streamLine("user", "", `,"message":{"content":"go"}`), streamSay("", "m1", "one"),
		`{"type":"system","subtype":"compact_boundary","session_id":"s1","compact_metadata":{"trigger":"manual","pre_tokens":900}}`,
		streamLine("user", "", `,"isSynthetic":true,"message":{"content":"so far"}`), streamSay("", "m2", "two")}, "\n"))
	want := []string{"0 user/person: text go", "1 assistant/agent: text one", "2 user/compaction: summary so far", "3 assistant/agent: text two", "call m1 [0]", "compact -> [2]", "call m2 [2]"}
	if diff := cmp.Diff(want, story(tr)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := tr.Changes[0]; c.Trigger != "manual" || c.Before != (transcript.Count{N: 900, From: transcript.Client}) {
		t.Errorf("trigger %q, before %v", c.Trigger, c.Before)
	}
	if len(tr.Warnings) > 0 {
		t.Errorf("warnings %v: the message that began the run is there", tr.Warnings)
	}
}

// Two runs written into one file are two runs.
func TestClaudeStreamRuns(t *testing.T) {
	first := strings.Join([]string{streamInit, streamSay("", "m1", "one")}, "\n")
	list, err := read(t, claudeStream(), first+"\n"+strings.NewReplacer(`"s1"`, `"s2"`, "m1", "m2", "2.1.40", "2.1.41").Replace(first))
	if err != nil || len(list) != 2 {
		t.Fatalf("%d threads, error %v, want 2", len(list), err)
	}
	for i, want := range []string{"s1 main 2.1.40", "s2 main 2.1.41"} {
		if got := list[i].ID + " " + list[i].Thread + " " + list[i].Version; got != want {
			t.Errorf("run %d is %s, want %s", i, got, want)
		}
	}
}

// A stream must not be taken for a session file, nor the other way round.
func TestClaudeStreamDetect(t *testing.T) {
	for _, tt := range []struct{ name, head, want string }{
		{"stream", streamInit, "claude-stream"},
		{"stream that begins with a hook", `{"type":"system","subtype":"hook_started","session_id":"s1"}` + "\n" + streamInit, "claude-stream"},
		{"stream without its beginning", streamSay("", "m1", "ok"), "claude-stream"},
		{"session file", user("u", "", "go"), "claude-code"},
		{"news of another program", `{"type":"system","subtype":"init"}`, ""},
	} {
		if f, _ := Detect([]byte(tt.head), "a.jsonl"); f.Name != tt.want {
			t.Errorf("%s: detected as %q, want %q", tt.name, f.Name, tt.want)
		}
	}
}

func FuzzClaudeStream(f *testing.F) {
	fuzzReader(f, claudeStream(), strings.Join([]string{streamInit, streamSay("t", "m", "a"), streamLine("user", "t", `,"isSynthetic":true,"message":{"content":[`+result("t", "x")+`]}`),
		`{"type":"system","subtype":"compact_boundary","parent_tool_use_id":"t"}`, streamLine("result", "", `,"modelUsage":{"m":{"contextWindow":-1}}`)}, "\n"))
}
