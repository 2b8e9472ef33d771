package pipeline

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"perch/formats/transcript"
)

// stateOf returns a state over the messages of a script.
func stateOf(t *testing.T, lines ...string) *player {
	p := &player{t: t, ix: NewIndex(), b: Budget{Limit: 1000, Trigger: 800, Target: 600}}
	p.s = NewState(p.ix)
	p.m.State = p.s
	for _, line := range lines {
		p.line(line)
	}
	return p
}

// TestResultsThatNoProviderAccepts: one late or repeated result ends the run with an error.
func TestResultsThatNoProviderAccepts(t *testing.T) {
	result := func(call, text string) *transcript.Message {
		return &transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: []transcript.Part{{Kind: transcript.ToolResult, CallID: call, Text: text}}}
	}
	p := stateOf(t, "user 10", "Read 10")
	for _, m := range []*transcript.Message{result("call1", "again"), result("call9", "unknown")} {
		p.s.Append(p.ix.Add(m))
	}
	p.line("say 10")
	p.s.Append(p.ix.Add(result("call1", "late")))
	if diff := cmp.Diff([]MessageID{0, 1, 2, 5}, p.s.Prompt()); diff != "" {
		t.Error(diff)
	}
}

// TestCutMessagesStayOut: what enforce dropped comes back and the prompt overflows again.
func TestCutMessagesStayOut(t *testing.T) {
	p := stateOf(t, "budget H=1000 T=800 G=600", "step enforce", "user 10", "Read 600", "Read 300", "Read 300", "call")
	want := []MessageID{0, 3, 4, 5, 6}
	if diff := cmp.Diff(want, p.s.Prompt()); diff != "" {
		t.Fatal(diff)
	}
	p.s.Append(1)
	if diff := cmp.Diff(want, p.s.Prompt()); diff != "" {
		t.Errorf("appended again: %s", diff)
	}
	restarted := copyState(t, p.s)
	restarted.Rewind([]MessageID{0, 1, 2, 3, 4, 5, 6})
	if diff := cmp.Diff(want, restarted.Prompt()); diff != "" {
		t.Errorf("after a restart and a rewind: %s", diff)
	}
}

// TestRewindToTheSamePromptChangesNothing: an undone and repeated step would bring cleared bodies back.
func TestRewindToTheSamePromptChangesNothing(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			w.next()
			want := rendered(w.t, w.s)
			var all []MessageID
			for id := range MessageID(w.appended) {
				all = append(all, id)
			}
			w.s.Rewind(all)
			if diff := cmp.Diff(want, rendered(w.t, w.s)); diff != "" {
				w.t.Fatal(diff)
			}
		})
	})
}

// TestRewindKeepsPairs: an agent that goes back to an earlier turn sends a broken request.
func TestRewindKeepsPairs(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		var prompts [][]MessageID // what was recorded before each call
		w.calls(func() {
			w.next()
			var all []MessageID
			for id := range MessageID(w.appended) {
				all = append(all, id)
			}
			prompts = append(prompts, all)
		})
		for range 3 {
			back := prompts[rapid.IntRange(0, len(prompts)-1).Draw(w.t, "back")]
			w.s.Rewind(back)
			w.next()
			msgs, err := w.s.Render(nil)
			if err != nil {
				w.t.Fatal(err)
			}
			if err := transcript.CheckPrompt(len(msgs), func(i int) *transcript.Message { return &msgs[i] }); err != nil {
				w.t.Fatal(err)
			}
			for _, id := range w.s.Prompt() {
				if int(id) >= len(back) {
					w.t.Fatalf("message %d stands after a rewind to %d messages", id, len(back))
				}
			}
		}
	})
}

// TestResetForgetsOurEdits: after a compaction of the recorded agent's own, old edits would be applied to new content.
func TestResetForgetsOurEdits(t *testing.T) {
	p := stateOf(t, "budget H=100000 T=30 G=20", `step microcompact {"KeepLast": 0, "KeepTokens": 0, "MinFreed": 0, "MinBody": 0}`,
		"user 10", "Read 100", "Read 100", "Read 100", "call")
	if got := p.s.Form(part(2)); got.Kind != Marker {
		t.Fatalf("form %v", got)
	}
	p.s.Reset([]MessageID{0, 1, 2, 5, 6}, []PartID{part(6)})
	for id, want := range map[MessageID]FormKind{2: Full, 4: Gone, 6: Marker} {
		if got := p.s.Form(part(id)); got.Kind != want {
			t.Errorf("message %d stands as %v, want %v", id, got.Kind, want)
		}
	}
	if f := (&View{s: p.s, m: p.m, step: &Step{ID: "micro"}}).Facts(); f.Previous != 0 {
		t.Errorf("the prompt before the boundary, %d tokens, is still taken for the last one", f.Previous)
	}
}

