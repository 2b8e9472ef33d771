package estimate

import (
	"iter"
	"slices"

	"perch/formats/transcript"
)

// ledger prices the recorded prompt while a study follows it. At every judged call
//
//	overhead + the prices of the prompt's parts + the unseen growth in it = the recorded count
//
// Entries are written once. What changes a part's price afterwards is a recorded clear, which leaves a marker, or a
// fall attributed to it.
type ledger struct {
	s        *Study
	overhead transcript.Ledger // S
	measured bool              // S comes from a recorded count

	written   []bool              // per row: it has an entry
	fallen    []transcript.Ledger // per row: what falls took from it, negative
	reasoning []transcript.Ledger // per row: reasoning of the reply in its entry that no part of its own holds
	state     []partState         // per row

	total transcript.Ledger   // prices of the prompt's parts and the unseen growth in it
	fresh []transcript.PartID // the prompt's parts without an entry, in order
	grown []growth            // unseen growth in the prompt
}

// partState is what the recording did to a part.
type partState uint8

const (
	whole   partState = iota
	cleared           // by a recorded clear: a marker stands in its place
	left              // by its model's rule: nothing of it is sent any more
)

// growth is unseen growth and the message it leaves with: -1 for the start of the prompt.
type growth struct {
	message int
	tokens  transcript.Ledger
}

// newLedger returns a ledger of an empty prompt.
func newLedger(s *Study) *ledger {
	n := len(s.entries)
	return &ledger{
		s: s, written: make([]bool, n), fallen: make([]transcript.Ledger, n),
		reasoning: make([]transcript.Ledger, n), state: make([]partState, n),
	}
}

// price is what a part costs in the recorded prompt, in the state the recording left it.
func (l *ledger) price(id transcript.PartID) transcript.Ledger {
	i := l.s.Items.index(id)
	full := l.s.entries[i].Tokens + l.fallen[i]
	if l.state[i] == cleared {
		return min(full, ClearedMarker)
	}
	return full
}

// enter takes a message's parts into the prompt.
func (l *ledger) enter(m int) {
	for id := range parts(l.s.T, m) {
		if l.written[l.s.Items.index(id)] {
			l.total += l.price(id)
		} else {
			l.fresh = append(l.fresh, id)
		}
	}
}

// rewrite sums a rewritten prompt anew. Growth stays with the message it came with, and none survives a compaction.
func (l *ledger) rewrite(messages []int, compacted bool) {
	l.total, l.fresh = 0, nil
	here := map[int]bool{-1: true}
	for _, m := range messages {
		here[m] = true
		l.enter(m)
	}
	l.grown = slices.DeleteFunc(l.grown, func(g growth) bool { return compacted || !here[g.message] })
	for _, g := range l.grown {
		l.total += g.tokens
	}
}

// write gives a part its entry. A part in the prompt that had none before is counted in from now on.
func (l *ledger) write(id transcript.PartID, e Entry) {
	i := l.s.Items.index(id)
	l.s.entries[i], l.written[i] = e, true
	if at := slices.Index(l.fresh, id); at >= 0 {
		l.fresh = slices.Delete(l.fresh, at, at+1)
		l.total += l.price(id)
	}
}

// settle gives all parts of the prompt that have none their entries, in order.
func (l *ledger) settle(tokens []transcript.Ledger, firm Firmness, call int) {
	for i, id := range l.fresh {
		row := l.s.Items.index(id)
		l.s.entries[row], l.written[row] = Entry{Tokens: tokens[i], From: firm, Call: call}, true
		l.total += l.price(id)
	}
	l.fresh = nil
}

// clear replaces a part's body by a marker.
func (l *ledger) clear(id transcript.PartID, inPrompt bool) {
	i := l.s.Items.index(id)
	if l.state[i] != whole {
		return
	}
	before := l.price(id)
	l.state[i] = cleared
	if inPrompt && l.written[i] {
		l.total += l.price(id) - before
	}
}

// unseen takes growth or a fall into account: what each named part bears, or without parts a sum of its own at the
// end of the prompt.
func (l *ledger) unseen(u Unseen) {
	l.s.unseen = append(l.s.unseen, u)
	l.total += u.Tokens
	if len(u.Parts) == 0 {
		l.grown = append(l.grown, growth{u.At - 1, u.Tokens})
		return
	}
	for i, id := range u.Parts {
		row := l.s.Items.index(id)
		l.fallen[row] += u.Share[i]
		l.reasoning[row] = max(l.reasoning[row]+u.Share[i], 0)
		if l.s.T.Part(id).Kind == transcript.Thinking && l.price(id) == 0 {
			l.state[row] = left
		}
	}
}

// isWhole reports whether a part with an entry stands in the prompt as it was first sent.
func (l *ledger) isWhole(id transcript.PartID) bool {
	row := l.s.Items.index(id)
	return l.written[row] && l.state[row] == whole
}

// thinking is what a part holds of its reply's thinking, as long as that is still sent: all of a thinking part, by
// guess where it has no entry yet.
func (l *ledger) thinking(id transcript.PartID, guess func(transcript.PartID) transcript.Ledger) transcript.Ledger {
	row := l.s.Items.index(id)
	switch {
	case l.state[row] != whole:
		return 0
	case l.s.T.Part(id).Kind != transcript.Thinking:
		return l.reasoning[row]
	case !l.written[row]:
		return guess(id)
	}
	return l.price(id)
}

// parts yields the ids of a message's parts.
func parts(t *transcript.Transcript, m int) iter.Seq[transcript.PartID] {
	return func(yield func(transcript.PartID) bool) {
		for i := range t.Messages[m].Parts {
			if !yield(transcript.PartID{Message: m, Part: i}) {
				return
			}
		}
	}
}
