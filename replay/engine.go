package replay

import (
	"context"
	"slices"

	"perch/estimate"
	"perch/estimate/models"
	"perch/formats/transcript"
	"perch/pipeline"
	"perch/replay/cost"
)

// engine carries the state of one replay from call to call.
type engine struct {
	t     *transcript.Transcript
	study *estimate.Study
	cfg   Config

	limit  transcript.Limit
	budget pipeline.Budget
	price  *pricer

	recorded, ours, naive *lane
	prompt                []pipeline.MessageID // of the recording
	raw                   []pipeline.MessageID // of a recording that had never compacted; used from raw
	cleared               []pipeline.PartID    // recorded clears in force

	overhead transcript.Ledger // S at the last judged call
	model    string            // of the last judged call
	number   int               // of the call, from 1
	tally    *tally
}

// newEngine prepares the lanes. Every message is indexed at once; lanes append as the recording does.
func newEngine(study *estimate.Study, copies []bool, cfg Config) (*engine, error) {
	t := study.T
	index := pipeline.NewIndex()
	for i := range t.Messages {
		index.Add(&t.Messages[i])
	}
	model := models.MainModel(t)
	limit := models.Limit(cfg.Models, models.Asked{Limit: cfg.Limit, Tier: cfg.Tier}, t)
	facts, _ := cfg.Models.Lookup(model)
	budget, findings := cfg.Budget.Budget(limit, facts.MaxOutput, cfg.TargetChosen)
	for _, f := range findings {
		if f.Level == pipeline.Fatal {
			return nil, Refused{t.Source, f.Message}
		}
	}
	sizes := &sizes{study: study, index: index, counter: cfg.Counter, forms: map[formKey]formSize{}}
	e := &engine{
		t: t, study: study, cfg: cfg, limit: limit, budget: budget,
		price: &pricer{study: study, sizes: sizes, falls: map[pipeline.PartID]transcript.Ledger{}},
	}
	e.recorded = e.lane(index, func(*pipeline.State) meter { return silent{} })
	e.ours = e.lane(index, func(s *pipeline.State) meter { return &calibrated{price: e.price, state: s} })
	e.naive = e.lane(index, func(s *pipeline.State) meter { return &naive{sizes: sizes, state: s} })
	e.tally = newTally(e, model, copies, findings)
	return e, nil
}

// lane returns an empty lane.
func (e *engine) lane(index *pipeline.Index, m func(*pipeline.State) meter) *lane {
	state := pipeline.NewState(index)
	return &lane{state: state, price: e.price, meter: m(state)}
}

// append takes the next recorded message.
func (e *engine) append(message int) {
	id := pipeline.MessageID(message)
	e.prompt = append(e.prompt, id)
	e.recorded.append(id)
	e.enter(id)
}

// enter appends a message to the lanes that decide. From raw, what a compaction left behind never existed.
func (e *engine) enter(id pipeline.MessageID) {
	if e.cfg.From == Raw {
		if e.t.Messages[id].Origin == transcript.Compaction {
			return
		}
		e.raw = append(e.raw, id)
	}
	e.ours.append(id)
	e.naive.append(id)
}

// alter takes the next recorded change.
func (e *engine) alter(change int) {
	c := &e.t.Changes[change]
	before := e.prompt
	e.prompt = e.rewrite(c, before)
	e.tally.changed(c)
	if c.Kind == transcript.Rewind {
		e.rewind(before)
		return
	}
	if c.Prompt == nil {
		e.clear(c)
		return
	}
	e.stillCleared()
	e.recorded.reset(e.prompt, e.cleared, e.overhead)
	if e.cfg.From == Raw {
		for _, id := range missing(missing(e.prompt, before), e.raw) {
			e.enter(id)
		}
		return
	}
	e.ours.reset(e.prompt, e.cleared, e.overhead)
	e.naive.reset(e.prompt, e.cleared, e.overhead)
}

// rewrite returns the recorded prompt after a change.
func (e *engine) rewrite(c *transcript.Change, prompt []pipeline.MessageID) []pipeline.MessageID {
	if c.Prompt == nil {
		return prompt
	}
	var ids []pipeline.MessageID
	for _, m := range e.t.Rewrite(c, nil) {
		ids = append(ids, pipeline.MessageID(m))
	}
	return ids
}

// clear clears what the recorded agent cleared, in every lane that does not pretend it never happened.
func (e *engine) clear(c *transcript.Change) {
	parts := make([]pipeline.PartID, len(c.Reduce))
	for i, id := range c.Reduce {
		parts[i] = stateID(id)
	}
	e.cleared = append(e.cleared, parts...)
	e.recorded.clear(parts, e.overhead)
	if e.cfg.From == Segments {
		e.ours.clear(parts, e.overhead)
		e.naive.clear(parts, e.overhead)
	}
}

// stillCleared keeps the recorded clears whose parts are still in the prompt.
func (e *engine) stillCleared() {
	here := make(map[pipeline.MessageID]bool, len(e.prompt))
	for _, id := range e.prompt {
		here[id] = true
	}
	e.cleared = slices.DeleteFunc(e.cleared, func(id pipeline.PartID) bool { return !here[id.Message] })
}

