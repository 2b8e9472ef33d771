package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// apiLog reads the lines of a log as transcripts.
func apiLog(t testing.TB, lines ...string) []*transcript.Transcript {
	t.Helper()
	list, err := read(t, anthropicLog(), strings.Join(lines, "\n")+"\n")
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, list)
	return list
}

// apiPair is a request with the system prompt S and its response.
func apiPair(id string, history []string, reply string, input, output int) string {
	return apiLine(`"model":"m","max_tokens":32000,"system":"`+apiSystem+`","messages":[`+strings.Join(history, ",")+`]`, apiReply(id, reply, input, output))
}

// apiSystem is a system prompt of some length, in which a few words may change.
const apiSystem = "You are an agent that works on a house by a river. Keep to the plan, ask before you remove a wall, and write down what you did."

// apiLine is a line of a log.
func apiLine(request, response string) string {
	return `{"request":{"timestamp":1767225600.5,"method":"POST","url":"https://api.anthropic.com/v1/messages?beta=true","headers":{"user-agent":"claude-cli/2.1.50 (external, cli)"},"body":{` +
		request + `}},"response":` + response + `,"logged_at":"2026-01-01T00:00:09Z"}`
}

// apiReply is a response with its blocks.
func apiReply(id, blocks string, input, output int) string {
	return fmt.Sprintf(`{"status_code":200,"headers":{"request-id":"req-%s"},"body":{"type":"message","id":%q,"model":"m-1","stop_reason":"end_turn","usage":{"input_tokens":%d,"output_tokens":%d},"content":[%s]}}`,
		id, id, input, output, blocks)
}

func apiUser(text string) string { return `{"role":"user","content":` + js(text) + `}` }
func apiAsst(blocks ...string) string {
	return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}
func apiBack(blocks ...string) string {
	return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
}
func apiWords(text string) string      { return apiAsst(say(text)) }
func list(messages ...string) []string { return messages }

// foldTest is a log and the story of its threads.
type foldTest struct {
	name  string
	lines []string
	want  [][]string // by thread, without its system prompt
}

