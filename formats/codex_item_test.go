package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// codexItemTest is one item, or two, and the parts of the last message that it makes.
type codexItemTest struct {
	name, item string
	want       []transcript.Part
	hosted     bool
}

// run reads a session of the item.
func (tt codexItemTest) run(t *testing.T) {
	tr := rollout(t, cxMeta(), tt.item)
	if diff := cmp.Diff(tt.want, tr.Messages[len(tr.Messages)-1].Parts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(tr.Calls) > 0 && tr.Calls[0].Hosted != tt.hosted {
		t.Errorf("hosted is %v, want %v", tr.Calls[0].Hosted, tt.hosted)
	}
	if len(tr.Unknown) > 0 {
		t.Errorf("unknown: %v", tr.Unknown)
	}
}

// cxPNG is a picture of 3 by 2 pixels.
const cxPNG = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEUlEQVR4nGP4z8DwH4YZcHIAxEMO8jlUtpUAAAAASUVORK5CYII="

// cxPicture is what is known of it.
var cxPicture = transcript.Media{Mime: "image/png", Width: 3, Height: 2, Bytes: len(cxPNG)*3/4 - 1, Data: cxPNG}

// What an agent asked for, and of whom: subjects and effects decide what a pipeline may drop, hosted tools what a
// count can be trusted for.
func TestCodexCalls(t *testing.T) {
	for _, tt := range []codexItemTest{
		{
			"command", cxCall("c1"),
			[]transcript.Part{{Kind: transcript.ToolCall, Tool: "shell", CallID: "c1", Text: `{"command":["bash","-lc","ls c1"]}`, Subject: "ls c1", Effect: transcript.Runs}}, false,
		},
		{
			"tool of a server", cxItem(`{"type":"function_call","namespace":"mcp__wiki","name":"read_note","arguments":"{\"path\":\"a/b\"}","call_id":"c1"}`),
			[]transcript.Part{{Kind: transcript.ToolCall, Tool: "mcp__wiki__read_note", CallID: "c1", Text: `{"path":"a/b"}`, Subject: "a/b", Effect: transcript.Reads}}, false,
		},
		{
			"patch", cxItem(`{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a/b.go\n@@\n-x\n+y\n*** End Patch","call_id":"c1"}`),
			[]transcript.Part{{Kind: transcript.ToolCall, Tool: "apply_patch", CallID: "c1", Text: "*** Begin Patch\n*** Update File: a/b.go\n@@\n-x\n+y\n*** End Patch", Subject: "a/b.go", Effect: transcript.Writes}}, false,
		},
		{
			"script", cxItem(`{"type":"custom_tool_call","name":"exec","input":"const r = await tools.run()\nr","call_id":"c1"}`),
			[]transcript.Part{{Kind: transcript.ToolCall, Tool: "exec", CallID: "c1", Text: "const r = await tools.run()\nr", Subject: "const r = await tools.run()", Effect: transcript.Runs}}, false,
		},
		{
			"local shell without a call id", cxItem(`{"type":"local_shell_call","id":"ls1","action":{"type":"exec","command":["bash","-lc","pwd"]}}`),
			[]transcript.Part{{Kind: transcript.ToolCall, Tool: "local_shell", CallID: "ls1", Text: `{"type":"exec","command":["bash","-lc","pwd"]}`, Subject: "pwd", Effect: transcript.Runs}}, false,
		},
		{
			"call without any id", cxItem(`{"type":"function_call","name":"plan","arguments":"{}"}`),
			[]transcript.Part{{Kind: transcript.ToolCall, Tool: "plan", CallID: "line-2-1", Text: "{}"}}, false,
		},
		{
			"search of the web", cxItem(`{"type":"web_search_call","id":"ws1","action":{"type":"search","query":"go tokens"}}`),
			[]transcript.Part{{Kind: transcript.ToolCall, Tool: "web_search", CallID: "ws1", Text: `{"type":"search","query":"go tokens"}`, Subject: "go tokens", Effect: transcript.Searches}}, true,
		},
		{
			"picture that was made", cxItem(`{"type":"image_generation_call","id":"ig1","revised_prompt":"a perch","result":"` + cxPNG + `"}`),
			[]transcript.Part{
				{Kind: transcript.ToolCall, Tool: "image_generation", CallID: "ig1", Text: "a perch"},
				{Kind: transcript.Image, Tool: "image_generation", CallID: "ig1", Media: cxPicture},
			}, true,
		},
		{
			"tools found by the provider", cxItem(`{"type":"tool_search_call","id":"ts1","execution":"server","arguments":{"query":"wiki"}}`) + "\n" + cxItem(`{"type":"tool_search_output","call_id":"ts1","execution":"server","tools":[{"name":"w"}]}`),
			[]transcript.Part{
				{Kind: transcript.ToolCall, Tool: "tool_search", CallID: "ts1", Text: `{"query":"wiki"}`, Subject: "wiki", Effect: transcript.Searches},
				{Kind: transcript.ToolResult, Tool: "tool_search", CallID: "ts1", Text: `[{"name":"w"}]`},
			}, true,
		},
		{
			"tools found by the client", cxItem(`{"type":"tool_search_call","call_id":"ts1","execution":"client","arguments":{"query":"wiki"}}`) + "\n" + cxItem(`{"type":"tool_search_output","call_id":"ts1","execution":"client","tools":[{"name":"w"}]}`),
			[]transcript.Part{{Kind: transcript.ToolResult, Tool: "tool_search", CallID: "ts1", Text: `[{"name":"w"}]`, Subject: "wiki", Effect: transcript.Searches}}, false,
		},
	} {
		t.Run(tt.name, tt.run)
	}
}

// What else a message can hold.
func TestCodexContent(t *testing.T) {
	for _, tt := range []codexItemTest{
		{
			"reasoning with a summary for the screen", cxItem(`{"type":"reasoning","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"content":null,"encrypted_content":"abcd"}`),
			[]transcript.Part{{Kind: transcript.Thinking, Text: "a\nb", Opaque: 4}}, false,
		},
		{
			"reasoning that can be read", cxItem(`{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}],"content":[{"type":"reasoning_text","text":"the whole"}]}`),
			[]transcript.Part{{Kind: transcript.Thinking, Text: "the whole"}}, false,
		},
		{
			"refusal", cxItem(`{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`),
			[]transcript.Part{{Kind: transcript.Text, Text: "no"}}, false,
		},
		{
			"message with a picture", cxItem(`{"type":"message","role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:image/png;base64,` + cxPNG + `"},{"type":"input_image","image_url":"https://example.org/a.png"}]}`),
			[]transcript.Part{
				{Kind: transcript.Text, Text: "see"},
				{Kind: transcript.Image, Media: cxPicture},
				{Kind: transcript.Image, Text: "https://example.org/a.png"},
			}, false,
		},
		{
			"word of another agent", cxItem(`{"type":"agent_message","author":"a","recipient":"b","content":[{"type":"input_text","text":"done"},{"type":"encrypted_content","encrypted_content":"abcdef"}]}`),
			[]transcript.Part{{Kind: transcript.Text, Text: "done"}, {Kind: transcript.Opaque, Opaque: 6}}, false,
		},
		{"encrypted item", cxItem(`{"type":"compaction","encrypted_content":"abcdef"}`), []transcript.Part{{Kind: transcript.Opaque, Opaque: 6}}, false},
	} {
		t.Run(tt.name, tt.run)
	}
}

// Records that never reach the model would each add their size to every prompt after them.
func TestCodexNotSent(t *testing.T) {
	tr := rollout(t, cxMeta(), cxTurn("t1"), cxItem(`{"type":"ghost_snapshot","ghost_commit":{"id":"x"}}`),
		cxEvent(`{"type":"user_message","message":"go"}`), cxMessage("user", "go"),
		cxEvent(`{"type":"agent_message","message":"ok"}`), cxEvent(`{"type":"agent_reasoning","text":"hm"}`), cxMessage("assistant", "ok"),
		cxEvent(`{"type":"exec_command_end","stdout":"long"}`), cx("world_state", `{"full":true,"state":{}}`), cxEvent(`{"type":"thread_settings_applied"}`))
	if diff := cmp.Diff([]string{"0 user/person: text go", "1 assistant/agent: text ok", "call  [0]"}, story(tr)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(tr.Unknown) > 0 {
		t.Errorf("unknown: %v", tr.Unknown)
	}
}

// What this reader does not know must be told, with its name, and not be guessed at.
func TestCodexUnknown(t *testing.T) {
	tr := rollout(t, cxMeta(), cx("novelty", `{}`), cxEvent(`{"type":"novelty"}`), cxItem(`{"type":"novelty"}`), cxItem(`{"type":"message","role":"user","content":[{"type":"novelty","data":"12345678"}]}`))
	if diff := cmp.Diff(map[string]int{"novelty": 1, "event/novelty": 1, "item/novelty": 1, "content/novelty": 1}, tr.Unknown); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := tr.Messages[0].Parts[0]; p.Kind != transcript.Opaque || p.Opaque == 0 {
		t.Errorf("content of an unknown kind is %+v, want an opaque part with its size", p)
	}
}

// A turn, a pin, the last message of the user: all of them count what a person typed, and nothing else.
func TestCodexOrigin(t *testing.T) {
	for _, tt := range []struct {
		name  string
		texts []string
		want  transcript.Origin
	}{
		{"typed", []string{"please fix it"}, transcript.Person},
		{"typed, about a tag", []string{"<environment_context> is what?"}, transcript.Person},
		{"typed markup", []string{"<div>a</div>"}, transcript.Person},
		{"environment", []string{"<environment_context>\n  <cwd>/a</cwd>\n</environment_context>"}, transcript.Injected},
		{"environment in capitals", []string{"<ENVIRONMENT_CONTEXT>a</ENVIRONMENT_CONTEXT>\n"}, transcript.Injected},
		{"instructions of 2025", []string{"<user_instructions>\n\nbe brief\n\n</user_instructions>"}, transcript.Injected},
		{"instructions and environment", []string{"# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>", "<environment_context>a</environment_context>"}, transcript.Injected},
		{"environment and a typed text", []string{"<environment_context>a</environment_context>", "please fix it"}, transcript.Person},
		{"end of a sub-agent", []string{"<subagent_notification>\n{}\n</subagent_notification>"}, transcript.Injected},
		{"aborted turn", []string{"<turn_aborted>\nby the user\n</turn_aborted>"}, transcript.Injected},
		{"skill", []string{"<skill>\n<name>a</name>\n</skill>"}, transcript.Injected},
		{"tag with a space", []string{"<permissions instructions>a</permissions instructions>"}, transcript.Injected},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var parts []transcript.Part
			for _, text := range tt.texts {
				parts = append(parts, transcript.Part{Kind: transcript.Text, Text: text})
			}
			if got := codexOrigin(parts); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// The system prompt is part of the prompt where it is recorded; the older field of nearly the same name repeats a
// message, and would count it twice.
func TestCodexInstructions(t *testing.T) {
	for _, tt := range []struct {
		name, field string
		want        []string
	}{
		{"base instructions", `"base_instructions":{"text":"be brief"}`, []string{"0 system/injected: text be brief", "1 user/person: text go"}},
		{"instructions of 2025", `"instructions":"be brief"`, []string{"0 user/person: text go"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := rollout(t, cxMeta(tt.field), cxMessage("user", "go"), cxMeta(tt.field))
			if diff := cmp.Diff(tt.want, story(tr)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The output of a command is kept as JSON and often sent as text. Which of the two was sent is up to a tenth of it.
func TestCodexOutputs(t *testing.T) {
	patch := cxItem(`{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch","call_id":"p"}`)
	kept := `{"output":"a\tb\n","metadata":{"exit_code":0,"duration_seconds":0.1}}`
	for _, tt := range []struct {
		name, output string // the output as JSON
		patches      bool
		want         string
		failed       bool
	}{
		{"plain text", js("Chunk ID: 1\nOutput:\nok"), true, "Chunk ID: 1\nOutput:\nok", false},
		{"JSON that was sent", js(kept), false, kept, false},
		{"JSON that was worded anew", js(kept), true, "Exit code: 0\nWall time: 0.1 seconds\nOutput:\na\tb\n", false},
		{
			"long output", js(`{"output":"Total output lines: 900\n\nhead\ntail","metadata":{"exit_code":3,"duration_seconds":2}}`), true,
			"Exit code: 3\nWall time: 2 seconds\nTotal output lines: 900\nOutput:\nhead\ntail", true,
		},
		{"JSON of another tool", js(`{"output":"x","more":1}`), true, `{"output":"x","more":1}`, false},
		{"failed command in JSON", js(`{"output":"x","metadata":{"exit_code":1,"duration_seconds":0}}`), false, `{"output":"x","metadata":{"exit_code":1,"duration_seconds":0}}`, true},
		{"failed command", js("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 127\nOutput:\nx"), true, "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 127\nOutput:\nx", true},
		{"output that tells of a failure", js("Exit code: 0\nOutput:\nExit code: 1"), true, "Exit code: 0\nOutput:\nExit code: 1", false},
		{"refused command", js("exec command rejected by user"), true, "exec command rejected by user", true},
		{"object", `{"content":"no such file","success":false}`, true, "no such file", true},
		{"list", `[{"type":"input_text","text":"one"}]`, true, "one", false},
		{"nothing", `null`, true, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := []string{cxMeta(), cxMessage("user", "go"), cxCall("c1"), cxItem(`{"type":"function_call_output","call_id":"c1","output":` + tt.output + `}`)}
			if tt.patches {
				lines = append(lines, patch)
			}
			tr := rollout(t, lines...)
			if diff := cmp.Diff(tt.want, tr.Messages[2].Parts[0].Text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := tr.Messages[2].Parts[0].IsError; got != tt.failed {
				t.Errorf("failed is %v, want %v", got, tt.failed)
			}
		})
	}
}

// The file keeps long outputs whole, and the client sends their two ends: uncut, one of them was 15,000 tokens too many.
func TestCodexLongOutputs(t *testing.T) {
	list := func(texts ...string) string {
		for i := range texts {
			texts[i] = `{"type":"input_text","text":` + js(texts[i]) + `}`
		}
		return "[" + strings.Join(texts, ",") + "]"
	}
	long := strings.Repeat("a", 30_000) + strings.Repeat("z", 30_000)
	for _, tt := range []struct {
		name, version, policy, output string
		want                          []string
	}{
		{"as long as is sent", "0.144.0", "", js(long[:48_000]), []string{long[:48_000]}},
		{"longer", "0.144.0", "", js(long), []string{strings.Repeat("a", 24_000) + "…3000 tokens truncated…" + strings.Repeat("z", 24_000)}},
		{"list that is longer", "0.144.0", "", list("head", long, "tail"), []string{"head", strings.Repeat("a", 23_998) + "…3001 tokens truncated…" + strings.Repeat("z", 23_998)}},
		{"limit that the turn records", "0.118.0", `,"truncation_policy":{"mode":"tokens","limit":10}`, js(long), []string{strings.Repeat("a", 24) + "…14988 tokens truncated…" + strings.Repeat("z", 24)}},
		{"limit in bytes", "0.118.0", `,"truncation_policy":{"mode":"bytes","limit":40}`, js(long), []string{strings.Repeat("a", 24) + "…14988 tokens truncated…" + strings.Repeat("z", 24)}},
		{"version that is not known to cut", "0.46.0", "", js(long), []string{long}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := rollout(t, cx("session_meta", `{"id":"s1","cli_version":"`+tt.version+`"}`), cx("turn_context", `{"model":"gpt-5.5"`+tt.policy+`}`),
				cxCall("c1"), cxItem(`{"type":"function_call_output","call_id":"c1","output":`+tt.output+`}`))
			var got []string
			for _, p := range tr.Messages[1].Parts {
				got = append(got, p.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%d parts, want %d", len(got), len(tt.want))
				for i := range got {
					t.Errorf("part %d is %d bytes: %.20q to %.30q", i, len(got[i]), got[i], got[i][max(0, len(got[i])-30):])
				}
			}
		})
	}
}

// Results must follow their calls, whatever was written between, and one that answers nothing is never sent.
func TestCodexPairing(t *testing.T) {
	tr := rollout(t, cxMeta(), cxMessage("user", "go"), cxCall("c1"), cxCall("c2"), cxMessage("user", "wait"), cxOut("c2", "two"), cxOut("c1", "one"), cxOut("c1", "again"), cxTokens(100, 100, 0, 9, 0),
		cxItem(`{"type":"function_call","name":"f","arguments":"{}"}`), cxItem(`{"type":"function_call_output","output":"three"}`), cxOut("c2", "late"), cxItem(`{"type":"function_call_output","output":"whose"}`), cxTokens(210, 110, 0, 9, 0))
	want := []string{
		"0 user/person: text go",
		"1 assistant/agent: tool_call c1 | tool_call c2",
		"2 tool/tool: tool_result c2 two",
		"3 tool/tool: tool_result c1 one",
		"4 user/person: text wait",
		"5 tool/tool (not sent): tool_result c1 again",
		"6 assistant/agent: tool_call line-10-1",
		"7 tool/tool: tool_result line-10-1 three",
		"8 tool/tool (not sent): tool_result c2 late",
		"9 tool/tool (not sent): tool_result line-unknown whose",
		"call s1/100+1/100+9 [0]",
		"call s1/210+1/110+9 [0 1 2 3 4]",
	}
	if diff := cmp.Diff(want, story(tr)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	none := "a tool result that answers no call of the response before it was kept out of the prompt"
	if diff := cmp.Diff([]string{"8: " + secondResult, "12: " + none, "13: " + none}, messages(tr)); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// A request that failed has no count, and an overflow is the one thing an audit must not miss.
func TestCodexErrors(t *testing.T) {
	type failed struct {
		Err      string
		Overflow bool
		Reply    transcript.Span
	}
	for _, tt := range []struct {
		name  string
		lines []string
		want  []failed
	}{
		{"aborted in the middle of a response", []string{cxThink(), cxEvent(`{"type":"turn_aborted","reason":"interrupted"}`), cxThink()}, []failed{{"the turn was aborted: interrupted", false, transcript.Span{From: 1, To: 2}}, {"", false, transcript.Span{From: 2, To: 3}}}},
		{"aborted between two responses", []string{cxThink(), cxTokens(100, 100, 0, 9, 0), cxEvent(`{"type":"turn_aborted","reason":"interrupted"}`)}, []failed{{"", false, transcript.Span{From: 1, To: 2}}}},
		{"full context", []string{cxEvent(`{"type":"error","message":"Codex ran out of room in the model's context window.","codex_error_info":"context_window_exceeded"}`)}, []failed{{"Codex ran out of room in the model's context window.", true, transcript.Span{}}}},
		{"full context by its class alone", []string{cxEvent(`{"type":"task_complete","error":{"codex_error_info":"context_window_exceeded"}}`)}, []failed{{"context_window_exceeded", true, transcript.Span{}}}},
		{"full context by the API's words", []string{cxEvent(`{"type":"task_complete","error":"Your input exceeds the context window of this model."}`)}, []failed{{"Your input exceeds the context window of this model.", true, transcript.Span{}}}},
		{"error that is told twice", []string{cxEvent(`{"type":"error","message":"slow down"}`), cxEvent(`{"type":"task_complete","error":{"message":"slow down"}}`)}, []failed{{"slow down", false, transcript.Span{}}}},
		{"error in the middle of a response", []string{cxThink(), cxEvent(`{"type":"error","message":"slow down"}`)}, []failed{{"slow down", false, transcript.Span{From: 1, To: 2}}}},
		{"turn that ended well", []string{cxThink(), cxTokens(100, 100, 0, 9, 0), cxEvent(`{"type":"task_complete","error":null}`)}, []failed{{"", false, transcript.Span{From: 1, To: 2}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := rollout(t, append([]string{cxMeta(), cxMessage("user", "go")}, tt.lines...)...)
			var got []failed
			for _, c := range tr.Calls {
				got = append(got, failed{c.Err, c.Overflow, c.Reply})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Sessions before 0.34 have no envelope and no counts: the messages can be used, and the user must know the rest.
func TestCodexFlat(t *testing.T) {
	bare := func(line string) string {
		_, payload, _ := strings.Cut(line, `"payload":`)
		return strings.TrimSuffix(payload, "}")
	}
	data := strings.Join([]string{`{"id":"s0","timestamp":"2025-08-01T10:00:00Z","instructions":"be brief","git":{}}`, `{"record_type":"state"}`,
		bare(cxMessage("user", "go")), bare(cxThink()), bare(cxCall("c1")), bare(cxOut("c1", "one")), bare(cxMessage("assistant", "ok"))}, "\n")
	if f, ok := Detect([]byte(data), "a.jsonl"); !ok || f.Name != "codex" {
		t.Fatalf("detected as %q", f.Name)
	}
	tr := readOne(t, codex(), data)
	want := []string{
		"0 user/person: text go", "1 assistant/agent: thinking | tool_call c1", "2 tool/tool: tool_result c1 one", "3 assistant/agent: text ok",
		"call  [0]", "call  [0 1 2]",
	}
	if diff := cmp.Diff(want, story(tr)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if w := messages(tr); tr.ID != "s0" || len(w) != 1 || !strings.HasPrefix(w[0], "0: no token count is recorded") {
		t.Errorf("id %q, warnings %q", tr.ID, w)
	}
}

// A file of another kind must be told from a session, and one of nothing from both.
func TestCodexFiles(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		detected   bool
		err        error
	}{
		{"session", cxMeta(), true, nil},
		{"session that begins with an event", cxStart("t1"), true, nil},
		{"session whose first record is cut", cxMeta(`"base_instructions":{"text":"` + strings.Repeat("be brief ", 20) + `"}`)[:120], true, errNoCodex},
		{"session of 2025", `{"id":"a","timestamp":"b","instructions":null,"git":{}}`, true, nil},
		{"envelopes of something else", `{"type":"row","payload":{}}`, false, errNoCodex},
		{"lines of something else", `{"id":"a","timestamp":"b"}`, false, errNoCodex},
		{"nothing", "", false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if f, ok := Detect([]byte(tt.data), "a.jsonl"); ok != tt.detected || ok && f.Name != "codex" {
				t.Errorf("detected: %v as %q", ok, f.Name)
			}
			if list, err := read(t, codex(), tt.data); err != tt.err || len(list) > 0 {
				t.Errorf("%d transcripts, error %v, want %v", len(list), err, tt.err)
			}
		})
	}
}
