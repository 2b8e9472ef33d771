package pipeline

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// planted is a stage that makes one plan, whatever it sees.
type planted struct {
	plan  Plan
	guard Guard
}

func (planted) Name() string                                { return "planted" }
func (p planted) Plan(context.Context, *View) (Plan, error) { return p.plan, nil }
func (p planted) Guard(*View) Guard                         { return p.guard }

// plantedPrompt has, in order: 0 system, 1 user, 2 two calls, 3 and 4 their results, 5 a call, 6 its result, 7 an
// answer, 8 user.
func plantedPrompt(t *testing.T) *player {
	p := &player{t: t, ix: NewIndex()}
	p.s = NewState(p.ix)
	p.m.State = p.s
	p.b = Budget{Limit: 1000, Trigger: 800, Target: 600}
	for _, line := range []string{"system 10", "user 10", "Read 100 + Bash 100", "Camera image 300x300", "say 10", "user 10"} {
		p.line(line)
	}
	return p
}

func reduce(k FormKind, n int, parts ...PartID) []Edit {
	e := Edit{Reason: "planted"}
	for _, id := range parts {
		e.Reduce = append(e.Reduce, Reduction{Part: id, To: Form{Kind: k, N: n}})
	}
	return []Edit{e}
}

func fold(from, to MessageID, s Summary, keep ...MessageID) []Edit {
	return []Edit{{Fold: &Fold{From: from, To: to, Keep: keep, Summary: s}, Reason: "planted"}}
}

func part(m MessageID) PartID { return PartID{Message: m} }

// TestRefusedEdits: a stage with a fault must not get a broken prompt past apply, or a run ends with an error of the
// provider, or worse, goes on without what it needs.
func TestRefusedEdits(t *testing.T) {
	small := Summary{Simulated: 5}
	open := Guard{From: 8}
	for _, c := range []struct {
		name  string
		edits []Edit
		guard Guard
		want  string
	}{
		{"a result without its call", reduce(Gone, 0, part(6)), open, "message 6 would go without all of message 5"},
		{"a call without its results", reduce(Gone, 0, part(5)), open, "message 5 would go without all of message 6"},
		{"one of two parallel results", reduce(Gone, 0, part(2), PartID{2, 1}, part(3)), open, "without all of message 4"},
		{"one of two calls", reduce(Gone, 0, part(2), part(3), part(4)), open, "which belongs to it"},
		{"a protected result", reduce(Marker, 9, part(3)), Guard{From: 3}, "message 3 part 0: the message is protected"},
		{"a protected message further back", reduce(Marker, 9, part(3)), Guard{From: 8, Also: []MessageID{3}}, "protected"},
		{"a pinned message", reduce(Gone, 0, part(1)), Guard{From: 8, Pinned: []MessageID{1}}, "pinned"},
		{"the words of the model as a result", reduce(Marker, 9, part(7)), open, "has no form marker"},
		{"an image as text", reduce(HeadTail, 9, part(6)), open, "has no form head_tail"},
		{"a snapshot that is none", reduce(Actionable, 9, part(3)), open, "has no form actionable"},
		{"arguments of a call", reduce(HeadTail, 9, part(2)), open, "a part of kind tool_call has no form head_tail"},
		{"the same form", reduce(Full, 0, part(3)), open, "does not come after"},
		{"a part that is not there", reduce(Marker, 0, PartID{3, 7}), open, "no such part"},
		{"a message that is not there", reduce(Marker, 0, part(-1)), open, "not in the prompt"},
		{"one part twice", reduce(Marker, 0, part(3), part(3)), open, "touches it already"},
		{"nothing at all", reduce(Marker, 0), open, "changes nothing"},
		{"a fold backwards", fold(6, 2, small), open, "ends at message 2 before it starts"},
		{"a fold that leaves a result", fold(2, 3, small), open, "cuts through a unit"},
		{"a fold that leaves a call", fold(6, 7, small), open, "cuts through a unit"},
		{"a fold over a protected message", fold(2, 8, small), open, "message 8: the message is protected"},
		{"a fold over a pinned message", fold(1, 4, small), Guard{From: 8, Pinned: []MessageID{1}}, "message 1: the message is pinned"},
		{"a fold that keeps out of order", fold(1, 7, small, 7, 5, 6), open, "out of order"},
		{"a fold that keeps a call without its result", fold(1, 7, small, 5), open, "kept without message 6"},
		{"a fold that keeps what is outside", fold(2, 4, small, 7), open, "outside the span"},
		{"a fold that starts with what it keeps", fold(1, 4, small, 1), open, "starts with message 1, which it keeps"},
		{"a summary larger than its span", fold(7, 7, Summary{Simulated: 11}), open, "a summary of 11 tokens would replace 10"},
		{"two folds", append(fold(2, 4, small), fold(7, 7, small)...), open, "second fold"},
		{"a fold and a reduction of one message", append(fold(2, 4, small), reduce(Marker, 0, part(3))...), open, "touches it already"},
		{"a fold with reductions", []Edit{{Fold: &Fold{From: 2, To: 4, Summary: small}, Reduce: reduce(Marker, 0, part(6))[0].Reduce}}, open, "reduces and folds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plantedPrompt(t)
			before, _ := json.Marshal(p.s)
			pl := Pipeline{Steps: []Step{{ID: "fault", Stage: planted{Plan{Edits: c.edits}, c.guard}, When: When(Always)}}}
			_, err := pl.Next(context.Background(), p.s, p.b, p.m)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "step fault at call 1: edit ") {
				t.Errorf("error %v, want one with %q that names the step and the edit", err, c.want)
			}
			p.s.calls = 0
			delete(p.s.steps, "fault")
			after, _ := json.Marshal(p.s)
			if diff := cmp.Diff(string(before), string(after)); diff != "" {
				t.Errorf("a refused plan changed the state: %s", diff)
			}
		})
	}
}