// TestSavedStateWithoutItsMessages: a restarted agent panics instead of saying what is missing.
func TestSavedStateWithoutItsMessages(t *testing.T) {
	saved, err := json.Marshal(stateOf(t, "user 10", "say 10").s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(saved, NewState(NewIndex())); err == nil || !strings.Contains(err.Error(), "add the messages") {
		t.Errorf("error %v", err)
	}
	if err := json.Unmarshal(saved, &State{}); err == nil || !strings.Contains(err.Error(), "NewState") {
		t.Errorf("error %v", err)
	}
}

// TestFacts: a gate opens at the wrong call.
func TestFacts(t *testing.T) {
	p := stateOf(t, "budget H=100000 T=10000 G=5000 S=50", `step summarize {"Tail": {"Tokens": 100}, "Rearm": {"Tokens": 0}}`,
		"user 10", "Read 11000", "Read 10 + Read 10", "call", "call")
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, after := range []time.Duration{0, 300 * time.Second, 310 * time.Second} {
		p.s.Append(p.ix.Add(&transcript.Message{Role: transcript.User, Origin: transcript.Person, Time: start.Add(after)}))
	}
	p.s.calls++
	v := View{s: p.s, m: p.m, step: &p.p.Steps[0], now: p.m.Prompt() + 7}
	sent := p.m.Prompt() // the new messages are empty
	want := Facts{Estimate: sent + 7, Previous: sent, Grew: 7, Messages: 8, Turns: 4, ToolUses: 2, Calls: 2, Idle: 300}
	if diff := cmp.Diff(want, v.Facts()); diff != "" {
		t.Error(diff)
	}
	v.m = counted{p.m}
	if got := v.Facts().Previous; got != 4321 {
		t.Errorf("the call before carried %d, the provider counted 4321", got)
	}
}

// counted is a meter that knows the provider's count.
type counted struct{ CharsMeter }

func (counted) Previous() transcript.Estimated { return 4321 }

// TestExplain: "why was this kept?" has no answer.
func TestExplain(t *testing.T) {
	p := stateOf(t, "budget H=100000 T=30 G=20", "step prune", `step microcompact {"KeepLast": 1, "KeepTokens": 0, "MinFreed": 0}`,
		`step summarize {"KeepUserText": 10, "Tail": {"Tokens": 30, "Min": 0}, "Size": {"Min": 10, "Max": 20}}`, "step enforce {} always",
		"system 10", "user 10", "Read 100", "Read 100 error", "Read 20", "user 5", "Camera image 300x300", "Read 100")
	got := map[string]map[MessageID]Reason{}
	p.p.Explain = func(step string, id PartID, why Reason) {
		if got[step] == nil {
			got[step] = map[MessageID]Reason{}
		}
		got[step][id.Message] = why
	}
	p.line("call")
	want := map[string]map[MessageID]Reason{
		"prune":     {10: "recent-image"},
		"micro":     {5: "error", 7: "small", 12: "protected"},
		"summarize": {0: "pinned", 1: "pinned", 8: "tail", 11: "tail", 12: "tail"},
		"enforce":   {0: "pinned", 1: "pinned", -1: "fits", 8: "floor", 11: "floor", 12: "floor"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRecordedClearsMeetOurs: a body the recorded agent cleared after us comes back, or is counted as freed twice.
func TestRecordedClearsMeetOurs(t *testing.T) {
	p := stateOf(t, "user 10", "Read 300", "Read 300", "say 10")
	ours, theirs := PartID{2, 0}, PartID{4, 0}
	p.s.forms[ours] = Form{Kind: Marker, N: 300}
	moves := p.s.Clear([]PartID{ours, theirs, {Message: 99}})
	if diff := cmp.Diff([]Move{{Part: theirs, To: Form{Kind: Marker}}}, moves); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}
	if got := p.s.Form(ours); got != (Form{Kind: Marker, N: 300}) {
		t.Errorf("our marker became %+v", got)
	}
	if got := len(p.s.results); got != 0 {
		t.Errorf("%d results can still be cleared, want none", got)
	}
}
