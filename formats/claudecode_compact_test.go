package formats

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

func boundary(uuid, logical, metadata string) string {
	return `{"parentUuid":null,"logicalParentUuid":"` + logical + `","isSidechain":false,"type":"system","subtype":"compact_boundary","uuid":"` + uuid + `","compactMetadata":` + metadata + `}`
}

// A compaction that is missed or misplaced shifts every prompt after it, and the run's compactions in the report.
func TestClaudeCompactions(t *testing.T) {
	before := []string{user("u1", "", "go"), asst("a1", "u1", "m1", use("t1")), results("r1", "a1", result("t1", "one")), asst("a2", "r1", "m2", say("first done")), system("s1", "a2", "turn_duration")}
	messages := []string{"0 user/person: text go", "1 assistant/agent: tool_call t1", "2 tool/tool: tool_result t1 one", "3 assistant/agent: text first done"}
	calls := []string{"call m1/r-m1 [0]", "call m2/r-m2 [0 1 2]"}
	for _, tt := range []struct {
		name     string
		lines    []string
		messages []string
		events   []string
	}{
		{
			"summary alone",
			[]string{boundary("b", "s1", `{"trigger":"auto","preTokens":900}`), summary("c", "b", "so far"), user("u2", "c", "on"), asst("a3", "u2", "m3", say("ok"))},
			[]string{"4 user/compaction: summary so far", "5 user/person: text on", "6 assistant/agent: text ok"},
			[]string{"compact -> [4]", "call m3/r-m3 [4 5]"},
		},
		{
			"kept tail that stands before the boundary and carries the chain on",
			[]string{
				boundary("b", "s1", `{"trigger":"manual","preTokens":900,"postTokens":80,"preservedSegment":{"headUuid":"a2","anchorUuid":"c","tailUuid":"s1"},"preservedMessages":{"anchorUuid":"c","uuids":["a2"],"allUuids":["a2","not-in-file","s1"]}}`),
				summary("c", "b", "so far"), user("u2", "s1", "on"), asst("a3", "u2", "m3", say("ok")),
			},
			[]string{"4 user/compaction: summary so far", "5 user/person: text on", "6 assistant/agent: text ok"},
			[]string{"compact -> [4 3]", "call m3/r-m3 [4 3 5]"},
		},
		{
			"kept tail as a segment alone, with the results of its response",
			[]string{
				boundary("b", "s1", `{"preservedSegment":{"headUuid":"a1","anchorUuid":"c","tailUuid":"s1"}}`), summary("c", "b", "so far"), asst("a3", "c", "m3", say("ok")),
			},
			[]string{"4 user/compaction: summary so far", "5 assistant/agent: text ok"},
			[]string{"compact -> [4 1 2 3]", "call m3/r-m3 [4 1 2 3]"},
		},
		{
			"kept list that names the summary, the boundary and one record twice",
			[]string{boundary("b", "s1", `{"preservedMessages":{"uuids":["c","b","a2","a2"]}}`), summary("c", "b", "so far"), asst("a3", "c", "m3", say("ok"))},
			[]string{"4 user/compaction: summary so far", "5 assistant/agent: text ok"},
			[]string{"compact -> [4 3]", "call m3/r-m3 [4 3]"},
		},
		{
			"segment whose head is not in the file",
			[]string{boundary("b", "s1", `{"preservedSegment":{"headUuid":"gone","anchorUuid":"c","tailUuid":"s1"}}`), summary("c", "b", "so far"), user("u2", "s1", "on"), asst("a3", "u2", "m3", say("ok"))},
			[]string{"4 user/compaction: summary so far", "5 user/person: text on", "6 assistant/agent: text ok"},
			[]string{"compact -> [4]", "call m3/r-m3 [4 5]"},
		},
		{
			"chain that goes on before the boundary with nothing kept",
			[]string{boundary("b", "s1", `{"trigger":"auto"}`), summary("c", "b", "so far"), user("u2", "s1", "on"), asst("a3", "u2", "m3", say("ok"))},
			[]string{"4 user/compaction: summary so far", "5 user/person: text on", "6 assistant/agent: text ok"},
			[]string{"compact -> [4]", "call m3/r-m3 [4 5]"},
		},
		{
			"attachments that the client put back",
			[]string{
				boundary("b", "s1", `{"trigger":"auto"}`), summary("c", "b", "so far"), attachment("x", "c", `{"type":"file","content":{"type":"text","file":{"content":"package a"}}}`),
				user("u2", "x", "on"), attachment("y", "u2", `{"type":"hook_additional_context","content":["be brief"]}`), asst("a3", "y", "m3", say("ok")),
			},
			[]string{"4 user/compaction: summary so far", "5 user/compaction: text package a", "6 user/person: text on", "7 user/injected: text be brief", "8 assistant/agent: text ok"},
			[]string{"compact -> [4]", "call m3/r-m3 [4 5 6 7]"},
		},
		{
			"message that hangs on the boundary, beside what the client put back",
			[]string{
				boundary("b", "s1", `{"trigger":"auto"}`), summary("c", "b", "so far"), attachment("x", "c", `{"type":"file","content":{"type":"text","file":{"content":"package a"}}}`),
				user("u2", "b", "on"), asst("a3", "u2", "m3", say("ok")),
			},
			[]string{"4 user/compaction: summary so far", "5 user/compaction: text package a", "6 user/person: text on", "7 assistant/agent: text ok"},
			[]string{"compact -> [4]", "call m3/r-m3 [4 5 6]"},
		},
		{
			"boundary without a summary",
			[]string{boundary("b", "s1", `{"trigger":"auto"}`), user("u2", "b", "on"), asst("a3", "u2", "m3", say("ok"))},
			[]string{"4 user/person: text on", "5 assistant/agent: text ok"},
			[]string{"compact -> []", "call m3/r-m3 [4]"},
		},
		{
			"summary without a boundary",
			[]string{summary("c", "", "so far"), user("u2", "c", "on"), asst("a3", "u2", "m3", say("ok"))},
			[]string{"4 user/compaction: summary so far", "5 user/person: text on", "6 assistant/agent: text ok"},
			[]string{"compact -> [4]", "call m3/r-m3 [4 5]"},
		},
		{
			"two boundaries, the second keeping from before the first",
			[]string{
				boundary("b", "s1", `{}`), summary("c", "b", "one"), asst("a3", "c", "m3", say("ok")),
				boundary("d", "a3", `{"preservedMessages":{"uuids":["a2","a3"]}}`), summary("e", "d", "two"), asst("a4", "a3", "m4", say("end")),
			},
			[]string{"4 user/compaction: summary one", "5 assistant/agent: text ok", "6 user/compaction: summary two", "7 assistant/agent: text end"},
			[]string{"compact -> [4]", "call m3/r-m3 [4]", "compact -> [6 3 5]", "call m4/r-m4 [6 3 5]"},
		},
		{
			"file that ends at the boundary",
			[]string{boundary("b", "s1", `{"trigger":"manual"}`)},
			nil,
			[]string{"compact -> []"},
		},
		{
			"going back to before the boundary",
			[]string{boundary("b", "s1", `{}`), summary("c", "b", "so far"), asst("a3", "c", "m3", say("ok")), user("u2", "r1", "another way"), asst("a4", "u2", "m4", say("yes"))},
			[]string{"4 user/compaction: summary so far", "5 assistant/agent: text ok", "6 user/person: text another way", "7 assistant/agent: text yes"},
			[]string{"compact -> [4]", "call m3/r-m3 [4]", "rewind -> [0 1 2]", "call m4/r-m4 [0 1 2 6]"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := story(claude(t, append(before[:len(before):len(before)], tt.lines...)...))
			want := append(append(append(messages[:4:4], tt.messages...), calls...), tt.events...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What the client counted is shown beside its compactions; a run that begins at one is refused for a raw replay.
func TestClaudeBoundaryCounts(t *testing.T) {
	tr := claude(t,
		`{"type":"mode","mode":"default","sessionId":"s1"}`,
		boundary("b", "elsewhere", `{"trigger":"auto","preTokens":998659,"postTokens":18101,"preservedMessages":{"allUuids":["elsewhere"]}}`),
		summary("c", "b", "so far"), asst("a", "c", "m1", say("ok")),
	)
	want := []transcript.Change{{
		Kind: transcript.Compact, Prompt: []transcript.Span{{From: 0, To: 1}}, Trigger: "auto", Line: 2,
		Before: transcript.Count{N: 998659, From: transcript.Client}, After: transcript.Count{N: 18101, From: transcript.Client},
	}}
	if diff := cmp.Diff(want, tr.Changes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !tr.BeginsAtBoundary() {
		t.Error("the run does not count as one that begins at a boundary")
	}
}

// A recorded clear shrinks the parts it names, in the file or not, and no others.
func TestClaudeClears(t *testing.T) {
	tr := claude(t,
		user("u", "", "go"), asst("a1", "u", "m1", use("t1"), use("t2")), results("r1", "a1", result("t1", "one"), `{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`),
		attachment("x", "r1", `{"type":"nested_memory","content":{"content":"rule"}}`), asst("a2", "x", "m2", say("ok")),
		system("k", "a2", "microcompact_boundary", `"microcompactMetadata":{"trigger":"auto","preTokens":50000,"tokensSaved":20000,"compactedToolIds":["t2","t9"],"clearedAttachmentUUIDs":["x","u","gone"]}`),
		user("u2", "k", "on"), asst("a3", "u2", "m3", say("ok")),
	)
	want := []transcript.Change{{
		At: 6, Kind: transcript.Clear, Trigger: "auto", Line: 6,
		Reduce: []transcript.PartID{{Message: 3, Part: 0}, {Message: 3, Part: 1}, {Message: 4, Part: 0}},
		Before: transcript.Count{N: 50000, From: transcript.Client}, After: transcript.Count{N: 30000, From: transcript.Client},
	}}
	if diff := cmp.Diff(want, tr.Changes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := tr.PromptAt(2); len(got) != 7 {
		t.Errorf("the prompt after the clear has %d messages, want all 7", len(got))
	}
}
