package estimate

import (
	"perch/estimate/models"
	"perch/formats/transcript"
)

// walk follows the recording for a study. Before each call it forecasts the prompt from what was known then; after
// it, it looks at the recorded count and lets the ledger and the meter learn.
type walk struct {
	s      *Study
	t      *transcript.Transcript
	table  *models.Table
	prompt *prompt
	ledger *ledger
	meter  *meter

	last    int     // last judged call, or -1
	trusted bool    // its output count is the price of its reply
	between between // what happened since
}

// newWalk starts before the first message.
func newWalk(s *Study, table *models.Table) *walk {
	return &walk{
		s: s, t: s.T, table: table, prompt: newPrompt(), ledger: newLedger(s),
		meter: newMeter(table, s.Items.counter.Name()), last: -1,
	}
}

// enter appends a message to the prompt.
func (w *walk) enter(m int) {
	w.prompt.push(m)
	w.ledger.enter(m)
	w.between.entered(w.s.Items, m)
}

// alter follows a recorded change.
func (w *walk) alter(c *transcript.Change) {
	compacted := c.Kind == transcript.Compact && c.Prompt != nil
	if c.Prompt != nil {
		messages := w.t.Rewrite(c, w.prompt.messages)
		w.prompt.rewrite(messages, compacted)
		w.ledger.rewrite(messages, compacted)
	}
	for _, id := range c.Reduce {
		w.guessNow(id) // no count was recorded while the body stood whole
		w.ledger.clear(id, w.prompt.holds(id.Message))
	}
	w.between.changed(c.Kind)
}

// send follows a call.
func (w *walk) send(k int) {
	w.s.from = append(w.s.from, len(w.s.unseen))
	call := &w.t.Calls[k]
	model, _ := w.table.Of(w.t, call)
	w.meter.turn(model)
	w.s.rates = append(w.s.rates, w.meter.rates())
	if call.Kind != transcript.Main {
		return
	}
	f := w.forecast(k, model)
	w.note(k, f)
	if w.s.Calls[k].Judged {
		why := w.cause(k, f)
		w.observe(k, f, why)
		w.judge(k, f, why)
		w.prompt.send(k)
		w.last = k
		w.between = between{}
	} else {
		w.between.aborted = true
	}
	w.trusted = w.reply(k)
}

// finish prices what no recorded count came after.
func (w *walk) finish() {
	w.s.from = append(w.s.from, len(w.s.unseen))
	w.s.rates = append(w.s.rates, w.meter.rates())
	for m := range w.t.Messages {
		for id := range parts(w.t, m) {
			w.guessNow(id)
		}
	}
	for _, l := range w.meter.learners {
		w.s.Saturated += l.saturated
	}
	for _, u := range w.s.unseen {
		if u.Tokens < 0 {
			w.s.Falls = append(w.s.Falls, u)
		} else {
			w.s.Grown = append(w.s.Grown, u)
		}
	}
}

// guessNow gives a part that has none the entry no recorded count will.
func (w *walk) guessNow(id transcript.PartID) {
	if !w.ledger.written[w.s.Items.index(id)] {
		w.ledger.write(id, Entry{Tokens: w.guess(id), From: Guessed, Call: len(w.t.Calls)})
	}
}

// guess is what the meter says now that a part without a recorded count costs.
func (w *walk) guess(id transcript.PartID) transcript.Ledger {
	point, _ := w.meter.rates().tokens(w.s.wrapper(id), w.s.Item(id))
	return transcript.Ledger(point)
}
