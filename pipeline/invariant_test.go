package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// The nine invariants of the pipeline, on random transcripts under random settings. Each test is named for what a
// user loses where it fails.

// A request that does not fit is refused by the provider, and the run ends there.
func TestRequestAlwaysFitsOrIsCalledImpossible(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			out := w.next()
			last := out[len(out)-1]
			if last.After > w.b.Limit && last.Impossible == "" {
				w.t.Fatalf("%d tokens are sent over a limit of %d: %+v", last.After, w.b.Limit, last)
			}
			if last.After <= w.b.Limit && last.Impossible != "" {
				w.t.Fatalf("called impossible at %d of %d tokens: %s", last.After, w.b.Limit, last.Impossible)
			}
		})
	})
}

// A provider refuses a prompt with a result without its call, and a model repeats a call whose answer was lost.
func TestPromptStaysPairedAndInOrder(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			w.next()
			prompt := w.s.Prompt()
			msgs, err := w.s.Render(nil)
			if err != nil {
				w.t.Fatal(err)
			}
			if err := transcript.CheckPrompt(len(msgs), func(i int) *transcript.Message { return &msgs[i] }); err != nil {
				w.t.Fatal(err)
			}
			own := slices.DeleteFunc(slices.Clone(prompt), func(id MessageID) bool { return id < 0 })
			if !slices.IsSorted(own) {
				w.t.Fatalf("order changed: %v", prompt)
			}
			for _, id := range own { // a unit of the recording is there whole or not at all
				u := recordedUnit(w, id)
				for other := MessageID(u.From); int(other) < u.To && int(other) < w.appended; other++ {
					if w.s.position(other) < 0 {
						w.t.Fatalf("message %d stands without message %d of its unit", id, other)
					}
				}
			}
		})
	})
}

func recordedUnit(w *world, id MessageID) transcript.Unit {
	units := transcript.Units(len(w.r.msgs), func(i int) *transcript.Message { return &w.r.msgs[i] }, false)
	i := slices.IndexFunc(units, func(u transcript.Unit) bool { return u.To > int(id) })
	return units[i]
}

// The agent loses the thread of what it is doing right now.
func TestProtectedMessagesStayWordForWord(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			v := w.view()
			for i := range w.p.Steps {
				protected := promised(w, v, i)
				before := byID(w.t, w.s)
				o := w.step(v, i)
				after := byID(w.t, w.s)
				if o.TailShortened {
					continue
				}
				for _, id := range protected {
					if before[id] != after[id] {
						w.t.Fatalf("%s changed message %d of %v:\n%s", o.Step, id, w.s.Prompt(), cmp.Diff(before[id], after[id]))
					}
				}
			}
			w.s.sending(v.now)
		})
	})
}

// promised returns what a step promises to leave alone, worked out from the settings rather than from its guard.
func promised(w *world, v *View, step int) []MessageID {
	units := w.s.units
	if len(units) == 0 {
		return nil
	}
	ids := slices.Clone(w.s.prompt[units[len(units)-1].From:])
	switch stage := w.p.Steps[step].Stage.(type) {
	case Microcompact:
		last := 0
		for id := range v.Results() {
			m := w.s.Message(id)
			if p := &m.Parts[0]; last < stage.KeepLast && stage.handles(p) {
				ids = append(ids, id)
				if v.Size(PartID{id, 0}) >= stage.MinBody {
					last++
				}
			}
		}
	case Summarize:
		ids = append(ids, w.s.typed[max(len(w.s.typed)-1, 0):]...)
		ids = append(ids, v.pins(stage.Pin)...)
		var used transcript.Estimated
		for i := len(units) - 1; i >= 0; i-- { // at least what fits Min
			if used += v.spanSize(units[i].From, units[i].To); used > stage.Tail.Min.Of(w.b.Limit) {
				break
			}
			if !stage.LoopAtomic {
				ids = append(ids, w.s.prompt[units[i].From:units[i].To]...)
			}
		}
	case Enforce:
		ids = append(ids, w.s.typed[max(len(w.s.typed)-1, 0):]...)
		ids = append(ids, v.pins(stage.Pin)...)
	}
	return ids
}

// A step that makes the prompt larger brings the overflow it should prevent.
func TestNoEditGrowsThePrompt(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			for _, o := range w.next() {
				extra := transcript.Estimated(0)
				if o.Wrote != 0 {
					extra = w.s.Summary(o.Wrote).Reinjected
				}
				if o.After > o.Before+extra {
					w.t.Fatalf("%s grew the prompt from %d to %d", o.Step, o.Before, o.After)
				}
				for _, mv := range o.Moves {
					if mv.Part.Message >= 0 && w.m.Part(mv.Part, mv.To) > w.m.Part(mv.Part, mv.From) && mv.To.Kind != Gone {
						w.t.Fatalf("%s grew part %v", o.Step, mv)
					}
				}
			}
		})
	})
}

