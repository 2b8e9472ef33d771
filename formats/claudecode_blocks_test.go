package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// A part of the wrong kind is sized by the wrong rule: base64 counted as text is ten times a picture.
func TestClaudeParts(t *testing.T) {
	pic := `{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAwACAAAAACw="}}`
	gif := transcript.Media{Mime: "image/gif", Width: 3, Height: 2, Bytes: 14, Data: "R0lGODlhAwACAAAAACw="}
	for _, tt := range []struct {
		name    string
		lines   []string
		message int
		want    []transcript.Part
		unknown map[string]int
	}{
		{
			"thinking by its signature, and withheld", []string{asst("a", "u", "m", think("hm"), `{"type":"redacted_thinking","data":"xxxx"}`)}, 1,
			[]transcript.Part{{Kind: transcript.Thinking, Text: "hm", Opaque: 8}, {Kind: transcript.Thinking, Opaque: 4}}, nil,
		},
		{
			"tool call", []string{asst("a", "u", "m", `{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls -l\ncat x"},"caller":{"type":"direct"}}`)}, 1,
			[]transcript.Part{{Kind: transcript.ToolCall, CallID: "t1", Tool: "Bash", Text: `{"command":"ls -l\ncat x"}`, Subject: "ls -l", Effect: transcript.Runs}}, nil,
		},
		{
			"plan that the client fills in", []string{asst("a", "u", "m", `{"type":"tool_use","id":"t1","name":"ExitPlanMode","input":{"plan":"long"}}`)}, 1,
			[]transcript.Part{{Kind: transcript.ToolCall, CallID: "t1", Tool: "ExitPlanMode", Text: `{"plan":"long"}`, Unsent: true}}, nil,
		},
		{
			"result of text and picture", []string{asst("a", "u", "m", use("t1")), results("r", "a", `{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"see"},`+pic+`]}`)}, 2,
			[]transcript.Part{
				{Kind: transcript.ToolResult, Text: "see", Tool: "Read", CallID: "t1", Subject: "/a/t1", Effect: transcript.Reads, IsError: true},
				{Kind: transcript.Image, Tool: "Read", CallID: "t1", Subject: "/a/t1", Effect: transcript.Reads, IsError: true, Media: gif},
			}, nil,
		},
		{
			"result of nothing", []string{asst("a", "u", "m", use("t1")), results("r", "a", `{"type":"tool_result","tool_use_id":"t1","content":[]}`)}, 2,
			[]transcript.Part{{Kind: transcript.ToolResult, Tool: "Read", CallID: "t1", Subject: "/a/t1", Effect: transcript.Reads}}, nil,
		},
		{
			"spilled result", []string{asst("a", "u", "m", use("t1")), results("r", "a", result("t1", "<persisted-output>\nOutput too large (53.6KB). Full output saved to: /tmp/t1.txt\n</persisted-output>"))}, 2,
			[]transcript.Part{{
				Kind: transcript.ToolResult, Text: "<persisted-output>\nOutput too large (53.6KB). Full output saved to: /tmp/t1.txt\n</persisted-output>",
				Tool: "Read", CallID: "t1", Subject: "/a/t1", Effect: transcript.Reads,
			}}, nil,
		},
		{
			"reference to a tool", []string{asst("a", "u", "m", use("t1")), results("r", "a", `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"tool_reference","tool_name":"TaskCreate"}]}`)}, 2,
			[]transcript.Part{{Kind: transcript.ToolResult, Text: "TaskCreate", Tool: "Read", CallID: "t1", Subject: "/a/t1", Effect: transcript.Reads}},
			map[string]int{"block/tool_reference": 1},
		},
		{
			"picture and words of a person", []string{results("u2", "u", pic, say("what is this?"))}, 1,
			[]transcript.Part{{Kind: transcript.Image, Media: gif}, {Kind: transcript.Text, Text: "what is this?"}}, nil,
		},
		{
			"picture by its address, document by its text",
			[]string{results("u2", "u", `{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}`, `{"type":"document","source":{"type":"text","media_type":"text/plain","data":"pages"}}`)}, 1,
			[]transcript.Part{{Kind: transcript.Image, Text: "https://example.org/a.png"}, {Kind: transcript.Document, Text: "pages", Media: transcript.Media{Mime: "text/plain"}}}, nil,
		},
		{
			"block of an unknown type", []string{results("u2", "u", `{"type":"hologram","data":"1234"}`, `{}`)}, 1,
			[]transcript.Part{{Kind: transcript.Opaque, Opaque: 33}, {Kind: transcript.Opaque, Opaque: 2}}, map[string]int{"block/hologram": 1, "block/without a type": 1},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := claude(t, append([]string{user("u", "", "go")}, tt.lines...)...)
			if diff := cmp.Diff(tt.want, tr.Messages[tt.message].Parts); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.unknown, tr.Unknown); diff != "" {
				t.Errorf("unknown (-want +got):\n%s", diff)
			}
		})
	}
}

