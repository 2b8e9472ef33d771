package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The prompt of every call must be what was sent: a message lost or kept wrongly falsifies each number after it.
func TestClaudePrompts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{
			"response in several records",
			[]string{user("u", "", "go"), asst("a1", "u", "m1", think("hm")), asst("a2", "a1", "m1", say("ok"))},
			[]string{"0 user/person: text go", "1 assistant/agent: thinking hm | text ok", "call m1/r-m1 [0]"},
		},
		{
			"parallel results on their own records",
			[]string{
				user("u", "", "go"), asst("a1", "u", "m1", use("t1")), results("r1", "a1", result("t1", "one")),
				asst("a2", "a1", "m1", use("t2")), results("r2", "a2", result("t2", "two")), asst("b", "r2", "m2", say("done")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call t1 | tool_call t2", "2 tool/tool: tool_result t1 one", "3 tool/tool: tool_result t2 two",
				"4 assistant/agent: text done", "call m1/r-m1 [0]", "call m2/r-m2 [0 1 2 3]",
			},
		},
		{
			"chain through records that are no messages",
			[]string{
				user("u", "", "go"), asst("a", "u", "m1", say("ok")), envelope("progress", "p", "a") + `,"data":{"type":"hook_progress"}}`,
				system("s", "p", "turn_duration"), user("u2", "s", "more"), asst("b", "u2", "m2", say("done")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text ok", "2 user/person: text more", "3 assistant/agent: text done",
				"call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]",
			},
		},
		{
			"result and attachment written before their response",
			[]string{
				user("u", "", "go"), results("r1", "a2", result("t1", "one")), attachment("x", "r1", `{"type":"edited_text_file","filename":"f","snippet":"1 line"}`),
				asst("a1", "u", "m1", say("reading")), asst("a2", "a1", "m1", use("t1")), asst("b", "x", "m2", say("done")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text reading | tool_call t1", "2 tool/tool: tool_result t1 one", "3 user/injected: text 1 line",
				"4 assistant/agent: text done", "call m1/r-m1 [0]", "call m2/r-m2 [0 1 2 3]",
			},
		},
		{
			"records of a response in the wrong order",
			[]string{user("u", "", "go"), asst("a2", "a1", "m1", use("t1")), asst("a1", "u", "m1", say("first")), results("r", "a2", result("t1", "x")), asst("b", "r", "m2", say("done"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call t1 | text first", "2 tool/tool: tool_result t1 x", "3 assistant/agent: text done",
				"call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]",
			},
		},
		{
			"records of a response in the wrong order with another between",
			[]string{
				user("u", "", "go"), asst("a2", "p", "m1", say("two")), system("p", "a1", "turn_duration"), asst("a1", "u", "m1", say("one")),
				user("u2", "p", "more"), asst("b", "u2", "m2", say("done")),
			},
			[]string{"0 user/person: text go", "1 assistant/agent: text two | text one", "2 user/person: text more", "3 assistant/agent: text done", "call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]"},
		},
		{
			"two responses that give their calls one id",
			[]string{
				user("u", "", "go"), asst("a", "u", "m1", use("t1")), user("u2", "u", "or"), asst("b", "u2", "m2", use("t1")), results("r", "a", result("t1", "one")),
				asst("c", "r", "m3", say("done")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call t1", "2 tool/tool: tool_result t1 one", "3 user/person: text or", "4 assistant/agent: tool_call t1",
				"5 assistant/agent: text done", "call m1/r-m1 [0]", "rewind -> [0]", "call m2/r-m2 [0 3]", "rewind -> [0 1 2]", "call m3/r-m3 [0 1 2]",
			},
		},
		{
			"response that is marked as a summary",
			[]string{user("u", "", "go"), strings.Replace(asst("a", "u", "m1", say("ok")), `"isSidechain"`, `"isCompactSummary":true,"isSidechain"`, 1)},
			[]string{"0 user/person: text go", "1 assistant/agent: text ok", "call m1/r-m1 [0]"},
		},
		{
			"several attachments to one message",
			[]string{
				user("u", "", "go"), attachment("x1", "u", `{"type":"nested_memory","content":{"content":"rule one"}}`), attachment("x2", "u", `{"type":"nested_memory","content":{"content":"rule two"}}`),
				asst("a", "x1", "m1", say("ok")),
			},
			[]string{"0 user/person: text go", "1 user/injected: text rule one", "2 user/injected: text rule two", "3 assistant/agent: text ok", "call m1/r-m1 [0 1 2]"},
		},
		{
			"going back to an earlier message",
			[]string{
				user("u1", "", "go"), asst("a1", "u1", "m1", say("one")), user("u2", "a1", "wrong"), asst("a2", "u2", "m2", say("two")),
				user("u3", "a1", "right"), asst("a3", "u3", "m3", say("three")), user("u4", "a2", "the first way again"), asst("a4", "u4", "m4", say("four")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/person: text wrong", "3 assistant/agent: text two", "4 user/person: text right",
				"5 assistant/agent: text three", "6 user/person: text the first way again", "7 assistant/agent: text four",
				"call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]", "rewind -> [0 1]", "call m3/r-m3 [0 1 4]", "rewind -> [0 1 2 3]", "call m4/r-m4 [0 1 2 3 6]",
			},
		},
		{
			"taken back before an answer",
			[]string{
				user("u1", "", "go"), asst("a1", "u1", "m1", say("one")), user("u2", "a1", "<command-name>/exit</command-name>"), user("u3", "u2", "<local-command-stdout>Bye!</local-command-stdout>"),
				user("u4", "a1", "more"), asst("a2", "u4", "m2", say("two")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/injected (not sent): text <command-name>/exit</command-name>",
				"3 user/injected (not sent): text <local-command-stdout>Bye!</local-command-stdout>", "4 user/person: text more", "5 assistant/agent: text two",
				"call m1/r-m1 [0]", "call m2/r-m2 [0 1 4]",
			},
		},
		{
			"going back to results of a parallel call",
			[]string{
				user("u", "", "go"), asst("a1", "u", "m1", use("t1")), asst("a2", "a1", "m1", use("t2")), results("r1", "a1", result("t1", "one")), results("r2", "a2", result("t2", "two")),
				asst("b", "r2", "m2", say("x")), user("u2", "b", "wrong"), asst("c", "u2", "m3", say("y")), asst("d", "r1", "m4", say("again")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call t1 | tool_call t2", "2 tool/tool: tool_result t1 one", "3 tool/tool: tool_result t2 two",
				"4 assistant/agent: text x", "5 user/person: text wrong", "6 assistant/agent: text y", "7 assistant/agent: text again",
				"call m1/r-m1 [0]", "call m2/r-m2 [0 1 2 3]", "call m3/r-m3 [0 1 2 3 4 5]", "rewind -> [0 1 2 3]", "call m4/r-m4 [0 1 2 3]",
			},
		},
		{
			"person's words beside results",
			[]string{
				user("u", "", "go"), asst("a1", "u", "m1", use("t1"), use("t2")), results("r1", "a1", say("no, wait"), result("t1", "denied")), results("r2", "a1", result("t2", "two")),
				asst("b", "r2", "m2", say("ok")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call t1 | tool_call t2", "2 tool/tool: tool_result t1 denied", "3 tool/tool: tool_result t2 two",
				"4 user/person: text no, wait", "5 assistant/agent: text ok", "call m1/r-m1 [0]", "call m2/r-m2 [0 1 2 3 4]",
			},
		},
		{
			"second result of a call, result without a call",
			[]string{
				user("u", "", "go"), asst("a1", "u", "m1", use("t1")), results("r1", "a1", result("t1", "one")), results("r2", "a1", result("t1", "again")),
				results("r3", "r1", result("t9", "whose?")), asst("b", "r1", "m2", say("ok")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call t1", "2 tool/tool: tool_result t1 one", "3 tool/tool (not sent): tool_result t1 again",
				"4 tool/tool (not sent): tool_result t9 whose?", "5 assistant/agent: text ok", "call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]",
			},
		},
		{
			"calls and results without ids",
			[]string{
				user("u", "", "go"), asst("a1", "u", "m1", `{"type":"tool_use","name":"Bash","input":{}}`), results("r1", "a1", `{"type":"tool_result","content":"ok"}`),
				results("r2", "u", `{"type":"tool_result","content":"lost"}`),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call line-2-0", "2 tool/tool: tool_result line-2-0 ok", "3 tool/tool (not sent): tool_result line-unknown lost",
				"call m1/r-m1 [0]",
			},
		},
		{
			"person's words beside a result without a call",
			[]string{user("u", "", "go"), results("r", "u", result("t9", "whose?"), say("and this")), asst("a", "r", "m1", say("ok"))},
			[]string{"0 user/person: text go", "1 tool/tool (not sent): tool_result t9 whose?", "2 user/person: text and this", "3 assistant/agent: text ok", "call m1/r-m1 [0 2]"},
		},
		{
			"missing parent",
			[]string{user("u1", "", "go"), asst("a1", "u1", "m1", say("one")), user("u2", "gone", "more"), asst("a2", "u2", "m2", say("two"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/person: text more", "3 assistant/agent: text two", "call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]",
			},
		},
		{
			"second root",
			[]string{user("u1", "", "go"), asst("a1", "u1", "m1", say("one")), user("u2", "", "anew"), asst("a2", "u2", "m2", say("two"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/person: text anew", "3 assistant/agent: text two",
				"call m1/r-m1 [0]", "rewind -> []", "call m2/r-m2 [2]",
			},
		},
		{
			"loops of parents",
			[]string{user("u1", "u2", "go"), user("u2", "u1", "more"), user("u3", "u3", "self"), system("s1", "s2", "turn_duration"), system("s2", "s1", "turn_duration"), user("u4", "s1", "round"), asst("a", "u4", "m1", say("ok"))},
			[]string{
				"0 user/person: text go", "1 user/person: text more", "2 user/person: text self", "3 user/person: text round", "4 assistant/agent: text ok", "call m1/r-m1 [0 1 2 3]",
			},
		},
		{
			"loop of parents that is met from outside",
			[]string{user("u1", "u4", "go"), user("u3", "u2", "b"), user("u2", "u3", "a"), user("u4", "u2", "c"), asst("a", "u1", "m1", say("ok"))},
			[]string{"0 user/person: text b", "1 user/person: text a", "2 user/person: text c", "3 user/person: text go", "4 assistant/agent: text ok", "call m1/r-m1 [0 1 2 3]"},
		},
		{
			"record written twice",
			[]string{user("u", "", "go"), asst("a", "u", "m1", say("ok")), user("u", "", "go"), asst("a", "u", "m1", say("ok")), user("u2", "a", "more"), asst("b", "u2", "m2", say("done"))},
			[]string{"0 user/person: text go", "1 assistant/agent: text ok", "2 user/person: text more", "3 assistant/agent: text done", "call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]"},
		},
		{
			"failed call",
			[]string{
				user("u", "", "go"), envelope("assistant", "e", "u") + `,"isApiErrorMessage":true,"message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}],"usage":{"input_tokens":0,"output_tokens":0}}}`,
				user("u2", "e", "again"), asst("b", "u2", "m2", say("ok")),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent (not sent): text API Error: 529", "2 user/person: text again", "3 assistant/agent: text ok",
				"call x [0]", "call m2/r-m2 [0 2]",
			},
		},
		{
			"placeholder for an answer",
			[]string{
				user("u", "", "go"), envelope("assistant", "e", "u") + `,"message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}],"usage":{"input_tokens":0,"output_tokens":0}}}`,
				user("u2", "e", "again"), asst("b", "u2", "m2", say("ok")),
			},
			[]string{"0 user/person: text go", "1 assistant/injected: text No response requested.", "2 user/person: text again", "3 assistant/agent: text ok", "call m2/r-m2 [0 1 2]"},
		},
		{
			"output of a local command",
			[]string{user("u", "", "go"), system("s", "u", "local_command", `"content":"<local-command-stdout>opus</local-command-stdout>"`), asst("a", "s", "m1", say("ok"))},
			[]string{"0 user/person: text go", "1 user/injected: text <local-command-stdout>opus</local-command-stdout>", "2 assistant/agent: text ok", "call m1/r-m1 [0 1]"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, story(claude(t, tt.lines...))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