// growing is a meter for which every form of a result but the first costs more.
type growing struct{ CharsMeter }

func (g growing) Part(id PartID, f Form) transcript.Estimated {
	return g.CharsMeter.Part(id, Form{}) + transcript.Estimated(f.Kind)
}

// TestRefusedGrowth: a user pays for an edit that makes the prompt larger.
func TestRefusedGrowth(t *testing.T) {
	p := plantedPrompt(t)
	pl := Pipeline{Steps: []Step{{ID: "fault", Stage: planted{Plan{Edits: reduce(Marker, 0, part(3))}, Guard{From: 8}}, When: When(Always)}}}
	_, err := pl.Next(context.Background(), p.s, p.b, growing{p.m})
	if err == nil || !strings.Contains(err.Error(), "would grow from 100 to 106 tokens") {
		t.Errorf("error %v", err)
	}
}

// TestAllowedEdits: what the stages need has to pass, also where a plan says that it shortens the tail.
func TestAllowedEdits(t *testing.T) {
	for _, c := range []struct {
		name  string
		plan  Plan
		guard Guard
		want  []MessageID
	}{
		{"a unit", Plan{Edits: reduce(Gone, 0, part(2), PartID{2, 1}, part(3), part(4))}, Guard{From: 8}, []MessageID{0, 1, 5, 6, 7, 8}},
		{"a fold that keeps a unit", Plan{Edits: fold(2, 7, Summary{Simulated: 9}, 5, 6)}, Guard{From: 8}, []MessageID{0, 1, -1, 5, 6, 8}},
		{"a protected result in a shortened tail", Plan{Edits: reduce(Marker, 9, part(3)), TailShortened: true}, Guard{From: 2}, []MessageID{0, 1, 2, 3, 4, 5, 6, 7, 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plantedPrompt(t)
			pl := Pipeline{Steps: []Step{{ID: "planted", Stage: planted{c.plan, c.guard}, When: When(Always)}}}
			out, err := pl.Next(context.Background(), p.s, p.b, p.m)
			if err != nil || !out[0].Fired() || out[0].FirstChanged != MessageID(max(2, int(c.plan.Edits[0].firstID()))) {
				t.Fatalf("%+v, %v", out, err)
			}
			if diff := cmp.Diff(c.want, p.s.Prompt()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func (e *Edit) firstID() MessageID {
	if e.Fold != nil {
		return e.Fold.From
	}
	return e.Reduce[0].Part.Message
}
