package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// cxHistory is a compaction with the history it left.
func cxHistory(items ...string) string {
	return cx("compacted", `{"message":"","replacement_history":[`+strings.Join(items, ",")+`]}`)
}

// cxKept is an item of such a history.
func cxKept(role, text string) string {
	return `{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":` + js(text) + `}]}`
}

const cxSummary = `{"type":"compaction","encrypted_content":"abcdefgh"}`

// cxZero is the client's estimate of what a compaction left.
func cxZero(total, left int) string {
	return strings.Replace(cxTokens(total, 0, 0, 0, 0), `"total_tokens":0}`, fmt.Sprintf(`"total_tokens":%d}`, left), 1)
}

// A compaction drops most of a prompt. A reader that keeps too much, or forgets what the client put back, makes the
// fall that follows look like an error of the estimate.
func TestCodexCompaction(t *testing.T) {
	base := cxMeta(`"base_instructions":{"text":"be brief"}`)
	for _, tt := range []struct {
		name    string
		lines   []string
		want    []string // from the first change on
		trigger string
		after   transcript.Count
	}{
		{
			"in the middle of a turn",
			[]string{cxStart("t1"), cxMessage("developer", "rules"), cxMessage("user", "go"), cxCall("c"), cxOut("c", "one"), cxTokens(100, 100, 0, 9, 0),
				cxHistory(cxKept("user", "go"), cxKept("developer", "rules"), cxKept("user", "<environment_context>x</environment_context>"), cxSummary),
				cxZero(100, 40), cxMessage("assistant", "ok"), cxTokens(150, 50, 0, 9, 0)},
			[]string{"compact -> [0 2 1 5 6]", "call t1/150+1/50+9 [0 2 1 5 6]"},
			"auto", transcript.Count{N: 40, From: transcript.Client},
		},
		{
			"asked for, and everything put back at the next turn",
			[]string{cxStart("t1"), cxMessage("user", "go"), cxMessage("assistant", "ok"), cxTokens(100, 100, 0, 9, 0), cxDone(),
				cxStart("t2"), cxHistory(cxKept("user", "go"), cxSummary), cxZero(100, 40), cxDone(),
				cxStart("t3"), cxMessage("developer", "rules"), cxMessage("user", "more"), cxMessage("developer", "a hook"), cxMessage("assistant", "bye"), cxTokens(150, 50, 0, 9, 0)},
			[]string{"compact -> [0 1 3]", "call t3/150+1/50+9 [0 1 3 4 5 6]"},
			"manual", transcript.Count{N: 40, From: transcript.Client},
		},
		{
			"twice, with an encrypted summary as long as the first",
			[]string{cxStart("t1"), cxMessage("user", "go"), cxMessage("assistant", "ok"), cxHistory(cxKept("user", "go"), cxSummary), cxMessage("assistant", "more"),
				cxHistory(cxKept("user", "go"), cxSummary)},
			[]string{"compact -> [0 1 3]", "call  [0 1 3]", "compact -> [0 1 5]"},
			"auto", transcript.Count{},
		},
		{
			"with tool calls in the history, and answers of the agent",
			[]string{cxStart("t1"), cxMessage("user", "go"), cxThink(), cxMessage("assistant", "ok"),
				cxHistory(cxKept("user", "go"), cxKept("assistant", "ok"), cxSummary, `{"type":"function_call","name":"f","arguments":"{}","call_id":"k"}`, `{"type":"function_call_output","call_id":"k","output":"v"}`)},
			[]string{"compact -> [0 1 3 4 5 6]"},
			"auto", transcript.Count{},
		},
		{
			"without a history: the beginning, the user's messages, the summary",
			[]string{cxMessage("user", "<environment_context>x</environment_context>"), cxMessage("user", "go"), cxCall("c"), cxOut("c", "one"), cxMessage("user", "more"), cxMessage("assistant", "ok"),
				cx("compacted", `{"message":"so far"}`), cxMessage("assistant", "bye")},
			[]string{"compact -> [0 1 2 5 7]", "call  [0 1 2 5 7]"},
			"", transcript.Count{},
		},
		{
			"without a history, again: no summary of a summary",
			[]string{cxMessage("user", "go"), cxMessage("assistant", "ok"), cx("compacted", `{"message":"so far"}`), cxMessage("assistant", "more"), cx("compacted", `{"message":"so far, and more"}`)},
			[]string{"compact -> [0 1 3]", "call  [0 1 3]", "compact -> [0 1 5]"},
			"", transcript.Count{},
		},
		{
			"in an empty session", []string{cxHistory(cxKept("user", "go"), cxSummary), cxMessage("assistant", "ok")},
			[]string{"compact -> [0 1 2]", "call  [0 1 2]"}, "", transcript.Count{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := rollout(t, append([]string{base}, tt.lines...)...)
			got := story(tr)
			for len(got) > 0 && !strings.HasPrefix(got[0], "compact") {
				got = got[1:]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, strings.Join(story(tr), "\n"))
			}
			if c := tr.Changes[0]; c.Trigger != tt.trigger || c.After != tt.after {
				t.Errorf("trigger %q, after %v: want %q, %v", c.Trigger, c.After, tt.trigger, tt.after)
			}
		})
	}
}