// A live agent's own history, or another replay of the same transcript, is corrupted.
func TestInputsAreNotModified(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		before, _ := json.Marshal(w.r.msgs)
		w.calls(func() {
			w.next()
			rendered(w.t, w.s)
		})
		if after, _ := json.Marshal(w.r.msgs); string(before) != string(after) {
			w.t.Fatal("the messages changed")
		}
	})
}

// Asking twice before one call would compact twice.
func TestSecondRunAtTheSameCallDoesNothing(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			first := w.next()
			for i, o := range w.clone().next() {
				if !o.Fired() {
					continue
				}
				if first[i].Skip == Batching || o.Use == "summarize" && !first[i].Fired() {
					break // it had waited; the steps after it see another prompt
				}
				w.t.Fatalf("%s fired again: %+v after %+v", o.Step, o, first[i])
			}
		})
	})
}

// The report of what was freed does not add up.
func TestFreedTokensAddUp(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			e := w.m.Prompt()
			for _, o := range w.next() {
				if o.Before != e {
					w.t.Fatalf("%s starts at %d, the step before it ended at %d", o.Step, o.Before, e)
				}
				for _, mv := range o.Moves {
					e -= priced(w, mv.Part, mv.From) - priced(w, mv.Part, mv.To)
				}
				if o.Wrote != 0 {
					e += priced(w, PartID{o.Wrote, 0}, Form{})
				}
				if o.After != e {
					w.t.Fatalf("%s ends at %d, its moves at %d", o.Step, o.After, e)
				}
			}
			if sent := w.m.Prompt(); sent != e {
				w.t.Fatalf("the prompt costs %d, the outcomes say %d", sent, e)
			}
		})
	})
}

func priced(w *world, id PartID, f Form) transcript.Estimated {
	v := View{s: w.s, m: w.m}
	return v.SizeAs(id, f)
}

// A baseline kept in CI changes from one run to the next.
func TestSameInputGivesTheSameBytes(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		again := w.clone()
		run := func(w *world) (all []string) {
			w.calls(func() {
				b, _ := json.Marshal(w.next())
				all = append(append(all, string(b)), rendered(w.t, w.s)...)
			})
			return all
		}
		if diff := cmp.Diff(run(w), run(again)); diff != "" {
			w.t.Fatal(diff)
		}
	})
}

// A sweep's numbers depend on how many workers it had.
func TestManyStatesShareOneIndex(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		results := make([]string, 4)
		var group sync.WaitGroup
		for i := range results {
			c := w.clone()
			c.m.known = map[Reduction]transcript.Estimated{}
			group.Go(func() {
				c.calls(func() {
					out, err := c.p.Next(context.Background(), c.s, c.b, c.m)
					b, _ := json.Marshal(out)
					results[i] += fmt.Sprint(string(b), err)
				})
			})
		}
		group.Wait()
		for _, r := range results[1:] {
			if diff := cmp.Diff(results[0], r); diff != "" {
				w.t.Fatal(diff)
			}
		}
	})
}

// "What would this call have carried without that step?" gets a wrong answer.
func TestStepCanBeTakenOutOfTheOverlay(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		w.calls(func() {
			v := w.view()
			for i := range w.p.Steps {
				want := rendered(w.t, w.s)
				order := slices.Clone(w.s.prompt)
				o := w.step(v, i)
				c := w.clone()
				undo(c.s, order, o)
				if diff := cmp.Diff(want, rendered(w.t, c.s)); diff != "" {
					w.t.Fatalf("without %s: %s", o.Step, diff)
				}
			}
			w.s.sending(v.now)
		})
	})
}

// undo takes an outcome's moves back; order only says where what comes back belongs.
func undo(s *State, order []MessageID, o Outcome) {
	standing := map[MessageID]bool{}
	for _, id := range s.prompt {
		standing[id] = o.Wrote == 0 || id != o.Wrote
	}
	for _, mv := range o.Moves {
		s.forms[mv.Part] = mv.From
		delete(s.cut, mv.Part.Message)
		standing[mv.Part.Message] = true
	}
	s.prompt = slices.DeleteFunc(slices.Clone(order), func(id MessageID) bool { return !standing[id] })
	s.rebuild()
}

// A restarted agent forgets what was compacted, or compacts differently.
func TestRestartChangesNothing(t *testing.T) {
	forRandomRuns(t, func(w *world) {
		other := w.clone()
		other.calls(func() {
			for ; w.appended < other.appended; w.appended++ {
				w.s.Append(MessageID(w.appended))
			}
			want, _ := json.Marshal(w.next())
			got, _ := json.Marshal(other.next())
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				w.t.Fatal(diff)
			}
			other.s = copyState(w.t, other.s)
			other.m.State = other.s
		})
	})
}
