package formats

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"perch/formats/transcript"
)

// write is a transcript in the canonical form.
func write(t testing.TB, list ...*transcript.Transcript) string {
	t.Helper()
	var b bytes.Buffer
	for _, tr := range list {
		if err := WriteCanonical(&b, tr); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// sameRun ignores what depends on where a transcript was read from.
var sameRun = cmpopts.IgnoreFields(transcript.Transcript{}, "Source", "Format")

// roundTrip checks that nothing is lost on the way to the canonical form and back.
func roundTrip(t testing.TB, list []*transcript.Transcript) {
	t.Helper()
	text := write(t, list...)
	back, err := read(t, canonical(), text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(list, back, sameRun); diff != "" {
		t.Errorf("read back from the canonical form (-want +got):\n%s", diff)
	}
	if again := write(t, back...); again != text {
		t.Errorf("written again, the bytes differ:\n%s", cmp.Diff(text, again))
	}
}

// sample has a value in every field.
func sample() *transcript.Transcript {
	return &transcript.Transcript{
		ID: "s", Thread: "main", Agent: "example", Version: "1.2", Nested: true, Damaged: 2, Unknown: map[string]int{"x": 1},
		Messages: []transcript.Message{
			{Role: transcript.System, Origin: transcript.Injected, Parts: []transcript.Part{{Kind: transcript.Text, Text: "be <b>brief</b> & \u2028 go"}}},
			{Role: transcript.User, Origin: transcript.Person, Parts: []transcript.Part{{Kind: transcript.Image, Media: transcript.Media{Mime: "image/png", Width: 3, Height: 2, Bytes: 9, Data: "AAAA"}}}, Line: 3},
			{Role: transcript.Assistant, Origin: transcript.Agent, Parts: []transcript.Part{{Kind: transcript.ToolCall, Text: "{}", Tool: "Read", CallID: "t", Subject: "f", Effect: transcript.Reads, Unsent: true}, {Kind: transcript.Thinking, Opaque: 9}}},
			{Role: transcript.Tool, Origin: transcript.FromTool, Parts: []transcript.Part{{Kind: transcript.ToolResult, CallID: "t", IsError: true}}},
			{Role: transcript.Tool, Origin: transcript.FromTool, NotSent: true, Parts: []transcript.Part{{Kind: transcript.ToolResult, CallID: "t"}}},
			{Role: transcript.User, Origin: transcript.Compaction, Parts: []transcript.Part{{Kind: transcript.Summary, Text: "so far"}}},
		},
		Calls: []transcript.Call{
			{At: 2, Reply: transcript.Span{From: 2, To: 3}, Key: "k", Kind: transcript.Main, Model: "m", Usage: transcript.Usage{Prompt: of(9), CacheRead: of(0), Output: transcript.Count{N: 3, From: transcript.Partial}}, Stopped: true, Hosted: true},
			{At: 6, Kind: transcript.Main, Err: "prompt is too long", Overflow: true, Limit: transcript.Limit{Tokens: 10, Kind: transcript.Window, From: transcript.FromRecord}, Line: 9},
		},
		Changes: []transcript.Change{
			{At: 4, Kind: transcript.Clear, Reduce: []transcript.PartID{{Message: 3}}},
			{At: 5, Kind: transcript.Compact, Prompt: []transcript.Span{{From: 5, To: 6}, {From: 2, To: 4}}, Trigger: "auto", Before: transcript.Count{N: 90, From: transcript.Client}},
			{At: 6, Kind: transcript.Rewind, Prompt: []transcript.Span{}},
		},
		Warnings: []transcript.Warning{{Line: 4, Message: "odd"}},
	}
}

// The canonical form is how runs are kept, shared and fed in by other agents: what it loses is lost.
func TestCanonicalRoundTrip(t *testing.T) {
	roundTrip(t, []*transcript.Transcript{sample(), {ID: "empty", Thread: "main"}, sample()})
}

// The order of lines tells the prompt of each call to someone who reads the file by eye or with a script.
func TestCanonicalOrder(t *testing.T) {
	var kinds []string
	for line := range strings.Lines(write(t, sample())) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(line, `{"t":"`), `"`)
		kinds = append(kinds, kind)
	}
	want := "run message message call message message change message change message change call warning"
	if got := strings.Join(kinds, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// canonicalLines is a small run by hand; edit changes single lines of it, counted from 1.
func canonicalLines(edit map[int]string) string {
	lines := []string{
		`{"t":"run","v":1,"id":"s","thread":"main","agent":"x"}`,
		`{"t":"message","i":0,"role":"user","origin":"person","parts":[{"kind":"text","text":"go"}]}`,
		`{"t":"call","at":1,"reply":{"from":1,"to":2},"key":"k1","kind":"main","usage":{"prompt":5}}`,
		`{"t":"message","i":1,"role":"assistant","origin":"agent","parts":[{"kind":"tool_call","call":"t","tool":"Read","text":"{}"}]}`,
		`{"t":"message","i":2,"role":"tool","origin":"tool","parts":[{"kind":"tool_result","call":"t","text":"one"}]}`,
		`{"t":"change","at":3,"kind":"clear","reduce":[{"message":2,"part":0}]}`,
		`{"t":"call","at":3,"reply":{"from":3,"to":4},"key":"k2","kind":"main","usage":{"prompt":9}}`,
		`{"t":"message","i":3,"role":"assistant","origin":"agent","parts":[{"kind":"text","text":"done"}]}`,
	}
	for i, line := range edit {
		lines[i-1] = line
	}
	return strings.Join(lines, "\n") + "\n"
}

// A damaged line must cost what it said and no more: later lines still name the same messages.
func TestCanonicalDamage(t *testing.T) {
	for _, tt := range []struct {
		name     string
		edit     map[int]string
		story    []string
		warnings []string
	}{
		{
			"none", nil,
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t one", "3 assistant/agent: text done", "call k1 [0]", "clear -> [0 1 2]", "call k2 [0 1 2]"},
			nil,
		},
		{
			"message", map[int]string{2: `{"t":"message","i":0,"ro`},
			[]string{"0 user/injected (not sent): ", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t one", "3 assistant/agent: text done", "call k1 []", "clear -> [1 2]", "call k2 [1 2]"},
			[]string{"2: a record that is cut off was skipped"},
		},
		{
			"response whose result is left", map[int]string{4: `x`},
			[]string{"0 user/person: text go", "1 user/injected (not sent): ", "2 tool/tool (not sent): tool_result t one", "3 assistant/agent: text done", "call k1 [0]", "clear -> [0]", "call k2 [0]"},
			[]string{"4: a line that is no JSON object was skipped", "0: a message that breaks the pairing of tool calls and results was kept out of the prompt"},
		},
		{
			"call with a word for a number", map[int]string{3: `{"t":"call","at":1,"usage":{"prompt":"many"}}`},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t one", "3 assistant/agent: text done", "clear -> [0 1 2]", "call k2 [0 1 2]"},
			[]string{"3: a line that does not fit was skipped: a value in it has a wrong type"},
		},
		{
			"call and change that name what is not there", map[int]string{3: `{"t":"call","at":1,"reply":{"from":1,"to":99},"kind":"main"}`, 6: `{"t":"change","at":3,"kind":"clear","reduce":[{"message":2,"part":7}]}`},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t one", "3 assistant/agent: text done", "call k2 [0 1 2]"},
			[]string{"0: a call that names messages which are not there was skipped", "0: a change that names messages which are not there was skipped"},
		},
		{
			"prompt that holds a message twice", map[int]string{6: `{"t":"change","at":3,"kind":"compact","prompt":[{"from":0,"to":3},{"from":0,"to":3}]}`},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t one", "3 assistant/agent: text done", "call k1 [0]", "call k2 [0 1 2]"},
			[]string{"0: a change that names messages which are not there was skipped"},
		},
		{
			"tool call without an id", map[int]string{8: `{"t":"message","i":3,"role":"assistant","origin":"agent","line":8,"parts":[{"kind":"tool_call","tool":"Read"}]}`},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t one", "3 assistant/agent (not sent): tool_call", "call k1 [0]", "clear -> [0 1 2]", "call k2 [0 1 2]"},
			[]string{"8: a message that breaks the pairing of tool calls and results was kept out of the prompt"},
		},
		{
			"line that stands too early", map[int]string{3: `{"t":"call","at":3,"kind":"main"}`},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t one", "3 assistant/agent: text done", "clear -> [0 1 2]", "call k2 [0 1 2]"},
			[]string{"3: a line that does not fit was skipped: it stands at message 3, but 1 messages precede it"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := readOne(t, canonical(), canonicalLines(tt.edit))
			if diff := cmp.Diff(tt.story, story(tr)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.warnings, messages(tr)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			if tr.Damaged != len(tt.warnings) {
				t.Errorf("%d damaged lines, want %d", tr.Damaged, len(tt.warnings))
			}
			roundTrip(t, []*transcript.Transcript{tr})
		})
	}
}

// Lines of a later version are counted; a whole run of one is refused with what to do.
func TestCanonicalVersions(t *testing.T) {
	tr := readOne(t, canonical(), canonicalLines(map[int]string{6: `{"t":"poem","text":"o"}`}))
	if diff := cmp.Diff(map[string]int{"line/poem": 1}, tr.Unknown); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, tt := range []struct{ data, want string }{
		{`{"t":"run","v":2}`, "line 1 begins a run in version 2 of the canonical form, and this perch reads version 1: use the perch that wrote it, or convert the recording again"},
		{`{"t":"run","v":"one"}`, "line 1 does not begin a run: a value in it has a wrong type"},
		{`{"t":"message"}`, "no run begins in it; line 1: a line that stands before any run was skipped"},
	} {
		if _, err := read(t, canonical(), tt.data); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.data, err, tt.want)
		}
	}
}

// A full disk must not leave half a file unnoticed.
func TestCanonicalWriteError(t *testing.T) {
	full := fmt.Errorf("no space left")
	if err := WriteCanonical(failing{full}, sample()); err != full {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
