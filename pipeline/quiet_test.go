package pipeline

import (
	"context"
	"fmt"
	"testing"

	"perch/formats/transcript"
)

// tally is a meter that knows the prompt's size and counts how often it is asked for a part's.
type tally struct {
	CharsMeter
	prompt transcript.Estimated
	asked  *int
}

func (m tally) Prompt() transcript.Estimated { return m.prompt }

func (m tally) Part(id PartID, f Form) transcript.Estimated {
	*m.asked++
	return m.CharsMeter.Part(id, f)
}

// TestQuietCallCostsNothing: a sweep of thousands of settings over long runs takes hours if every call looks at the
// whole prompt.
func TestQuietCallCostsNothing(t *testing.T) {
	cost := func(turns int) (asked int, allocs float64) {
		p := &player{t: t, ix: NewIndex()}
		p.s = NewState(p.ix)
		p.m.State = p.s
		for range turns {
			p.line("user 20")
			p.line("Read 500 + Browser page 40 + Camera image 800x600")
			p.line("Browser page 5 changed")
		}
		m := tally{CharsMeter: p.m, prompt: 1000, asked: new(int)}
		b := Budget{Limit: 1 << 30, Trigger: 1 << 29, Target: 1 << 28}
		next := func() {
			if _, err := Default().Next(context.Background(), p.s, b, m); err != nil {
				t.Fatal(err)
			}
		}
		next() // prunes what has piled up
		*m.asked = 0
		next()
		asked = *m.asked
		return asked, testing.AllocsPerRun(10, next)
	}
	shortAsked, shortAllocs := cost(10)
	longAsked, longAllocs := cost(1000)
	if shortAsked != longAsked || shortAllocs != longAllocs {
		t.Errorf("a quiet call asks for %d parts and allocates %v times after 10 turns, %d and %v after 1000",
			shortAsked, shortAllocs, longAsked, longAllocs)
	}
}

// BenchmarkQuietCall compares a quiet call over a short and a long prompt: the ratio should be 1.
func BenchmarkQuietCall(b *testing.B) {
	for _, turns := range []int{10, 1000} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			ix := NewIndex()
			s := NewState(ix)
			for i := range turns {
				call := fmt.Sprint("c", i)
				s.Append(ix.Add(&transcript.Message{Role: transcript.Assistant, Origin: transcript.Agent, Parts: []transcript.Part{{Kind: transcript.ToolCall, CallID: call}}}))
				s.Append(ix.Add(&transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: []transcript.Part{{Kind: transcript.ToolResult, CallID: call, Text: "done"}}}))
			}
			m := tally{CharsMeter: CharsMeter{State: s}, asked: new(int)}
			p, budget := Default(), Budget{Limit: 1000, Trigger: 800, Target: 600}
			for b.Loop() {
				if _, err := p.Next(context.Background(), s, budget, m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
