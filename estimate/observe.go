package estimate

import (
	"math"

	"perch/formats/transcript"
)

// Bounds of what is still taken for the cost of visible parts: beyond the estimate by plausibleSD standard
// deviations and plausibleTokens, at most by plausibleMost or its share of the prompt.
const (
	plausibleSD     = 4.0
	plausibleTokens = 150.0
	plausibleMost   = 2000.0
	plausibleShare  = 0.05
)

// observe looks at the recorded count of judged call k: it writes the entries of the new parts so that the ledger
// adds up to that count, and lets the meter learn where nothing but the parts can explain it.
func (w *walk) observe(k int, f *forecast, why Cause) {
	l := w.ledger
	w.leave(k, f)
	recorded := transcript.Ledger(w.t.Calls[k].Usage.Prompt.N)
	estimate := roundAll(f.sizes)
	rest := recorded - l.total - sum(estimate) // what is left for the overhead and whatever is unseen
	switch {
	case !l.measured:
		l.measured = true
		if rest < 0 {
			estimate = apportion(max(recorded-l.total, 0), f.sizes)
		}
		l.settle(estimate, Guessed, k)
		w.step(k, recorded-l.total, why)
	case f.anchor < 0 && w.between.compacted:
		l.settle(estimate, Guessed, k)
		if unseen := rest - l.overhead; unseen != 0 {
			l.unseen(Unseen{Call: k, Tokens: unseen, At: w.end(), Reinjected: true, Cause: Boundary})
		}
	case f.anchor < 0 || f.switched:
		l.settle(estimate, Guessed, k)
		w.step(k, rest, why)
	default:
		w.split(k, f, why, estimate, rest-l.overhead)
	}
}

// split divides what a prompt grew by between its new parts and what is unseen. off is how much more it grew than
// the new parts were estimated at.
func (w *walk) split(k int, f *forecast, why Cause, estimate []transcript.Ledger, off transcript.Ledger) {
	recorded := float64(w.t.Calls[k].Usage.Prompt.N)
	slack := transcript.Ledger(min(plausibleSD*f.sd+plausibleTokens, plausibleMost, plausibleShare*recorded))
	grew := sum(estimate) + off
	if len(estimate) > 0 && grew >= 0 && off <= slack && off >= -slack {
		firm := Shared
		if len(estimate) == 1 {
			firm = Exact
		}
		w.ledger.settle(apportion(grew, f.sizes), firm, k)
		if w.between.plain() && !w.hosted(k) && len(f.leaving) == 0 {
			w.meter.current.learn(&f.step, float64(grew))
		}
		return
	}
	w.ledger.settle(estimate, Guessed, k)
	if off > 0 {
		w.ledger.unseen(Unseen{Call: k, Tokens: off, At: w.end(), Cause: why})
		return
	}
	w.shrink(k, -off, why)
}

// leave commits the thinking that left by the model's rule.
func (w *walk) leave(k int, f *forecast) {
	if len(f.leaving) == 0 {
		return
	}
	for _, id := range f.leaving {
		w.guessNow(id)
	}
	w.ledger.unseen(Unseen{
		Call: k, Tokens: sum(f.share), At: w.end(), Parts: f.leaving, Share: f.share,
		Cause: leavingCause(f.model), Foreseen: true,
	})
}

// step moves the overhead by what a prompt changed at unchanged content. Overhead is never negative: what it cannot
// bear the parts do.
func (w *walk) step(k int, overhead transcript.Ledger, why Cause) {
	w.ledger.overhead = max(overhead, 0)
	if overhead < 0 {
		w.shrink(k, -overhead, why)
	}
}

// shrink attributes a fall of the recorded prompt: to the thinking of the last turn where a person has spoken since,
// then to the bodies of tool results, oldest first. What they cannot bear is left without parts.
func (w *walk) shrink(k int, tokens transcript.Ledger, why Cause) {
	u := Unseen{Call: k, At: w.end(), Cause: fallCause(why)}
	take := func(id transcript.PartID, most transcript.Ledger) {
		if n := min(most, tokens); n > 0 {
			u.Parts, u.Share = append(u.Parts, id), append(u.Share, -n)
			u.Tokens -= n
			tokens -= n
		}
	}
	if w.between.person {
		from, to := w.prompt.lastTurn(w.t)
		for _, m := range w.prompt.messages[from:to] {
			for id := range parts(w.t, m) {
				take(id, w.ledger.thinking(id, w.guess))
			}
		}
	}
	for _, m := range w.prompt.messages {
		for id := range parts(w.t, m) {
			if w.t.Part(id).Kind == transcript.ToolResult && w.ledger.isWhole(id) {
				take(id, w.ledger.price(id)-ClearedMarker)
			}
		}
	}
	if len(u.Parts) > 0 {
		w.ledger.unseen(u)
	}
	if tokens > 0 {
		w.ledger.unseen(Unseen{Call: k, Tokens: -tokens, At: w.end(), Cause: u.Cause})
	}
}

// end is the position behind the prompt's last message.
func (w *walk) end() int {
	if n := len(w.prompt.messages); n > 0 {
		return w.prompt.messages[n-1] + 1
	}
	return 0
}

// roundAll rounds to whole tokens.
func roundAll(sizes []float64) []transcript.Ledger {
	tokens := make([]transcript.Ledger, len(sizes))
	for i, s := range sizes {
		tokens[i] = transcript.Ledger(math.Round(s))
	}
	return tokens
}

// sum adds tokens.
func sum(tokens []transcript.Ledger) (total transcript.Ledger) {
	for _, n := range tokens {
		total += n
	}
	return total
}
