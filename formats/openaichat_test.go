package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// chats reads a file of chat messages.
func chats(t testing.TB, data string) []*transcript.Transcript {
	t.Helper()
	list, err := read(t, openAIChat(), data)
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, list)
	return list
}

// ocMessage is a message with a text.
func ocMessage(role, text string) string { return `{"role":"` + role + `","content":` + js(text) + `}` }

// ocCalls is a response with calls and no text.
func ocCalls(ids ...string) string {
	var calls []string
	for _, id := range ids {
		calls = append(calls, `{"id":"`+id+`","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"/a/`+id+`\"}"}}`)
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(calls, ",") + `]}`
}

func ocResult(id, text string) string {
	return `{"role":"tool","tool_call_id":"` + id + `","content":` + js(text) + `}`
}

// ocTalk is a conversation.
func ocTalk(messages ...string) string { return `{"messages":[` + strings.Join(messages, ",") + `]}` }

// ocPair is a request and its response as one line of a log.
func ocPair(id, reply string, prompt int, messages ...string) string {
	return fmt.Sprintf(`{"timestamp":1767225600,"request":{"model":"m","messages":[%s]},"response":{"id":%q,"model":"m-1","choices":[{"finish_reason":"stop","message":%s}],"usage":{"prompt_tokens":%d,"completion_tokens":2}}}`,
		strings.Join(messages, ","), id, reply, prompt)
}

// The same conversation is the same transcript, however it was kept.
func TestChatShapes(t *testing.T) {
	sys, go1, calls, x, y, ok := ocMessage("system", "Build."), ocMessage("user", "go"), ocCalls("t", "u"), ocResult("t", "x"), ocResult("u", "y"), ocMessage("assistant", "ok")
	all := []string{sys, go1, calls, x, y, ok}
	want := []string{
		"0 system/injected: text Build.", "1 user/person: text go", "2 assistant/agent: tool_call t | tool_call u", "3 tool/tool: tool_result t x", "4 tool/tool: tool_result u y", "5 assistant/agent: text ok",
		"call  [0 1]", "call  [0 1 2 3 4]",
	}
	for name, data := range map[string]string{
		"one message a line":                  strings.Join(all, "\n"),
		"array of messages":                   "[\n" + strings.Join(all, ",\n") + "\n]",
		"array of messages on one line":       "[" + strings.Join(all, ",") + "]",
		"one conversation":                    ocTalk(all...),
		"object over several lines":           "{\n\"model\": \"m\",\n\"messages\": [\n" + strings.Join(all, ",\n") + "]\n}",
		"snapshots of a growing history":      ocTalk(sys, go1) + "\n" + ocTalk(sys, go1, calls, x, y) + "\n" + ocTalk(all...) + "\n" + ocTalk(all...),
		"results of tau-bench":                `[{"task_id":3,"trial":1,"reward":0.5,"traj":[` + strings.Join(all, ",") + `]}]`,
		"result that comes late":              ocTalk(sys, go1, calls, x, ocMessage("assistant", "ok"), y),
		"result without an id":                strings.ReplaceAll(ocTalk(all...), `"tool_call_id":"t",`, ""),
		"message before the results":          strings.Join([]string{sys, go1, calls, y, x, ok}, "\n"),
		"fields that nobody here knows":       strings.ReplaceAll(ocTalk(all...), `"role":"user"`, `"weight":1,"name":"b","role":"user"`),
		"several records and a torn last one": strings.Join(all, "\n") + "\n" + ok[:20],
	} {
		want := want
		switch name {
		case "one conversation", "object over several lines", "snapshots of a growing history":
		case "message before the results":
			want = append(append([]string{}, want[:3]...), "3 tool/tool: tool_result u y", "4 tool/tool: tool_result t x", want[5], want[6], want[7])
		}
		list := chats(t, data)
		if len(list) != 1 {
			t.Errorf("%s: %d transcripts, want 1", name, len(list))
			continue
		}
		got := story(list[0])
		for i := range got {
			got[i] = strings.Replace(got[i], "call m", "call ", 1)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Training data are conversations that begin alike and have nothing to do with each other.
func TestChatConversations(t *testing.T) {
	sys, hi := ocMessage("system", "Build."), ocMessage("user", "hi")
	list := chats(t, ocTalk(sys, hi, ocMessage("assistant", "one"))+"\n"+ocTalk(sys, hi, ocMessage("assistant", "two"))+"\n"+ocTalk(sys, hi, ocMessage("assistant", "one"), ocMessage("user", "more"), ocMessage("assistant", "three")))
	var got []string
	for _, tr := range list {
		got = append(got, fmt.Sprint(tr.Thread, " ", len(tr.Messages), " ", len(tr.Calls)))
	}
	if diff := cmp.Diff([]string{"main 5 2", "line-2 3 1"}, got); diff != "" {
		t.Errorf("threads (-want +got):\n%s", diff)
	}
	runs := chats(t, `[{"task_id":1,"trial":0,"traj":[`+hi+`,`+ocMessage("assistant", "a")+`]},{"task_id":1,"trial":1,"traj":[`+hi+`,`+ocMessage("assistant", "a")+`]}]`)
	if len(runs) != 2 || runs[0].Thread != "main" || runs[1].Thread != "item-2" || runs[1].ID != "task 1 trial 1" {
		t.Errorf("runs %v, want two that are apart though they say the same", runs)
	}
}

// A log repeats the history of a run in every request: counted as it stands, a run of 100 calls has 5,000 messages.
func TestChatLog(t *testing.T) {
	sys, hi, one := ocMessage("system", apiSystem), ocMessage("user", "go"), ocMessage("assistant", "one")
	for _, tt := range []foldTest{
		{
			"next request", []string{ocPair("a", ocCalls("t"), 10, sys, hi), ocPair("b", one, 20, sys, hi, ocCalls("t"), ocResult("t", "x"))},
			[][]string{{"1 user/person: text go", "2 assistant/agent: tool_call t", "3 tool/tool: tool_result t x", "4 assistant/agent: text one", "call a [0 1]", "call b [0 1 2 3]"}},
		},
		{
			"calls without ids, as of 2023", []string{
				ocPair("a", `{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}}`, 10, sys, hi),
				ocPair("b", one, 20, sys, hi, `{"role":"assistant","content":null,"function_call":{"name":"ls","arguments":"{}"}}`, `{"role":"function","name":"ls","content":"x"}`),
			},
			[][]string{{"1 user/person: text go", "2 assistant/agent: tool_call line-3-0", "3 tool/tool: tool_result line-3-0 x", "4 assistant/agent: text one", "call a [0 1]", "call b [0 1 2 3]"}},
		},
		{
			"thinking that is not sent again", []string{ocPair("a", `{"role":"assistant","content":"one","reasoning_content":"hm"}`, 10, sys, hi), ocPair("b", ocMessage("assistant", "two"), 20, sys, hi, one, ocMessage("user", "more"))},
			[][]string{{"1 user/person: text go", "2 assistant/agent: thinking hm | text one", "3 user/person: text more", "4 assistant/agent: text two", "call a [0 1]", "call b [0 1 2 3]"}},
		},
		{
			"back to the first response", []string{ocPair("a", one, 10, sys, hi), ocPair("b", ocMessage("assistant", "two"), 20, sys, hi, one, ocMessage("user", "left")), ocPair("c", ocMessage("assistant", "three"), 20, sys, hi, one, ocMessage("user", "right"))},
			[][]string{{
				"1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text left", "4 assistant/agent: text two", "5 user/person: text right", "6 assistant/agent: text three",
				"call a [0 1]", "call b [0 1 2 3]", "rewind -> [0 1 2]", "call c [0 1 2 5]",
			}},
		},
		{
			"bodies as texts, without a response", []string{`{"request_body":` + js(ocTalk(sys, hi)) + `,"response_body":"gone"}`, ocPair("b", ocMessage("assistant", "two"), 20, sys, hi, one, ocMessage("user", "more"))},
			[][]string{{"1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text more", "4 assistant/agent: text two", "call  [0 1]", "call b [0 1 2 3]"}},
		},
		{
			"request that is the entry itself", []string{`{"model":"m","messages":[` + sys + `,` + hi + `],"response":{"id":"a","choices":[{"message":` + one + `}]}}`},
			[][]string{{"1 user/person: text go", "2 assistant/agent: text one", "call a [0 1]"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, chats(t, strings.Join(tt.lines, "\n"))) })
	}
}

// What is known of a call beside its messages.
func TestChatCalls(t *testing.T) {
	of := transcript.Of
	request := `"request":{"model":"m","tools":[{"type":"function","function":{"name":"ls"}}],"messages":[` + ocMessage("user", "go") + `]}`
	for _, tt := range []struct {
		name, response string
		usage          transcript.Usage
		err            string
		overflow       bool
		limit          int
	}{
		{"cached inside the prompt", `{"usage":{"prompt_tokens":100,"completion_tokens":9,"total_tokens":109,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens_details":{"reasoning_tokens":4}}}`, transcript.Usage{Prompt: of(100), CacheRead: of(60), Output: of(9), Reasoning: of(4)}, "", false, 0},
		{"names of DeepSeek", `{"usage":{"prompt_tokens":100,"completion_tokens":9,"prompt_cache_hit_tokens":60,"completion_tokens_details":null}}`, transcript.Usage{Prompt: of(100), CacheRead: of(60), Output: of(9)}, "", false, 0},
		{"cache writes outside the prompt", `{"usage":{"prompt_tokens":6559,"completion_tokens":9,"cache_read_input_tokens":6553,"cache_creation_input_tokens":210}}`, transcript.Usage{Prompt: of(6769), CacheRead: of(6553), CacheWrite: of(210), Output: of(9)}, "", false, 0},
		{"cache writes inside the prompt", `{"usage":{"prompt_tokens":7000,"completion_tokens":9,"cache_read_input_tokens":6553,"cache_creation_input_tokens":210}}`, transcript.Usage{Prompt: of(7000), CacheRead: of(6553), CacheWrite: of(210), Output: of(9)}, "", false, 0},
		{"zeros", `{"usage":{"prompt_tokens":0,"completion_tokens":0}}`, transcript.Usage{}, "", false, 0},
		{"no number", `{"usage":{"prompt_tokens":"100"}}`, transcript.Usage{}, "", false, 0},
		{"overflow", `{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}`, transcript.Usage{}, "This model's maximum context length is 8192 tokens.", true, 8192},
		{"too many requests", `{"error":{"message":"Rate limit reached","type":"tokens"}}`, transcript.Usage{}, "Rate limit reached", false, 0},
		{"error without a text", `{"error":{}}`, transcript.Usage{}, "an error without a text", false, 0},
	} {
		tr := chats(t, `{`+request+`,"response":`+tt.response+`}`)[0]
		c := tr.Calls[0]
		if diff := cmp.Diff(tt.usage, c.Usage); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if c.Err != tt.err || c.Overflow != tt.overflow || c.Limit.Tokens != tt.limit || c.Model != "m" || tr.Messages[0].Role != transcript.System {
			t.Errorf("%s: call %+v", tt.name, c)
		}
	}
}

// Pictures, files and sounds are recorded as text and are none: a screenshot counted as text is 200,000 tokens.
func TestChatParts(t *testing.T) {
	content := `[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + onePixel + `"}},{"type":"image_url","image_url":{"url":"https://x/y.png"}},` +
		`{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}},{"type":"file","file":{"file_id":"f-1"}},{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},{"type":"hologram"}]`
	tr := chats(t, ocTalk(`{"role":"developer","content":"Build."}`, `{"role":"user","content":`+content+`}`, `{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`, `{"role":"narrator","content":"meanwhile"}`))[0]
	want := []transcript.Part{
		{Kind: transcript.Text, Text: "look"},
		{Kind: transcript.Image, Media: transcript.Media{Mime: "image/png", Width: 1, Height: 1, Bytes: 70, Data: onePixel}},
		{Kind: transcript.Image, Text: "https://x/y.png"},
		{Kind: transcript.Document, Media: transcript.Media{Mime: "application/pdf", Bytes: 3, Data: "AAAA"}},
		{Kind: transcript.Document, Text: "f-1"},
		{Kind: transcript.Opaque, Opaque: 4},
		{Kind: transcript.Opaque, Opaque: len(`{"type":"hologram"}`)},
	}
	if diff := cmp.Diff(want, tr.Messages[1].Parts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if tr.Messages[0].Role != transcript.System || tr.Messages[2].Parts[0].Text != "no" || !tr.Messages[3].NotSent || tr.Unknown["role/narrator"] != 1 {
		t.Errorf("messages %v, unknown %v", story(tr), tr.Unknown)
	}
}

// Whatever a file holds, the reader gives what it can and a sentence about the rest.
func TestChatDamage(t *testing.T) {
	deep := `{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"f","arguments":` + js(`{"a":`+strings.Repeat("[", 1<<20)) + `}}]}`
	for _, tt := range []struct{ name, data, want string }{
		{"array that is cut off", "[" + ocMessage("user", "go") + ",\n" + ocMessage("assistant", "ok")[:20], "2: the file ends in the middle; it was read up to the last whole element"},
		{"document that is no JSON", "[" + ocMessage("user", "go") + ",]", "it is not valid JSON from line 1 on: invalid character ']' looking for beginning of value"},
		{"values of other kinds", `[1,"x",{"a":1}]`, errNoChat.Error()},
		{"lines of other kinds", `{"a":1}`, errNoChat.Error()},
		{"only a torn line", `{"role":"user","content":"g`, "no message could be read; line 1: a record that is cut off was skipped"},
		{"first line torn", "{\"role\":\"user\",\"cont\n" + ocMessage("user", "go"), "1: a record that is cut off was skipped"},
		{"nothing", "", ""},
		{"deep input of a call", deep, ""},
		{"one id for two calls", ocCalls("t", "t") + "\n" + ocResult("t", "x") + "\n" + ocResult("", "y"), "3: " + uncalledFor},
		{"results of nothing", ocResult("t", "x") + "\n" + ocMessage("user", "go"), "1: " + uncalledFor},
		{"wrong types", strings.Join([]string{
			`{"role":"user","content":{"a":1}}`, `{"role":"assistant","content":7,"tool_calls":[7,{"id":[],"function":7},{}],"function_call":7}`, `{"role":"tool","content":[null,{}],"tool_call_id":{}}`,
			`{"role":7}`, `{"messages":[7,null,{}]}`, `{"request":{"messages":[[]]},"response":{"usage":7,"choices":[{"message":7}]}}`, `{"traj":[7]}`, `{"messages":[],"response":{"choices":[]}}`, `{"request":"{","response":"["}`,
		}, "\n"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := read(t, openAIChat(), tt.data)
			got := ""
			if err != nil {
				got = err.Error()
			} else if len(list) > 0 {
				got = strings.Join(messages(list[0]), "\n")
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			roundTrip(t, list)
		})
	}
}

// Formats that have roles too must not be taken for chats, nor chats for them.
func TestChatDetect(t *testing.T) {
	for _, tt := range []struct{ name, file, head, want string }{
		{"conversations", "a.jsonl", ocTalk(ocMessage("user", "go")), "openai-chat"},
		{"messages", "a.jsonl", ocMessage("user", "go"), "openai-chat"},
		{"log whose line is cut", "a.jsonl", ocPair("a", ocMessage("assistant", "ok"), 10, ocMessage("user", strings.Repeat("go ", 99)))[:120], "openai-chat"},
		{"array", "a.json", "[\n  " + ocMessage("system", "x"), "openai-chat"},
		{"tau-bench", "a.json", "[\n  {\"task_id\": 0, \"traj\": [" + ocMessage("system", "x"), "openai-chat"},
		{"blocks of Anthropic", "a.json", `[{"role":"assistant","content":[{"type":"tool_use"}]}]`, ""},
		{"contents of Gemini", "a.json", `[{"role":"user","parts":[{"text":"x"}]}]`, ""},
		{"history of an editor's agent", "a.json", `[{"role":"user","content":[{"type":"text","text":"x"}],"ts":1}]`, ""},
		{"trajectory of mini-swe-agent", "a.json", "{\n \"info\": {\"mini_version\":\"2.1\"},\n \"messages\": [", "mini-swe-agent"},
		{"oldest trajectory of mini-swe-agent", "a.traj.json", "[" + ocMessage("system", "x") + "]", "mini-swe-agent"},
		{"trajectory of 2024", "a.traj", `{"environment":"e","trajectory":[],"history":[],"info":{"model_stats":{"api_calls":3}}}`, ""},
		{"session of pi", "a.jsonl", piHead(3), "pi"},
		{"session of pi without its header", "a.jsonl", piResult("r", "a", "t", "x"), "pi"},
		{"log of the Messages API", "a.jsonl", apiPair("a", list(apiUser("go")), say("one"), 1, 1)[:200], "anthropic-log"},
		{"log without addresses", "a.jsonl", `{"request":{"model":"m","messages":[` + apiUser("go") + `]},"response":{"type":"message","content":[]}}`, "anthropic-log"},
		{"log of a proxy", "a.jsonl", `{"type":"request","timestamp":"2026-01-01T00:00:00Z","messages":{"message_count":1}}`, "anthropic-log"},
	} {
		if f, _ := Detect([]byte(tt.head), tt.file); f.Name != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, f.Name, tt.want)
		}
	}
}

func FuzzOpenAIChat(f *testing.F) {
	fuzzReader(f, openAIChat(),
		ocMessage("user", "go")+"\n"+ocCalls("t", "t", "")+"\n"+ocResult("", "x")+"\n"+ocResult("t", "y")+"\n"+ocResult("t", "z"),
		ocPair("a", ocCalls("t"), 10, ocMessage("user", "go"))+"\n"+ocPair("b", ocMessage("assistant", "one"), 20, ocMessage("user", "go"), ocCalls("t"), ocResult("t", "xyz"))+"\n"+
			ocPair("c", ocMessage("assistant", "two"), 20, ocMessage("user", "go"), ocCalls("t"), ocResult("t", "x"), ocMessage("assistant", "one"), ocMessage("user", "more"))+"\n"+
			ocPair("d", ocMessage("assistant", "two"), 20, ocMessage("user", "s"), ocMessage("assistant", "one"), ocMessage("user", "more")),
		"[\n"+ocMessage("user", "go")+",\n"+ocMessage("assistant", "ok")+"\n]",
		`[{"traj":[`+ocMessage("user", "go")+`]},{"messages":[`+ocMessage("user", "go")+`,`+ocMessage("assistant", "a")+`]},{"messages":[`+ocMessage("user", "go")+`,`+ocMessage("assistant", "b")+`]}]`,
	)
}