// The threads of a log are what every table of it counts: a history that is read twice, or as the wrong change, is a
// prompt of twice the size or a compaction that never was.
func TestFold(t *testing.T) {
	goOn := apiPair("a", list(apiUser("go")), say("one"), 10, 1)
	called := apiPair("a", list(apiUser("go")), use("t")+","+use("u"), 10, 1)
	answered := list(apiUser("go"), apiAsst(use("t"), use("u")), apiBack(result("t", "a long result"), result("u", "another one"), say("<system-reminder>mind the wall</system-reminder>")))
	for _, tt := range []foldTest{
		{
			"next request", []string{goOn, apiPair("b", list(apiUser("go"), apiWords("one"), apiUser("more")), say("two"), 12, 1)},
			[][]string{{"1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text more", "4 assistant/agent: text two", "call a/req-a [0 1]", "call b/req-b [0 1 2 3]"}},
		},
		{
			"results and what stands beside them", []string{called, apiPair("b", answered, say("two"), 12, 1)},
			[][]string{{
				"1 user/person: text go", "2 assistant/agent: tool_call t | tool_call u", "3 tool/tool: tool_result t a long result", "4 tool/tool: tool_result u another one",
				"5 user/injected: text <system-reminder>mind the wall</system-reminder>", "6 assistant/agent: text two", "call a/req-a [0 1]", "call b/req-b [0 1 2 3 4 5]",
			}},
		},
		{
			"request without a response", []string{apiLine(`"model":"m","system":"`+apiSystem+`","messages":[`+apiUser("go")+`]`, "null"), apiPair("b", list(apiUser("go"), apiWords("one"), apiUser("more")), say("two"), 12, 1)},
			[][]string{{"1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text more", "4 assistant/agent: text two", "call  [0 1]", "call b/req-b [0 1 2 3]"}},
		},
		{
			"retry after an error", []string{apiLine(`"model":"m","system":"`+apiSystem+`","messages":[`+apiUser("go")+`]`, `{"status_code":529,"body":{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}}`), goOn},
			[][]string{{"1 user/person: text go", "2 assistant/agent: text one", "call  [0 1]", "call a/req-a [0 1]"}},
		},
		{
			"thinking that is not sent again", []string{apiPair("a", list(apiUser("go")), think("hm")+","+say(" one "), 10, 1), apiPair("b", list(apiUser("go"), apiWords("one"), apiUser("more")), say("two"), 12, 1)},
			[][]string{{"1 user/person: text go", "2 assistant/agent: thinking hm | text  one ", "3 user/person: text more", "4 assistant/agent: text two", "call a/req-a [0 1]", "call b/req-b [0 1 2 3]"}},
		},
		{
			"only response worded anew", []string{goOn, apiPair("b", list(apiUser("go"), apiWords("one, shorter"), apiUser("more")), say("two"), 12, 1)},
			[][]string{{"1 user/person: text go", "2 assistant/agent: text one", "3 assistant/agent: text one, shorter", "4 user/person: text more", "5 assistant/agent: text two", "call a/req-a [0 1]", "rewind -> [0 1]", "call b/req-b [0 1 3 4]"}},
		},
		{
			"back to an earlier message, and on the branch that was left again", []string{
				goOn, apiPair("b", list(apiUser("go"), apiWords("one"), apiUser("left")), say("two"), 12, 1),
				apiPair("c", list(apiUser("go"), apiWords("one"), apiUser("right")), say("three"), 12, 1),
				apiPair("d", list(apiUser("go"), apiWords("one"), apiUser("left"), apiWords("two"), apiUser("on")), say("four"), 14, 1),
			},
			[][]string{{
				"1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text left", "4 assistant/agent: text two", "5 user/person: text right", "6 assistant/agent: text three",
				"7 user/person: text on", "8 assistant/agent: text four",
				"call a/req-a [0 1]", "call b/req-b [0 1 2 3]", "rewind -> [0 1 2]", "call c/req-c [0 1 2 5]", "rewind -> [0 1 2 3 4]", "call d/req-d [0 1 2 3 4 7]",
			}},
		},
		{
			"cleared results", []string{
				called, apiPair("b", answered, say("two"), 40, 1),
				apiPair("c", list(apiUser("go"), apiAsst(use("t"), use("u")), apiBack(result("t", "[gone]"), result("u", "another one"), say("<system-reminder>mind the wall</system-reminder>")), apiWords("two"), apiUser("more")), say("three"), 30, 1),
			},
			[][]string{{
				"1 user/person: text go", "2 assistant/agent: tool_call t | tool_call u", "3 tool/tool: tool_result t a long result", "4 tool/tool: tool_result u another one",
				"5 user/injected: text <system-reminder>mind the wall</system-reminder>", "6 assistant/agent: text two", "7 user/person: text more", "8 assistant/agent: text three",
				"call a/req-a [0 1]", "call b/req-b [0 1 2 3 4 5]", "clear -> [0 1 2 3 4 5 6]", "call c/req-c [0 1 2 3 4 5 6 7]",
			}},
		},
		{
			"turns replaced by a summary", []string{
				goOn, apiPair("b", list(apiUser("go"), apiWords("one"), apiUser("more")), say("two"), 12, 1),
				apiPair("c", list(apiUser("summary: went"), apiUser("more"), apiWords("two"), apiUser("on")), say("three"), 11, 1),
			},
			[][]string{{
				"1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text more", "4 assistant/agent: text two", "5 user/compaction: summary summary: went", "6 user/person: text on", "7 assistant/agent: text three",
				"call a/req-a [0 1]", "call b/req-b [0 1 2 3]", "compact -> [0 5 3 4]", "call c/req-c [0 5 3 4 6]",
			}},
		},
		{
			"whole history replaced by a summary", []string{
				goOn, apiPair("s", list(apiUser("go"), apiWords("one"), apiUser(asksForSummary+"it all.")), say("Went."), 12, 9),
				apiPair("b", list(apiUser(hasSummary+": Went."), apiUser("more")), say("two"), 8, 1),
			},
			[][]string{{
				"1 user/person: text go", "2 assistant/agent: text one", "3 user/compaction: summary " + hasSummary + ": Went.", "4 user/person: text more", "5 assistant/agent: text two",
				"call a/req-a [0 1]", "call s/req-s [0 1 2]", "compact -> [0 3]", "call b/req-b [0 3 4]",
			}},
		},
		{
			"two runs of one task", []string{goOn, apiPair("b", list(apiUser("go")), say("other"), 10, 1), apiPair("c", list(apiUser("go"), apiWords("one"), apiUser("more")), say("two"), 12, 1)},
			[][]string{
				{"1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text more", "4 assistant/agent: text two", "call a/req-a [0 1]", "call c/req-c [0 1 2 3]"},
				{"1 user/person: text go", "2 assistant/agent: text other", "call b/req-b [0 1]"},
			},
		},
		{
			"result without a call, in every request", []string{
				apiPair("a", list(apiUser("go"), apiBack(result("x", "lost"))), say("one"), 10, 1),
				apiPair("b", list(apiUser("go"), apiBack(result("x", "lost")), apiWords("one"), apiUser("more")), say("two"), 12, 1),
			},
			[][]string{{"1 user/person: text go", "2 tool/tool (not sent): tool_result x lost", "3 assistant/agent: text one", "4 user/person: text more", "5 assistant/agent: text two", "call a/req-a [0 1]", "call b/req-b [0 1 3 4]"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, apiLog(t, tt.lines...)) })
	}
}

