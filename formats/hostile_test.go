package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A recording comes from anywhere. Whatever it holds, the user gets what can be read and a sentence about the rest.
func TestHostileSessions(t *testing.T) {
	for _, tt := range []struct {
		name     string
		lines    []string
		messages int
		warnings []string
	}{
		{
			"torn line in the middle", []string{user("u", "", "go"), asst("a", "u", "m", say("one"))[:150], user("u2", "u", "more")}, 2,
			[]string{"2: a record that is cut off was skipped"},
		},
		{
			"every field of a wrong type",
			[]string{
				user("u", "", "go"),
				`{"type":"user","uuid":7,"parentUuid":[1],"isSidechain":"no","sessionId":{},"timestamp":5,"message":"text","isMeta":1,"origin":"x"}`,
				`{"type":"assistant","uuid":"a","parentUuid":"u","requestId":9,"message":{"id":{},"model":[],"content":{"type":"text"},"usage":"none","stop_reason":3}}`,
				`{"type":"assistant","uuid":"b","parentUuid":"u","message":{"content":[1,null,"text",{"type":5},{"type":"tool_use","id":3,"input":"x"}]}}`,
				`{"type":"user","uuid":"c","parentUuid":"b","message":{"content":[{"type":"tool_result","tool_use_id":{},"content":{"a":1}}]}}`,
				`{"type":"attachment","uuid":"d","parentUuid":"c","attachment":[1]}`,
				`{"type":"progress","uuid":"e","parentUuid":"d","data":{"type":"agent_progress","message":"x","agentId":4}}`,
				`{"type":"system","subtype":"compact_boundary","uuid":"f","parentUuid":3,"compactMetadata":[{"trigger":1}]}`,
				`{"type":"system","subtype":"microcompact_boundary","uuid":"g","microcompactMetadata":{"compactedToolIds":"t","preTokens":{}}}`,
				`{"type":17}`,
			},
			4, // the text, the two responses, the result
			nil,
		},
		{
			"duplicate keys: the last one counts", []string{`{"parentUuid":null,"isSidechain":false,"type":"system","type":"user","uuid":"u","message":{"role":"user","content":"first","content":"last"}}`}, 1, nil,
		},
		{
			"half a surrogate", []string{strings.Replace(user("u", "", "cut"), `"cut"`, `"cut \ud83d"`, 1)}, 1, nil,
		},
		{
			"same uuid everywhere", []string{user("x", "x", "go"), asst("x", "x", "m1", use("t")), results("x", "x", result("t", "one")), asst("x", "x", "m1", say("two"))}, 2,
			[]string{"3: records with the uuid of an earlier one were skipped here and further on", "1: " + brokenChain},
		},
		{
			"negative and absurd counts",
			[]string{user("u", "", "go"), asstWith("a", "u", "m1", usage(-1, -2, -3, -4), say("x")), asstWith("b", "a", "m2", usage(1<<62, 1<<62, 1<<62, 1<<62), say("y"))}, 3,
			[]string{"2: a token count that is no number, or negative, was taken as not recorded"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := read(t, claudeCode(), strings.Join(tt.lines, "\n"))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, tr := range list {
				n += len(tr.Messages)
			}
			if n != tt.messages {
				t.Errorf("%d messages, want %d", n, tt.messages)
			}
			if diff := cmp.Diff(tt.warnings, messages(list[0])); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			roundTrip(t, list)
		})
	}
}

// A file of which nothing can be read must say why, and one that holds no messages must not look like a run.
func TestHostileFiles(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       string
	}{
		{"all damaged", "{\"type\":\"user\"\n{]\n", "no message could be read; line 1: a record that is cut off was skipped"},
		{"titles only", `{"type":"summary","summary":"t","leafUuid":"u"}` + "\n", ""},
		{"empty", "", ""},
	} {
		list, err := read(t, claudeCode(), tt.data)
		if got := fmt.Sprint(err); len(list) > 0 || tt.want != "" && got != tt.want || tt.want == "" && err != nil {
			t.Errorf("%s: %d transcripts, error %v, want %q", tt.name, len(list), err, tt.want)
		}
	}
}

// Two agents that write one file in turn must not take memory by the square of its length.
func TestInterleavedBranches(t *testing.T) {
	lines := []string{user("u", "", "go")}
	last := [2]string{"u", "u"}
	for i := range 6000 {
		id := fmt.Sprint("a", i)
		lines = append(lines, asst(id, last[i%2], "m"+id, say("x")))
		last[i%2] = id
	}
	list, err := read(t, claudeCode(), strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	spans := 0
	for i := range list[0].Changes {
		spans += len(list[0].Changes[i].Prompt)
	}
	if spans < maxSpans || spans > maxSpans+6000 {
		t.Errorf("%d spans, want the limit of %d", spans, maxSpans)
	}
	if w := messages(list[0]); len(w) != 1 || !strings.HasSuffix(w[0], "it is read in the order of the file") {
		t.Errorf("warnings %v", w)
	}
}
