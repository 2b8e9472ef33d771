package estimate

import (
	"perch/estimate/models"
	"perch/formats/transcript"
)

// meter holds what has been learned so far: one learner per tokenizer family, so that ratios live on when the
// model changes inside a family.
type meter struct {
	table    *models.Table
	counter  string
	learners map[string]*learner
	current  *learner
}

// rates is what the current family's learner knows now.
func (m *meter) rates() *rates { return m.current.rates() }

// newMeter returns a meter that has learned nothing.
func newMeter(table *models.Table, counter string) *meter {
	m := &meter{table: table, counter: counter, learners: map[string]*learner{}}
	m.turn(models.Model{})
	return m
}

// turn makes a model's family the current one.
func (m *meter) turn(model models.Model) {
	l, ok := m.learners[model.Family]
	if !ok {
		l = newLearner(m.table, m.table.Family(model), m.counter)
		m.learners[model.Family] = l
	}
	m.current = l
}

// forecast is what could be known of a call's prompt before it was sent.
type forecast struct {
	model    models.Model
	anchor   int  // the judged call the prompt continues; -1: none, or one of another family
	length   int  // how many messages that call's prompt had
	switched bool // the last judged call went to another model

	overhead     transcript.Ledger // S
	noOverhead   bool              // S is neither measured nor in the table
	leaving      []transcript.PartID
	share        []transcript.Ledger // what leaves with each, negative
	step         step                // of the new parts
	sizes        []float64           // of the new parts, in the order of ledger.fresh without those that leave
	sd           float64             // of the step
	point, upper transcript.Estimated
}

// forecast estimates the prompt that call k is about to send.
func (w *walk) forecast(k int, model models.Model) *forecast {
	f := &forecast{model: model, anchor: -1}
	if w.last >= 0 {
		f.switched = w.t.Calls[w.last].Model != w.t.Calls[k].Model
	}
	if a, n := w.prompt.anchor(); a >= 0 && w.family(a) == model.Family {
		f.anchor, f.length = a, n
	}
	w.expectOverhead(f)
	f.leaving, f.share = w.leaving(model)

	known := f.overhead + w.ledger.total
	gone := map[transcript.PartID]bool{}
	for i, id := range f.leaving {
		gone[id] = true
		if w.ledger.written[w.s.Items.index(id)] {
			known += f.share[i]
		}
	}
	f.point, f.upper = f.point+transcript.Estimated(known), f.upper+transcript.Estimated(known)
	rates := w.meter.rates()
	for _, id := range w.ledger.fresh {
		if gone[id] {
			continue
		}
		around, item := w.s.wrapper(id), w.s.Item(id)
		point, upper := rates.tokens(around, item)
		f.point += point
		f.upper += upper
		size, _ := rates.size(around, item)
		f.sizes = append(f.sizes, size)
		f.step.add(around, item, w.meter.current)
	}
	_, f.sd = w.meter.current.predict(&f.step)
	return f
}

// expectOverhead puts the hidden overhead into a forecast: as measured, else as the table has it for the agent.
func (w *walk) expectOverhead(f *forecast) {
	if w.ledger.measured {
		f.overhead = w.ledger.overhead
		return
	}
	agent := w.t.Nested || w.t.Thread != "" && w.t.Thread != "main"
	prior, ok := w.table.Overhead(w.t.Format, w.t.Version, agent)
	f.overhead, f.noOverhead = transcript.Ledger(prior.Tokens), !ok
	f.upper = transcript.Estimated(upperSD * prior.SD)
}

// leaving lists the thinking of earlier turns that is still in the prompt and that the model's rule takes out before
// this call, with what each part loses. Reasoning that no part of its own holds leaves the parts of its reply.
func (w *walk) leaving(model models.Model) (ids []transcript.PartID, share []transcript.Ledger) {
	if model.Thinking != models.Dropped {
		return nil, nil
	}
	_, turn := w.prompt.lastTurn(w.t)
	for _, m := range w.prompt.messages[:turn] {
		for id := range parts(w.t, m) {
			if lost := w.ledger.thinking(id, w.guess); lost > 0 {
				ids, share = append(ids, id), append(share, -lost)
			}
		}
	}
	return ids, share
}

// family is the family of the model a call went to.
func (w *walk) family(k int) string {
	model, _ := w.table.Of(w.t, &w.t.Calls[k])
	return model.Family
}