// run compares the threads.
func (tt *foldTest) run(t *testing.T, threads []*transcript.Transcript) {
	var got [][]string
	for _, tr := range threads {
		var lines []string
		for _, line := range story(tr) {
			if line != "0 system/injected: text "+apiSystem {
				lines = append(lines, line)
			}
		}
		got = append(got, lines)
	}
	if diff := cmp.Diff(tt.want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Titles, topics and counts of tokens are no turns of the run: taken for turns they break every prompt after them.
func TestFoldSideCalls(t *testing.T) {
	title := apiLine(`"model":"small","max_tokens":32000,"system":"Find a short title.","messages":[`+apiUser("go")+`]`, apiReply("t", say("House"), 5, 1))
	topic := apiLine(`"model":"small","max_tokens":512,"system":"`+apiSystem+`","messages":[`+apiUser("new topic?")+`]`, apiReply("u", say("no"), 6, 1))
	count := strings.Replace(apiLine(`"model":"m","messages":[`+apiUser("go")+`]`, `{"status_code":200,"body":{"input_tokens":99}}`), "/v1/messages", "/v1/messages/count_tokens", 1)
	threads := apiLog(t, title, apiPair("a", list(apiUser("go")), say("one"), 10, 1), topic, count,
		apiPair("b", list(apiUser("go"), apiWords("one"), apiUser("more")), say("two"), 12, 1))
	if len(threads) != 1 {
		t.Fatalf("%d threads, want 1", len(threads))
	}
	type call struct {
		Line, At int
		Kind     transcript.CallKind
		Prompt   transcript.Recorded
	}
	var got []call
	for _, c := range threads[0].Calls {
		got = append(got, call{c.Line, c.At, c.Kind, c.Usage.Prompt.N})
	}
	want := []call{{1, 0, transcript.Side, 5}, {2, 2, transcript.Main, 10}, {3, 3, transcript.Side, 6}, {4, 3, transcript.Side, 0}, {5, 4, transcript.Main, 12}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A sub-agent works with another system prompt, turn by turn: it is a thread, not a side call.
func TestFoldSubAgent(t *testing.T) {
	sub := func(id string, history []string, reply string) string {
		return strings.Replace(apiPair(id, history, reply, 7, 1), apiSystem, "Look for leaks.", 1)
	}
	threads := apiLog(t, apiPair("a", list(apiUser("go")), use("t"), 10, 1),
		sub("s1", list(apiUser("leaks?")), use("x")), sub("s2", list(apiUser("leaks?"), apiAsst(use("x")), apiBack(result("x", "dry"))), say("none")),
		apiPair("b", list(apiUser("go"), apiAsst(use("t")), apiBack(result("t", "none"))), say("two"), 12, 1),
		apiPair("c", list(apiUser("go"), apiAsst(use("t")), apiBack(result("t", "none")), apiWords("two"), apiUser("on")), say("three"), 14, 1))
	if len(threads) != 2 || threads[0].Thread != "main" || threads[1].Thread != "line-2" || len(threads[0].Calls) != 3 || len(threads[1].Calls) != 2 {
		t.Errorf("threads %v, want main with 3 calls and line-2 with 2", threads)
	}
}

// The date in a system prompt changes every day; another set of tools changes every size in it.
func TestFoldSystemPrompt(t *testing.T) {
	more := list(apiUser("go"), apiWords("one"), apiUser("more"))
	for _, tt := range []struct {
		name, system string
		changes      int
	}{
		{"a word changes", strings.Replace(apiSystem, "river", "lake", 1), 0},
		{"most of it changes", "You are an agent that paints.", 1},
	} {
		second := strings.Replace(apiPair("b", more, say("two"), 12, 1), apiSystem, tt.system, 1)
		tr := apiLog(t, apiPair("a", list(apiUser("go")), say("one"), 10, 1), second)[0]
		if len(tr.Changes) != tt.changes {
			t.Errorf("%s: changes %v, want %d", tt.name, tr.Changes, tt.changes)
			continue
		}
		if first := tr.Messages[tr.PromptAt(1)[0]].Parts[0].Text; tt.changes > 0 && first != tt.system {
			t.Errorf("%s: the second prompt begins with %q", tt.name, first)
		}
	}
}

// The system prompt and the tools are most of a first prompt: where the log has them, nothing of it is hidden.
func TestAnthropicHead(t *testing.T) {
	line := apiLine(`"model":"m","max_tokens":9000,"metadata":{"user_id":"user_ab_account__session_s-1"},"system":[{"type":"text","text":"Build.","cache_control":{"type":"ephemeral"}}],"tools":[{"name":"Read","input_schema":{"type":"object"}},{"name":"Run"}],"messages":[`+
		`{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+onePixel+`"}},{"type":"text","text":"go"}]}]`, apiReply("a", say("one"), 10, 1))
	tr := apiLog(t, line)[0]
	want := []string{
		"0 system/injected: text Build.", `1 system/injected: text {"name":"Read","input_schema":{"type":"object"}} | text {"name":"Run"}`,
		"2 user/person: image | text go", "3 assistant/agent: text one", "call a/req-a [0 1 2]",
	}
	if diff := cmp.Diff(want, story(tr)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if m := tr.Messages[2].Parts[0].Media; m.Width != 1 || m.Height != 1 {
		t.Errorf("picture of %dx%d, want 1x1", m.Width, m.Height)
	}
	if tr.ID != "s-1" || tr.Agent != "claude-code" || tr.Version != "2.1.50" || tr.Calls[0].Version != "2.1.50" || tr.Calls[0].Model != "m-1" {
		t.Errorf("id %q, agent %q %q, model %q", tr.ID, tr.Agent, tr.Version, tr.Calls[0].Model)
	}
}

// onePixel is a PNG file of a single pixel.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// Most responses are streamed; one that is not put together again is a reply of unknown size and text.
func TestAnthropicStream(t *testing.T) {
	events := []string{
		`{"type":"message_start","message":{"id":"a","model":"m-1","usage":{"input_tokens":3,"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"h"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"m"}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"12345678"}}`,
		`{"type":"ping"}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"Read","input":{}}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"file_"}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"path\":\"/a\"}"}}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"input_tokens":0,"output_tokens":42}}`,
	}
	text := ""
	for _, e := range events {
		text += "event: x\ndata: " + e + "\n\n"
	}
	request := `"model":"m","messages":[` + apiUser("go") + `]`
	for name, response := range map[string]string{
		"text of events":   `{"status_code":200,"body_raw":` + js(text) + `}`,
		"list of events":   `{"status_code":200,"events":[` + strings.Join(events, ",") + `]}`,
		"events with data": `{"status_code":200,"events":[{"event":"x","data":` + strings.Join(events, `},{"event":"x","data":`) + `}]}`,
	} {
		tr := apiLog(t, apiLine(request, response))[0]
		want := []string{"0 user/person: text go", "1 assistant/agent: thinking hm | tool_call t", "call a [0]"}
		if diff := cmp.Diff(want, story(tr)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		c := tr.Calls[0]
		if c.Usage.Prompt != transcript.Of(123) || c.Usage.CacheRead != transcript.Of(100) || c.Usage.Output != transcript.Of(42) || !c.Stopped || c.Model != "m-1" {
			t.Errorf("%s: call %+v", name, c)
		}
		if p := tr.Messages[1].Parts; p[0].Opaque != 8 || p[1].Text != `{"file_path":"/a"}` || p[1].Subject != "/a" {
			t.Errorf("%s: parts %+v", name, p)
		}
	}
	cut := text[:strings.Index(text, "path\\\"")] // in the middle of the input
	tr := apiLog(t, apiLine(request, `{"status_code":200,"body_raw":`+js(cut)+`}`))[0]
	if p := tr.Messages[1].Parts[1]; p.Text != `"{\"file_"` || tr.Calls[0].Usage.Output.From != transcript.Partial {
		t.Errorf("cut off: part %+v, output %v", p, tr.Calls[0].Usage.Output)
	}
	failed := strings.Replace(text, events[9], `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, 1)
	tr = apiLog(t, apiLine(request, `{"status_code":200,"body_raw":`+js(failed)+`}`))[0]
	if c := tr.Calls[0]; c.Err != "Overloaded" || c.Overflow || c.Reply.Len() > 0 {
		t.Errorf("failed: call %+v", c)
	}
}

// Logs are shared. A key that gets from a header or an error into a transcript is published with it.
func TestCredentialsStayOut(t *testing.T) {
	const secret = "sk-ant-api03-Zm9vYmFyYmF6cXV4"
	line := `{"request":{"timestamp":1767225600,"url":"https://api.anthropic.com/v1/messages?api_key=` + secret + `","headers":{"x-api-key":"` + secret + `","authorization":"Bearer ` + secret + `","cookie":"session=` + secret + `","user-agent":"tool ` + secret + `"},` +
		`"body":{"model":"m","metadata":{"user_id":"user_` + secret + `"},"messages":[` + apiUser("go") + `]}},"response":{"status_code":401,"headers":{"set-cookie":"` + secret + `","x-api-key":"` + secret + `"},` +
		`"body":{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key: ` + secret + `, cookie=` + secret + ` (Bearer ` + secret + `)"}}}}`
	chat := `{"headers":{"authorization":"` + secret + `"},"api_key":"` + secret + `","request":{"messages":[{"role":"user","content":"go"}],"api_key":"` + secret + `"},"response":{"error":{"message":"Incorrect API key provided: ` + secret + `"}}}`
	torn := strings.Replace(line, `"body":{"model"`, `"body":{"model`, 1)
	for _, tt := range []struct {
		f    Format
		data string
	}{{anthropicLog(), line + "\n" + torn}, {openAIChat(), chat + "\n" + torn}, {anthropicLog(), torn}, {openAIChat(), torn}} {
		list, err := read(t, tt.f, tt.data)
		text := fmt.Sprint(err)
		for _, tr := range list {
			if len(tr.Calls) == 0 || tr.Calls[0].Err == "" {
				t.Errorf("%s: no failed call", tt.f.Name)
			}
		}
		text += write(t, list...)
		if strings.Contains(text, "Zm9vYmFy") {
			t.Errorf("%s: a credential got out:\n%s", tt.f.Name, text)
		}
	}
}

// A proxy that logs requests and responses on lines of their own leaves out the tools, and in its short form the
// messages: what is missing must be said, and the counts must stay.
func TestProxyLog(t *testing.T) {
	request := func(total, messages int, more string) string {
		return fmt.Sprintf(`{"type":"request","timestamp":"2026-01-01T00:00:00Z","model":"m","max_tokens":9000,"system":{"system_prompt_bytes":40},"messages":{"messages_total_bytes":%d},"total_request_bytes":%d,"system_prompt_full":[{"type":"text","text":"Build."}]%s}`, messages, total, more)
	}
	response := func(input, output int) string {
		return fmt.Sprintf(`{"type":"response_stream","timestamp":"2026-01-01T00:00:03Z","status_code":200,"usage":{"input_tokens":%d,"output_tokens":%d}}`, input, output)
	}
	t.Run("whole messages", func(t *testing.T) {
		tr := apiLog(t, request(300, 60, `,"messages_full":[`+apiUser("go")+`]`), response(10, 4),
			request(340, 100, `,"messages_full":[`+apiUser("go")+","+apiWords("one")+","+apiUser("more")+`]`), response(12, 5), response(1, 1))[0]
		want := []string{"0 system/injected: text Build.", "1 user/person: text go", "2 assistant/agent: text one", "3 user/person: text more", "call 20260101T000000.000000/10/4 [0 1]", "call 20260101T000000.000000/12/5 [0 1 2 3]"}
		if diff := cmp.Diff(want, story(tr)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"1: about 200 bytes of each request are not in the log: the schemas of the tools, as a rule", "5: a response without a request before it was skipped"}, messages(tr)); diff != "" {
			t.Errorf("warnings (-want +got):\n%s", diff)
		}
		if c := tr.Calls[0]; c.Reply != (transcript.Span{From: 2, To: 3}) || c.Usage.Output != transcript.Of(4) || !c.Stopped {
			t.Errorf("first call %+v", c)
		}
	})
	t.Run("sizes alone", func(t *testing.T) {
		threads := apiLog(t, request(100, 60, ""), response(10, 4), request(140, 100, ""), response(12, 5), request(90, 50, ""), `{"type":"token_cap"}`, `{"type":"proxy_error","error":"no route"}`)
		tr := threads[0]
		var sizes []int
		for _, m := range tr.PromptAt(1) {
			sizes = append(sizes, tr.Messages[m].Parts[0].Opaque)
		}
		if diff := cmp.Diff([]int{0, 60, 40}, sizes); diff != "" {
			t.Errorf("bytes in the second prompt (-want +got):\n%s", diff)
		}
		if len(threads) != 2 || len(tr.Calls) != 2 { // smaller messages are another conversation
			t.Fatalf("threads %v", threads)
		}
		if c := threads[1].Calls[0]; c.Err != "no route" || c.Usage.Prompt.Known() {
			t.Errorf("failed call %+v", c)
		}
	})
}

// Whatever a log holds, the reader gives what it can and a sentence about the rest.
func TestAnthropicDamage(t *testing.T) {
	whole := apiPair("a", list(apiUser("go")), say("one"), 10, 1)
	for _, tt := range []struct {
		name, data, want string
		threads          int
	}{
		{"torn line", whole[:200] + "\n" + whole, "1: a record that is cut off was skipped", 1},
		{"only a torn line", whole[:200], "no request could be read; line 1: a record that is cut off was skipped", 0},
		{"something else", `{"a":1}`, errNoAnthropic.Error(), 0},
		{"nothing", "", "", 0},
		{"wrong types", strings.Join([]string{
			whole,
			apiLine(`"model":[],"max_tokens":{},"system":{},"tools":7,"metadata":"x","messages":[7,{"role":[]},{"role":"user","content":{}},{"role":"assistant","content":[{"type":"tool_use"}]},{"role":"user","content":[{"type":"tool_result"}]}]`, `{"status_code":"x","headers":7,"body":{"content":[7],"usage":{"input_tokens":"9"},"id":[],"error":null}}`),
			apiLine(`"messages":[]`, `{"body":{"error":7}}`), apiLine(`"messages":[]`, `{"events":[7,{"type":"content_block_start","index":9},{"type":"content_block_delta","index":-1},{"type":"message_start","message":[]}]}`),
			`{"type":"request","total_request_bytes":"x","messages_full":{},"system_prompt_full":7}`, `{"type":"response","usage":7,"status_code":[]}`, `{"type":"response_stream","usage":{}}`,
		}, "\n"), "2: a token count that is no number, or negative, was taken as not recorded", -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := read(t, anthropicLog(), tt.data)
			var got string
			if err != nil {
				got = err.Error()
			} else if len(list) > 0 {
				got = strings.Join(messages(list[0]), "\n")
			}
			if tt.threads >= 0 && len(list) != tt.threads || !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("%d threads, %q, want %q", len(list), got, tt.want)
			}
			roundTrip(t, list)
		})
	}
}

func FuzzAnthropicLog(f *testing.F) {
	fuzzReader(f, anthropicLog(),
		strings.Join([]string{
			apiPair("a", list(apiUser("go")), use("t"), 10, 1), apiPair("b", list(apiUser("go"), apiAsst(use("t")), apiBack(result("t", "long"), say("x"))), say("two"), 40, 1),
			apiPair("c", list(apiUser("go"), apiAsst(use("t")), apiBack(result("t", "s"), say("x")), apiWords("two"), apiUser("m")), say("three"), 30, 1),
			apiPair("d", list(apiUser("s"), apiWords("two"), apiUser("m")), say("four"), 30, 1),
		}, "\n"),
		apiLine(`"messages":[`+apiUser("go")+`]`, `{"body_raw":"data: {\"type\":\"message_start\"}\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\"}}"}`),
		`{"type":"request","total_request_bytes":9,"messages":{"messages_total_bytes":5}}`+"\n"+`{"type":"response","usage":{"input_tokens":5}}`,
	)
}