// From raw, a replay leaves out what a compaction brought: a message with the wrong origin would be sent twice.
func TestCodexBroughtMessages(t *testing.T) {
	tr := rollout(t, cxMeta(), cxStart("t1"), cxMessage("user", "go"), cxThink(), cxMessage("assistant", "ok"),
		cxHistory(cxKept("user", "go"), cxKept("user", "gone elsewhere"), cxKept("assistant", "ok"), cxSummary),
		cxMessage("developer", "rules"), cxMessage("user", "more"), cxMessage("developer", "a hook"))
	want := []string{
		"0 user/person: text go",
		"1 assistant/agent: thinking | text ok",
		"2 user/compaction: text gone elsewhere",
		"3 assistant/compaction: text ok",
		"4 user/compaction: opaque",
		"5 system/compaction: text rules",
		"6 user/person: text more",
		"7 system/injected: text a hook",
	}
	if diff := cmp.Diff(want, story(tr)[:len(want)]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A history without a summary in it costs more than it shows, and the user should know why.
func TestCodexMissingSummary(t *testing.T) {
	for _, tt := range []struct {
		name, compacted string
		want            []string
	}{
		{"left out by the recorder", `{"message":"","replacement_history":[` + cxKept("user", "go") + `]}`, []string{"3: the history that this compaction left holds no summary: what was sent in its place is not in the recording"}},
		{"never written", `{"message":"","replacement_history":[],"compaction_response_id":null}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := rollout(t, cxMeta(), cxMessage("user", "go"), cx("compacted", tt.compacted))
			if diff := cmp.Diff(tt.want, messages(tr)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The user's messages are kept up to 20,000 tokens of 4 bytes, and the one that does not fit is cut in the middle.
func TestCodexOldHistoryBudget(t *testing.T) {
	long := strings.Repeat("α", 10_000) + strings.Repeat("ω", 10_000) // 40,000 bytes
	tr := rollout(t, cxMeta(), cxMessage("user", "too old"), cxMessage("user", long+long), cxMessage("user", long), cxMessage("assistant", "ok"), cx("compacted", `{"message":"so far"}`))
	if diff := cmp.Diff([]transcript.Span{{From: 4, To: 5}, {From: 2, To: 3}, {From: 5, To: 6}}, tr.Changes[0].Prompt); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	want := strings.Repeat("α", 10_000) + "…10000 tokens truncated…" + strings.Repeat("ω", 10_000)
	if got := tr.Messages[4].Parts[0].Text; got != want {
		t.Errorf("the message that does not fit is %d bytes, %.40q to %.40q", len(got), got, got[max(0, len(got)-40):])
	}
}

// A rollback takes turns out of the prompt: what stays behind would be paid for in every later call.
func TestCodexRollback(t *testing.T) {
	back := func(n int) string {
		return cxEvent(fmt.Sprintf(`{"type":"thread_rolled_back","num_turns":%d}`, n))
	}
	turn := func(text string) []string {
		return []string{cxMessage("developer", "mode"), cxMessage("user", text), cxMessage("assistant", "re "+text)}
	}
	for _, tt := range []struct {
		name string
		drop string
		want []int // the prompt of the next call
	}{
		{"last turn, with what the client put before it", back(1), []int{0, 1, 2, 3, 4, 5, 9}},
		{"two turns", back(2), []int{0, 1, 2, 9}},
		{"more turns than there are", back(7), []int{0, 9}},
		{"no turn", back(0), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"no number", cxEvent(`{"type":"thread_rolled_back"}`), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"twice", back(1) + "\n" + back(1), []int{0, 1, 2, 9}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := append(append(append([]string{cxMeta()}, turn("one")...), turn("two")...), turn("three")...)
			tr := rollout(t, append(lines, tt.drop, cxMessage("user", "go"), cxMessage("assistant", "ok"))...)
			if diff := cmp.Diff(tt.want, tr.PromptAt(3)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, strings.Join(story(tr), "\n"))
			}
		})
	}
}

// The summary of a compaction is not part of the turn after it.
func TestCodexRollbackBehindCompaction(t *testing.T) {
	tr := rollout(t, cxMeta(), cxMessage("user", "one"), cxMessage("assistant", "ok"), cxHistory(cxKept("user", "one"), cxSummary),
		cxMessage("developer", "rules"), cxMessage("user", "two"), cxMessage("assistant", "ok"), cxEvent(`{"type":"thread_rolled_back","num_turns":1}`), cxMessage("user", "go"), cxMessage("assistant", "ok"))
	if diff := cmp.Diff([]int{0, 2, 6}, tr.PromptAt(2)); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, strings.Join(story(tr), "\n"))
	}
}

// Changes without end must not take memory by the square of the file.
func TestCodexManyChanges(t *testing.T) {
	lines := []string{cxMeta()}
	for i := range 4000 {
		lines = append(lines, cxMessage("user", fmt.Sprint(i)), cxMessage("assistant", "a"), cxMessage("user", "b"), cxEvent(`{"type":"thread_rolled_back","num_turns":1}`))
	}
	tr := rollout(t, lines...)
	spans := 0
	for i := range tr.Changes {
		spans += len(tr.Changes[i].Prompt)
	}
	if spans < maxSpans || spans > maxSpans+4000 {
		t.Errorf("%d spans, want the limit of %d", spans, maxSpans)
	}
	if w := messages(tr); len(w) != 2 || !strings.HasSuffix(w[0], "later changes of it are passed over") {
		t.Errorf("warnings %q", w)
	}
}
