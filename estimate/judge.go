package estimate

import "perch/formats/transcript"

// note writes down what call k's forecast said and, where the call has a recorded prompt, how it compares.
func (w *walk) note(k int, f *forecast) {
	c, call := &w.s.Calls[k], &w.t.Calls[k]
	c.Point, c.Upper, c.NoOverhead = f.point, f.upper, f.noOverhead
	c.OverheadPrev, c.Overhead = transcript.Estimated(f.overhead), w.ledger.overhead
	c.HasAnchor = f.anchor >= 0
	c.Naive, c.Local = w.visible(0)
	if f.anchor >= 0 {
		c.Previous = w.s.Calls[w.last].Recorded
		fresh, _ := w.visible(f.length)
		c.Anchored = transcript.Estimated(w.s.Calls[f.anchor].Recorded) + transcript.Estimated(fresh)
	}
	if call.Usage.Prompt.From == transcript.Provider && call.Usage.Prompt.N > 0 && call.Err == "" {
		c.Judged, c.Recorded = true, call.Usage.Prompt.N
	}
}

// visible is what is visible of the prompt from a position on, in chars/4 and by the study's counter.
func (w *walk) visible(from int) (naive, local transcript.Local) {
	for _, m := range w.prompt.messages[from:] {
		for id := range parts(w.t, m) {
			item := w.s.Items.Item(id)
			switch w.ledger.state[w.s.Items.index(id)] {
			case whole:
				naive, local = naive+item.Naive, local+item.Local
			case cleared:
				naive += min(item.Naive, transcript.Local(ClearedMarker))
				local += min(item.Local, transcript.Local(ClearedMarker))
			}
		}
	}
	return naive, local
}

// judge fills in what only the recorded count of call k tells.
func (w *walk) judge(k int, f *forecast, why Cause) {
	c := &w.s.Calls[k]
	c.Overhead = w.ledger.overhead
	off := transcript.Ledger(c.Recorded) - transcript.Ledger(c.Point)
	if off > gapTokens || off < -gapTokens {
		c.Gap = why
	}
	if f.anchor < 0 {
		return
	}
	c.Residual = off
	if !w.between.altered() && !f.switched {
		c.FreeResidual = w.s.Calls[f.anchor].FreeResidual + off
	}
	c.Clean = w.trusted && w.between.plain() && !w.between.person && !w.between.injected &&
		!f.switched && len(f.leaving) == 0 && !w.hosted(k) && !w.broken(k)
}
