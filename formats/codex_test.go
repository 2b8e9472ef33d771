package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// rollout reads a Codex session of these records.
func rollout(t testing.TB, lines ...string) *transcript.Transcript {
	t.Helper()
	return readOne(t, codex(), strings.Join(lines, "\n")+"\n")
}

// record of a rollout: its type and its payload.
func cx(kind, payload string) string {
	return `{"timestamp":"2026-03-01T10:00:00Z","type":"` + kind + `","payload":` + payload + `}`
}

func cxMeta(fields ...string) string {
	return cx("session_meta", `{"id":"s1","cli_version":"0.144.0"`+extra(fields)+`}`)
}
func cxTurn(id string) string {
	return cx("turn_context", `{"turn_id":"`+id+`","model":"gpt-5.5"}`)
}
func cxItem(payload string) string  { return cx("response_item", payload) }
func cxEvent(payload string) string { return cx("event_msg", payload) }
func cxStart(turn string) string {
	return cxEvent(`{"type":"task_started","turn_id":"` + turn + `","model_context_window":258400}`)
}
func cxDone() string { return cxEvent(`{"type":"task_complete"}`) }
func cxMessage(role, text string) string {
	return cxItem(`{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":` + js(text) + `}]}`)
}
func cxThink() string {
	return cxItem(`{"type":"reasoning","summary":[],"encrypted_content":"abcdefgh"}`)
}
func cxCall(id string) string {
	return cxItem(`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls ` + id + `\"]}","call_id":"` + id + `"}`)
}
func cxOut(id, text string) string {
	return cxItem(`{"type":"function_call_output","call_id":"` + id + `","output":` + js(text) + `}`)
}

// cxTokens is a token_count: the running sum of input, then the last call.
func cxTokens(total, input, cached, output, reasoning int) string {
	return cxEvent(fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"output_tokens":1,"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d,"reasoning_output_tokens":%d,"total_tokens":%d},"model_context_window":258400}}`,
		total, total+1, input, cached, output, reasoning, input+output))
}