// A response that searched at the provider cannot be scored: its prompt holds what the search brought.
func TestClaudeHostedTools(t *testing.T) {
	tr := claude(t, user("u", "", "go"), asst("a", "u", "m",
		`{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"perch"}}`,
		`{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","title":"Perch","url":"https://example.org","encrypted_content":"abcd"}]}`,
		say("found")), user("u2", "a", "thanks"))
	want := []transcript.Part{
		{Kind: transcript.ToolCall, CallID: "s1", Tool: "web_search", Text: `{"query":"perch"}`, Subject: "perch", Effect: transcript.Searches},
		{Kind: transcript.ToolResult, CallID: "s1", Tool: "web_search", Text: "Perch\nhttps://example.org", Subject: "perch", Effect: transcript.Searches, Opaque: 4},
		{Kind: transcript.Text, Text: "found"},
	}
	if diff := cmp.Diff(want, tr.Messages[1].Parts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !tr.Calls[0].Hosted {
		t.Error("the call is not marked as one with hosted tools")
	}
}

// Who wrote a message decides what is pinned and what counts as a turn.
func TestClaudeOrigins(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       transcript.Origin
	}{
		{"typed", user("x", "u", "fix it"), transcript.Person},
		{"typed, with a tag of its own", user("x", "u", "<div> is not closed"), transcript.Person},
		{"typed, from a program with a person before it", user("x", "u", "fix it", `"origin":{"kind":"human"}`), transcript.Person},
		{"picture alone", results("x", "u", `{"type":"image","source":{"type":"base64","media_type":"image/png","data":""}}`), transcript.Person},
		{"command that becomes a prompt", user("x", "u", "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>main.go</command-args>"), transcript.Person},
		{"command of the client", user("x", "u", "<command-name>/clear</command-name>\n<command-args></command-args>"), transcript.Injected},
		{"output of a command", user("x", "u", "<local-command-stdout>ok</local-command-stdout>"), transcript.Injected},
		{"caveat", user("x", "u", "<local-command-caveat>Caveat: ...", `"isMeta":true`), transcript.Injected},
		{"shell line", user("x", "u", "<bash-input>ls</bash-input>"), transcript.Injected},
		{"reminder in the words of a person", results("x", "u", say("<system-reminder>note</system-reminder>"), say("and mine")), transcript.Person},
		{"reminder", user("x", "u", " <system-reminder>note</system-reminder>", `"origin":{"kind":"human"}`), transcript.Injected},
		{"interruption", results("x", "u", say("[Request interrupted by user for tool use]")), transcript.Injected},
		{"news of a task", user("x", "u", "done", `"origin":{"kind":"task-notification"}`), transcript.Injected},
		{"skill", user("x", "u", "Base directory for this skill: /s", `"isMeta":true`), transcript.Injected},
		{"empty text", user("x", "u", ""), transcript.Injected},
		{"queued words", attachment("x", "u", `{"type":"queued_command","prompt":"and hurry","commandMode":"prompt","origin":{"kind":"human"}}`), transcript.Person},
		{"queued news", attachment("x", "u", `{"type":"queued_command","prompt":"<task-notification>1</task-notification>","commandMode":"task-notification"}`), transcript.Injected},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := claude(t, user("u", "", "go"), tt.line)
			if got := tr.Messages[1].Origin; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Attachments are in the prompt with the text that is recorded; those without one must not appear as empty messages.
func TestClaudeAttachments(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       string // "": no message
		unknown    map[string]int
	}{
		{"hook context", `{"type":"hook_additional_context","content":["a","b"]}`, "a\nb", nil},
		{"hook context as a text", `{"type":"hook_additional_context","content":"a"}`, "a", nil},
		{"output of a hook at the start", `{"type":"hook_success","hookEvent":"SessionStart","content":"hello","stdout":"x"}`, "hello", nil},
		{"output of a hook after a tool", `{"type":"hook_success","hookEvent":"PostToolUse","content":"hello"}`, "", nil},
		{"hook that blocks", `{"type":"hook_blocking_error","blockingError":{"blockingError":"no","command":"x"}}`, "no", nil},
		{"changed file", `{"type":"edited_text_file","filename":"f","snippet":"1\tx"}`, "1\tx", nil},
		{"memory", `{"type":"nested_memory","content":{"content":"rule"}}`, "rule", nil},
		{"file", `{"type":"file","content":{"type":"text","file":{"content":"x := 1"}}}`, "x := 1", nil},
		{"tools", `{"type":"deferred_tools_delta","addedLines":["A","B"]}`, "A\nB", nil},
		{"no tools", `{"type":"deferred_tools_delta","addedLines":[]}`, "", nil},
		{"skills", `{"type":"invoked_skills","skills":[{"name":"s","content":"do"},{"content":"be"}]}`, "do\nbe", nil},
		{"tasks", `{"type":"task_reminder","content":[{"subject":"write","status":"pending"},{"content":"old","status":"done"}]}`, "[pending] write\n[done] old", nil},
		{"file by its name", `{"type":"compact_file_reference","filename":"f"}`, "", nil},
		{"unknown", `{"type":"weather","text":"rain"}`, "", map[string]int{"attachment/weather": 1}},
		{"no object", `"text"`, "", map[string]int{"attachment/without a type": 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := claude(t, user("u", "", "go"), attachment("x", "u", tt.body))
			got := ""
			if len(tr.Messages) > 1 {
				got = tr.Messages[1].Parts[0].Text
			}
			if got != tt.want || len(tr.Messages) > 2 {
				t.Errorf("got %q in %d messages, want %q", got, len(tr.Messages), tt.want)
			}
			if diff := cmp.Diff(tt.unknown, tr.Unknown); diff != "" {
				t.Errorf("unknown (-want +got):\n%s", diff)
			}
		})
	}
}

// A picture that is attached as a file is a picture, not text.
func TestClaudeAttachedMedia(t *testing.T) {
	tr := claude(t, user("u", "", "go"),
		attachment("x", "u", `{"type":"file","content":{"type":"image","file":{"type":"image/gif","base64":"R0lGODlhAwACAAAAACw="}}}`),
		attachment("y", "x", `{"type":"file","content":{"type":"pdf","file":{"base64":"JVBERi0xLjQKL1R5cGUgL1BhZ2UK"}}}`),
		attachment("z", "y", `{"type":"queued_command","prompt":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAwACAAAAACw="}}]}`))
	gif := transcript.Media{Mime: "image/gif", Width: 3, Height: 2, Bytes: 14, Data: "R0lGODlhAwACAAAAACw="}
	want := [][]transcript.Part{
		{{Kind: transcript.Image, Media: gif}},
		{{Kind: transcript.Document, Media: transcript.Media{Mime: "application/pdf", Pages: 1, Bytes: 21, Data: "JVBERi0xLjQKL1R5cGUgL1BhZ2UK"}}},
		{{Kind: transcript.Text, Text: "see"}, {Kind: transcript.Image, Media: gif}},
	}
	var got [][]transcript.Part
	for i := range tr.Messages[1:] {
		got = append(got, tr.Messages[1+i].Parts)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Records of new versions are counted and keep their place in the tree.
func TestClaudeUnknownRecords(t *testing.T) {
	tr := claude(t, user("u", "", "go"), envelope("hologram", "h", "u")+`}`, system("s", "h", "dance"), `{"n":1}`, asst("a", "s", "m1", say("ok")))
	if diff := cmp.Diff(map[string]int{"hologram": 1, "system/dance": 1, "record without a type": 1}, tr.Unknown); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(tr.Warnings) > 0 || len(tr.PromptAt(0)) != 1 {
		t.Errorf("warnings %v, prompt %v", tr.Warnings, tr.PromptAt(0))
	}
}

// Threads must not mix: a sub-agent's messages are not in the prompt of the main thread, nor its tokens in the sums.
func TestClaudeThreads(t *testing.T) {
	side := func(s, agent string) string {
		s = strings.Replace(s, `"isSidechain":false`, `"isSidechain":true`, 1)
		if agent != "" {
			s = strings.Replace(s, `"sessionId"`, `"agentId":"`+agent+`","sessionId"`, 1)
		}
		return s
	}
	nested := func(uuid, agent, message string) string {
		return envelope("progress", "p"+uuid, "a1") + `,"data":{"type":"agent_progress","agentId":"` + agent + `","message":` + message + `}}`
	}
	list, err := read(t, claudeCode(), strings.Join([]string{
		user("u", "", "go"), asst("a1", "u", "m1", use("t1")),
		side(user("w", "", "look"), ""), side(asst("w2", "w", "m2", say("seen")), ""),
		side(user("v", "", "check"), "agent7"), side(asst("v2", "v", "m3", say("fine")), "agent7"),
		nested("1", "agent9", `{"type":"user","uuid":"n1","message":{"role":"user","content":"find"}}`),
		nested("2", "agent9", `{"type":"assistant","uuid":"n2","requestId":"r","message":{"id":"m4","model":"claude-haiku-4-5","content":[`+use("n")+`]`+usage(3, 0, 100, 3)+`}}`),
		nested("2", "agent9", `{"type":"assistant","uuid":"n2","requestId":"r","message":{"id":"m4","model":"claude-haiku-4-5","content":[`+use("n")+`]`+usage(3, 0, 100, 3)+`}}`),
		nested("3", "agent9", `{"type":"user","uuid":"n3","message":{"role":"user","content":[`+result("n", "here")+`]}}`),
		results("r", "a1", result("t1", "one")), asst("b", "r", "m5", say("done")),
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	type thread struct {
		Thread string
		Nested bool
		Story  []string
	}
	var got []thread
	for _, tr := range list {
		got = append(got, thread{tr.Thread, tr.Nested, story(tr)})
	}
	want := []thread{
		{"main", false, []string{"0 user/person: text go", "1 assistant/agent: tool_call t1", "2 tool/tool: tool_result t1 one", "3 assistant/agent: text done", "call m1/r-m1 [0]", "call m5/r-m5 [0 1 2]"}},
		{"w", false, []string{"0 user/person: text look", "1 assistant/agent: text seen", "call m2/r-m2 [0]"}},
		{"agent7", false, []string{"0 user/person: text check", "1 assistant/agent: text fine", "call m3/r-m3 [0]"}},
		{"agent9", true, []string{"0 user/person: text find", "1 assistant/agent: tool_call n", "2 tool/tool: tool_result n here", "call m4/r [0]"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A sub-agent's own file is one thread, named after the agent.
func TestClaudeAgentFile(t *testing.T) {
	tr := claude(t,
		strings.Replace(user("v", "", "check"), `"isSidechain":false`, `"isSidechain":true,"agentId":"a5c1"`, 1),
		strings.Replace(asst("v2", "v", "m3", say("fine")), `"isSidechain":false`, `"isSidechain":true,"agentId":"a5c1"`, 1))
	if tr.Thread != "a5c1" || tr.ID != "s1" || tr.Nested || tr.Version != "2.1.30" || tr.Source != "run.jsonl" {
		t.Errorf("thread %q, id %q, nested %v, version %q, source %q", tr.Thread, tr.ID, tr.Nested, tr.Version, tr.Source)
	}
}
