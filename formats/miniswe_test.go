package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// trajectory is a run of mini-swe-agent.
func trajectory(messages ...string) string {
	return "{\n\"info\": {\"mini_version\": \"2.3.0\", \"exit_status\": \"Submitted\"},\n\"messages\": [\n" + strings.Join(messages, ",\n") + "\n],\n\"trajectory_format\": \"mini-swe-agent-1.1\",\n\"instance_id\": \"house-1\"\n}"
}

// msAsst is a response with the provider's answer under extra.
func msAsst(fields, id string, prompt, output int) string {
	return fmt.Sprintf(`{"role":"assistant",%s,"extra":{"timestamp":1767225600.5,"response":{"id":%q,"model":"m-1","choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":{"cached_tokens":5}}}}}`, fields, id, prompt, output)
}

// mini reads a trajectory.
func mini(t testing.TB, data string) *transcript.Transcript {
	t.Helper()
	tr := readOne(t, miniSWE(), data)
	roundTrip(t, []*transcript.Transcript{tr})
	return tr
}

// The three versions of the format tell one story.
func TestMiniSWEVersions(t *testing.T) {
	sys, task := ocMessage("system", "Fix it."), ocMessage("user", "the door sticks")
	calls := strings.TrimSuffix(strings.TrimPrefix(ocCalls("t"), `{"role":"assistant",`), "}")
	result := `{"role":"tool","tool_call_id":"t","content":"<returncode>1</returncode>","extra":{"raw_output":"a very long output","returncode":1}}`
	for _, tt := range []struct {
		name, data string
		want       []string
	}{
		{
			"with tool calls", trajectory(sys, task, msAsst(calls, "a", 100, 7), result, msAsst(`"content":"done"`, "b", 120, 3), `{"role":"exit","content":"diff","extra":{}}`),
			[]string{
				"0 system/injected: text Fix it.", "1 user/person: text the door sticks", "2 assistant/agent: tool_call t", "3 tool/tool: tool_result t <returncode>1</returncode>", "4 assistant/agent: text done", "5 user/injected (not sent): text diff",
				"call a [0 1]", "call b [0 1 2 3]",
			},
		},
		{
			"with commands in the text", trajectory(sys, task, msAsst(`"content":"run ls"`, "a", 100, 7), ocMessage("user", "output: x"), msAsst(`"content":""`, "b", 120, 3)),
			[]string{
				"0 system/injected: text Fix it.", "1 user/person: text the door sticks", "2 assistant/agent: text run ls", "3 user/injected: text output: x", "4 assistant/agent: ",
				"call a [0 1]", "call b [0 1 2 3]",
			},
		},
		{
			"bare list", "[" + sys + "," + task + "," + ocMessage("assistant", "run ls") + "]",
			[]string{"0 system/injected: text Fix it.", "1 user/person: text the door sticks", "2 assistant/agent: text run ls", "call  [0 1]"},
		},
		{
			"cut off", trajectory(sys, task, msAsst(`"content":"run ls"`, "a", 100, 7), ocMessage("user", "output: x"))[:440],
			[]string{"0 system/injected: text Fix it.", "1 user/person: text the door sticks", "2 assistant/agent: text run ls", "call a [0 1]"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, story(mini(t, tt.data))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What is recorded with a response is the one fact about its prompt.
func TestMiniSWECall(t *testing.T) {
	tr := mini(t, trajectory(ocMessage("user", "go"), msAsst(`"content":"ok","reasoning_content":"hm"`, "a", 100, 7)))
	c, of := tr.Calls[0], transcript.Of
	if diff := cmp.Diff(transcript.Usage{Prompt: of(100), CacheRead: of(5), Output: of(7)}, c.Usage); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if c.Key != "a" || c.Model != "m-1" || c.Version != "2.3.0" || !c.Stopped || c.Line != 5 || c.Time.Format("150405.0") != "000000.5" {
		t.Errorf("call %+v", c)
	}
	if tr.ID != "house-1" || tr.Version != "2.3.0" || tr.Messages[1].Parts[0].Kind != transcript.Thinking {
		t.Errorf("transcript %q %q, parts %v", tr.ID, tr.Version, tr.Messages[1].Parts)
	}
}

// Whatever a file holds, the reader gives what it can, or one reason.
func TestMiniSWEDamage(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"no messages", `{"info":{"mini_version":"2"}}`, "it has no list of messages: give a trajectory of mini-swe-agent"},
		{"no JSON", `{"messages":[{"role":"user","content":"x"},]}`, "it is not valid JSON from line 1 on: invalid character ']' looking for beginning of value"},
		{"empty list", `[]`, ""},
		{"wrong types", `{"info":7,"instance_id":[],"messages":[7,null,{"role":[]},{"role":"assistant","extra":7},{"role":"assistant","extra":{"response":{"usage":{"prompt_tokens":{}},"id":7}}},{"role":"tool","extra":{"returncode":"x"}},{"role":"exit"}]}`, ""},
	} {
		list, err := read(t, miniSWE(), tt.data)
		if got := fmt.Sprint(err); tt.want != "" && got != tt.want || tt.want == "" && err != nil {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
		roundTrip(t, list)
	}
}

func FuzzMiniSWE(f *testing.F) {
	fuzzReader(f, miniSWE(),
		trajectory(ocMessage("user", "go"), msAsst(`"content":"ok"`, "a", 100, 7), `{"role":"exit","content":"x"}`),
		trajectory(ocMessage("user", "go"), ocCalls("t"), ocResult("t", "x"), ocResult("t", "y"))[:300],
		"["+ocMessage("user", "go")+","+ocMessage("assistant", "ok")+"]",
	)
}