// One step of a session, in the three orders that versions write it. A count put on the wrong side of an output
// moves that output, thousands of tokens at times, into the wrong prompt.
func TestCodexOrders(t *testing.T) {
	head := []string{cxMeta(), cxTurn("t1"), cxMessage("user", "go")}
	for _, tt := range []struct {
		name  string
		lines []string
	}{
		{"A: the count before its response", []string{
			cxEvent(`{"type":"token_count","info":null}`),
			cxTokens(100, 100, 0, 9, 0), cxThink(), cxCall("c1"), cxOut("c1", "one"), cxTurn("t1"), cxTokens(100, 100, 0, 9, 0),
			cxTokens(250, 150, 0, 9, 0), cxMessage("assistant", "done"), cxMessage("user", "more"), cxTokens(250, 150, 0, 9, 0),
			cxTokens(450, 200, 0, 9, 0), cxMessage("assistant", "bye"),
		}},
		{"B: the count before the outputs", []string{
			cxThink(), cxCall("c1"), cxTokens(100, 100, 0, 9, 0), cxOut("c1", "one"),
			cxMessage("assistant", "done"), cxTokens(250, 150, 0, 9, 0), cxMessage("user", "more"), cxTokens(250, 150, 0, 9, 0),
			cxMessage("assistant", "bye"), cxTokens(450, 200, 0, 9, 0),
		}},
		{"C: the count after the outputs", []string{
			cxThink(), cxCall("c1"), cxOut("c1", "one"), cxTokens(100, 100, 0, 9, 0),
			cxMessage("assistant", "done"), cxTokens(250, 150, 0, 9, 0), cxTokens(250, 150, 0, 9, 0), cxMessage("user", "more"),
			cxMessage("assistant", "bye"), cxTokens(450, 200, 0, 9, 0),
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := rollout(t, append(head[:3:3], tt.lines...)...)
			want := []string{
				"0 user/person: text go",
				"1 assistant/agent: thinking | tool_call c1",
				"2 tool/tool: tool_result c1 one",
				"3 assistant/agent: text done",
				"4 user/person: text more",
				"5 assistant/agent: text bye",
				"call t1/100+1/100+9 [0]",
				"call t1/250+1/150+9 [0 1 2]",
				"call t1/450+1/200+9 [0 1 2 3 4]",
			}
			if diff := cmp.Diff(want, story(tr)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var replies []transcript.Span
			for _, c := range tr.Calls {
				replies = append(replies, c.Reply)
			}
			if diff := cmp.Diff([]transcript.Span{{From: 1, To: 2}, {From: 3, To: 4}, {From: 5, To: 6}}, replies); diff != "" {
				t.Errorf("replies (-want +got):\n%s", diff)
			}
		})
	}
}

// What the counts of a call mean: a prompt with the cached tokens in it, an output with the reasoning in it, and the
// limit that the client works with.
func TestCodexUsage(t *testing.T) {
	tr := rollout(t, cxMeta(), cxTurn("t1"), cxMessage("user", "go"), cxThink(), cxMessage("assistant", "ok"), cxTokens(100, 100, 60, 9, 4))
	want := transcript.Call{
		At: 1, Reply: transcript.Span{From: 1, To: 2}, Key: "t1/100+1/100+9", Kind: transcript.Main, Model: "gpt-5.5", Version: "0.144.0",
		Usage:   transcript.Usage{Prompt: transcript.Of(100), CacheRead: transcript.Of(60), Output: transcript.Of(9), Reasoning: transcript.Of(4)},
		Limit:   transcript.Limit{Tokens: 258_400, Kind: transcript.Input, From: transcript.FromRecord},
		Stopped: true, Time: tr.Messages[0].Time, Line: 6,
	}
	if diff := cmp.Diff([]transcript.Call{want}, tr.Calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Counts that are no call, or not the call they seem to be: each would be a call too many in every total.
func TestCodexCounts(t *testing.T) {
	record := func(id string, input, output int) string {
		return cx("token_usage_record", fmt.Sprintf(`{"response_id":%q,"turn_id":"t1","usage":{"input_tokens":%d,"cached_input_tokens":7,"cache_write_input_tokens":2,"output_tokens":%d,"reasoning_output_tokens":0,"total_tokens":%d}}`, id, input, output, input+output))
	}
	step := func(text string) string { return cxMessage("assistant", text) }
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string // key, kind and prompt of each call
	}{
		{
			"count that is repeated", []string{step("a"), cxTokens(100, 100, 0, 9, 0), cxTokens(100, 100, 0, 9, 0), step("b"), cxTokens(210, 110, 0, 9, 0)},
			[]string{"t1/100+1/100+9 main 100", "t1/210+1/110+9 main 110"},
		},
		{
			"rate limits between a count and its repetition", []string{step("a"), cxTokens(100, 100, 0, 9, 0), cxEvent(`{"type":"token_count","info":null}`), cxTokens(100, 100, 0, 9, 0)},
			[]string{"t1/100+1/100+9 main 100"},
		},
		{
			"counts that make no sense", []string{step("a"), cxTokens(100, 100, 200, 9, 0), step("b"), cxTokens(100, 100, 0, 9, 10), step("c"), cxTokens(100, -1, 0, 9, 0)},
			[]string{" main 0"},
		},
		{
			"usage record before the count", []string{step("a"), record("r1", 100, 9), cxTokens(100, 100, 0, 9, 0), step("b"), record("r2", 110, 9), cxTokens(210, 110, 0, 9, 0)},
			[]string{"r1 main 100", "r2 main 110"},
		},
		{
			"usage record after the count", []string{step("a"), cxTokens(100, 100, 0, 9, 0), record("r1", 100, 9), step("b"), cxTokens(210, 110, 0, 9, 0), record("r2", 110, 9)},
			[]string{"r1 main 100", "r2 main 110"},
		},
		{
			"usage record that a resumed session writes again", []string{step("a"), record("r1", 100, 9), record("r1", 100, 9), step("b"), record("r2", 110, 9), record("r1", 100, 9)},
			[]string{"r1 main 100", "r2 main 110"},
		},
		{
			"usage record of the compaction itself", []string{step("a"), record("r1", 100, 9), record("rc", 110, 50), cx("compacted", `{"message":"","replacement_history":[],"compaction_response_id":"rc"}`), step("b"), record("r2", 20, 9)},
			[]string{"r1 main 100", "rc compaction 110", "r2 main 20"},
		},
		{
			"count of a compaction by the client itself", []string{step("a"), cxTokens(100, 100, 0, 9, 0), cxTokens(210, 110, 0, 50, 0), cx("compacted", `{"message":"so far"}`), step("b"), cxTokens(230, 20, 0, 9, 0)},
			[]string{"t1/100+1/100+9 main 100", "t1/210+1/110+50 compaction 110", "t1/230+1/20+9 main 20"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := rollout(t, append([]string{cxMeta(), cxTurn("t1"), cxMessage("user", "go")}, tt.lines...)...)
			var got []string
			for _, c := range tr.Calls {
				got = append(got, fmt.Sprintf("%s %s %d", c.Key, c.Kind, c.Usage.Prompt.N))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A fork copies the session it came from under new times. Its calls must be found to be copies, and those that it
// adds must not.
func TestCodexForkKeys(t *testing.T) {
	parent := []string{cxMeta(), cxStart("t1"), cxMessage("user", "go"), cxMessage("assistant", "a"), cxTokens(100, 100, 0, 9, 0), cxMessage("assistant", "b"), cxTokens(210, 110, 0, 9, 0)}
	fork := []string{cx("session_meta", `{"id":"s2","forked_from_id":"s1","cli_version":"0.144.0","source":{"subagent":{"thread_spawn":{"parent_thread_id":"s1"}}}}`)}
	for _, line := range parent[:5] {
		fork = append(fork, strings.Replace(line, "10:00", "11:30", 1))
	}
	fork = append(fork, cxStart("t9"), cxMessage("user", "look"), cxMessage("assistant", "c"), cxTokens(210, 110, 0, 9, 0))
	a, b := rollout(t, parent...), rollout(t, fork...)
	keys := func(tr *transcript.Transcript) (out []string) {
		for _, c := range tr.Calls {
			out = append(out, c.Key)
		}
		return out
	}
	if diff := cmp.Diff([]string{"t1/100+1/100+9", "t1/210+1/110+9"}, keys(a)); diff != "" {
		t.Errorf("parent (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"t1/100+1/100+9", "t9/210+1/110+9"}, keys(b)); diff != "" {
		t.Errorf("fork (-want +got):\n%s", diff)
	}
	if b.ID != "s1" || b.Thread != "s2" || a.ID != "s1" || a.Thread != "main" {
		t.Errorf("parent is %s/%s, fork %s/%s: want s1/main, s1/s2", a.ID, a.Thread, b.ID, b.Thread)
	}
	if w := messages(b); len(w) != 1 || !strings.HasPrefix(w[0], "2: records copied from another session follow") {
		t.Errorf("warnings %q", w)
	}
}