// rewind takes abandoned messages out of every lane and brings back those of the branch the agent returned to.
func (e *engine) rewind(before []pipeline.MessageID) {
	e.recorded.rewind(e.prompt, e.overhead)
	target := e.prompt
	if e.cfg.From == Raw {
		gone := missing(before, e.prompt)
		back := slices.DeleteFunc(missing(missing(e.prompt, before), e.raw), func(id pipeline.MessageID) bool {
			return e.t.Messages[id].Origin == transcript.Compaction
		})
		e.raw = append(missing(e.raw, gone), back...)
		slices.Sort(e.raw)
		target = e.raw
	}
	e.ours.rewind(slices.Clone(target), e.overhead)
	e.naive.rewind(slices.Clone(target), e.overhead)
}

// send replays one call: the lanes decide, then the recorded count is looked at.
func (e *engine) send(ctx context.Context, k int) error {
	call, judged := &e.t.Calls[k], &e.study.Calls[k]
	if !judged.Judged && !(call.Overflow && call.Kind == transcript.Main) {
		return nil
	}
	e.number++
	decided, err := e.decide(ctx, e.ours, k)
	if err != nil {
		return err
	}
	guessed, err := e.decide(ctx, e.naive, k)
	if err != nil {
		return err
	}
	e.observe(k)
	rates := e.rates(call)
	recorded := e.recorded.total() + e.overhead
	if judged.Judged {
		recorded = transcript.Ledger(judged.Recorded)
		e.overhead = recorded - e.recorded.total()
	}
	e.tally.called(callFacts{
		index: k, number: e.number, judged: judged.Judged,
		recorded: e.settle(e.recorded, nil, k, rates),
		ours:     e.settle(e.ours, &decided, k, rates),
		naive:    e.settle(e.naive, &guessed, k, rates),
		diverged: decided.fired() || e.ours.total() != e.recorded.total(),
		growth:   e.growth(k),
	})
	if judged.Judged {
		e.model = call.Model
	}
	return nil
}

// decision is what a lane's pipeline did before one call.
type decision struct {
	estimate transcript.Estimated // E before the first step
	sent     transcript.Estimated // E after the last step
	outcomes []StepOutcome
}

// fired reports whether any step changed the prompt.
func (d *decision) fired() bool {
	return slices.ContainsFunc(d.outcomes, func(o StepOutcome) bool { return o.Fired() })
}

// decide runs a lane's pipeline before call k and prices what it did.
func (e *engine) decide(ctx context.Context, l *lane, k int) (decision, error) {
	l.meter.before(k)
	d := decision{estimate: l.meter.Prompt()}
	outcomes, err := e.cfg.Pipeline.Next(ctx, l.state, e.budget, l.meter)
	if err != nil {
		return d, err
	}
	d.sent = d.estimate
	for _, o := range outcomes {
		d.sent -= o.Before - o.After
		d.outcomes = append(d.outcomes, StepOutcome{Outcome: o, Freed: l.take(&o, e.overhead)})
	}
	l.meter.edited(d.estimate - d.sent)
	return d, nil
}

// observe lets what the recorded count of call k showed take effect in every lane.
func (e *engine) observe(k int) {
	for _, l := range []*lane{e.recorded, e.ours, e.naive} {
		for _, u := range e.study.UnseenAt(k) {
			if u.Reinjected && l != e.recorded && e.cfg.From == Raw {
				continue
			}
			l.unexplained(u, e.overhead)
		}
	}
	for _, u := range e.study.UnseenAt(k) {
		for i, id := range u.Parts {
			e.price.falls[stateID(id)] += u.Share[i]
		}
	}
}

// growth is how much the recorded prompt of call k grew beyond what its visible parts explain.
func (e *engine) growth(k int) transcript.Ledger {
	var sum transcript.Ledger
	for _, u := range e.study.UnseenAt(k) {
		sum += max(u.Tokens, 0)
	}
	return sum
}

// priced is what one lane's call cost.
type priced struct {
	decision
	prompt transcript.Ledger
	same   bool // as large as the recorded prompt
	read   cost.Read
	milli  int64 // with the summarizer's own request
}

// settle prices a lane's prompt of call k and, where a count was recorded, reports it to the lane: a refused request
// is no anchor and warms no cache.
func (e *engine) settle(l *lane, d *decision, k int, rates cost.Rates) priced {
	if e.study.Calls[k].Judged && e.model != "" && e.model != e.t.Calls[k].Model {
		l.cache.Break(0)
	}
	p := priced{prompt: e.overhead + l.total(), same: l.total() == e.recorded.total()}
	before := l.prompt
	if e.study.Calls[k].Judged {
		p.read = l.settle(p.prompt, rates)
		p.milli = p.read.Milli
	}
	if d != nil {
		p.decision = *d
		for _, o := range d.outcomes {
			if o.Summarizer > 0 {
				p.milli += cost.Request(min(before, transcript.Ledger(o.Summarizer)), o.Summary.Size, rates)
			}
		}
	}
	return p
}

// rates are the cache multipliers of a call's model.
func (e *engine) rates(c *transcript.Call) cost.Rates {
	m, _ := e.cfg.Models.Lookup(c.Model)
	return cost.Rates{Read: m.Cache.Read, Write: m.Cache.Write, Output: m.Cache.Output}
}
