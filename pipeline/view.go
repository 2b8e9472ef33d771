package pipeline

import (
	"iter"
	"slices"
	"sort"

	"perch/formats/transcript"
)

// View is what a stage sees: the state, read-only, with this call's meter, budget and protections.
type View struct {
	s      *State
	m      Meter
	steps  []Step
	budget Budget
	now    transcript.Estimated // E, less what was freed so far at this call

	step    *Step
	guard   Guard
	explain func(step string, id PartID, why Reason)
}

// Budget returns the limits of the call.
func (v *View) Budget() Budget { return v.budget }

// Estimate returns E: what the request costs as it stands now, after the steps before this one.
func (v *View) Estimate() transcript.Estimated { return v.now }

// Overhead returns S: what the provider counts and the messages do not show.
func (v *View) Overhead() transcript.Estimated { return v.m.Overhead() }

// Call returns the number of the model call that is being prepared, from 1.
func (v *View) Call() int { return v.s.calls }

// Guard returns what this step must not touch.
func (v *View) Guard() Guard { return v.guard }

// Protected reports whether this step must not touch a message.
func (v *View) Protected(id MessageID) bool {
	held, _ := v.guard.protects(v.s, id)
	return held
}

// Prompt returns the ids in the prompt, in order; the caller must not change the slice.
func (v *View) Prompt() []MessageID { return v.s.Prompt() }

// Message returns a message by its id, a summary's included. It must not be changed.
func (v *View) Message(id MessageID) *transcript.Message { return v.s.Message(id) }

// part returns the part an id names.
func (v *View) part(id PartID) *transcript.Part { return &v.s.Message(id.Message).Parts[id.Part] }

// Form returns the form a part stands in.
func (v *View) Form(id PartID) Form { return v.s.Form(id) }

// Position returns where a message stands in the prompt, or -1.
func (v *View) Position(id MessageID) int { return v.s.position(id) }

// Units returns the atomic groups of the prompt; with loops, a tool loop that carries signed thinking is one.
func (v *View) Units(loops bool) []transcript.Unit {
	if !loops {
		return v.s.units[:len(v.s.units):len(v.s.units)]
	}
	at := func(i int) *transcript.Message { return v.s.Message(v.s.prompt[i]) }
	return transcript.Units(len(v.s.prompt), at, true)
}

// Typed returns the messages in the prompt that a person typed, in order; the caller must not change the slice.
func (v *View) Typed() []MessageID { return v.s.typed[:len(v.s.typed):len(v.s.typed)] }

// Results yields the messages that hold tool results not reduced to markers yet, newest first.
func (v *View) Results() iter.Seq[MessageID] { return backward(v.s.results) }

// Pages yields the parts with page snapshots that are whole or actionable, newest first.
func (v *View) Pages() iter.Seq[PartID] { return backward(v.s.pages) }

// Images yields the images that are not stubs yet, newest first.
func (v *View) Images() iter.Seq[PartID] { return backward(v.s.images) }

func backward[T any](list []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, e := range slices.Backward(list) {
			if !yield(e) {
				return
			}
		}
	}
}

// Text returns what text of our own costs.
func (v *View) Text(text string) transcript.Estimated { return v.m.Text(text) }

// Size returns what a part costs in the form it stands in.
func (v *View) Size(id PartID) transcript.Estimated { return v.SizeAs(id, v.s.Form(id)) }

// SizeAs returns what a part would cost in a form.
func (v *View) SizeAs(id PartID, f Form) transcript.Estimated {
	switch {
	case f.Kind == Gone:
		return 0
	case id.Message < 0:
		return v.sizeOf(v.s.Summary(id.Message))
	}
	return v.m.Part(id, f)
}

// sizeOf returns what a summary costs: what was simulated, or its text.
func (v *View) sizeOf(s Summary) transcript.Estimated {
	if s.Text == "" {
		return s.Simulated
	}
	return v.m.Text(s.Text)
}

// MessageSize returns what a message costs as it stands.
func (v *View) MessageSize(id MessageID) transcript.Estimated {
	var n transcript.Estimated
	for i := range v.s.Message(id).Parts {
		n += v.Size(PartID{id, i})
	}
	return n
}

// spanSize returns what the messages at positions [from, to) cost as they stand.
func (v *View) spanSize(from, to int) transcript.Estimated {
	var n transcript.Estimated
	for _, id := range v.s.prompt[from:to] {
		n += v.MessageSize(id)
	}
	return n
}

// Facts returns what gates ask about, for this step.
func (v *View) Facts() Facts {
	mem := v.memory()
	f := Facts{
		Estimate: v.now,
		Previous: v.s.sent,
		Grew:     v.now - mem.After,
		Messages: len(v.s.prompt),
		Turns:    len(v.s.typed),
		ToolUses: v.s.uses,
		Calls:    v.s.calls - mem.lastFire(),
		Idle:     v.s.pause,
	}
	if p, ok := v.m.(interface{ Previous() transcript.Estimated }); ok {
		f.Previous = p.Previous()
	}
	return f
}

// memory is what the state remembers of this step.
func (v *View) memory() *memory { return v.s.of(v.step.ID) }

// unitAt returns the unit around a position.
func (s *State) unitAt(pos int) transcript.Unit {
	i := sort.Search(len(s.units), func(i int) bool { return s.units[i].To > pos })
	return s.units[i]
}

// ordered sorts ids by their place in the prompt and drops doubles and those that do not stand there.
func (v *View) ordered(ids []MessageID) []MessageID {
	ids = slices.DeleteFunc(ids, func(id MessageID) bool { return v.s.position(id) < 0 })
	slices.SortFunc(ids, func(a, b MessageID) int { return v.s.position(a) - v.s.position(b) })
	return slices.Compact(ids)
}

// isSummary reports whether a message is a summary, of ours or recorded.
func (v *View) isSummary(id MessageID) bool {
	return id < 0 || slices.ContainsFunc(v.s.Message(id).Parts, func(p transcript.Part) bool { return p.Kind == transcript.Summary })
}
