package pipeline

import (
	"slices"

	"perch/formats/transcript"
)

// apply checks a plan, carries it out, and writes into the outcome what it did. It changes nothing if it refuses.
func (v *View) apply(plan *Plan, o *Outcome) error {
	if err := v.check(plan); err != nil {
		return err
	}
	o.Edits, o.Summarizer, o.TailShortened = plan.Edits, plan.Summarizer, plan.TailShortened
	if o.Reason == "" {
		o.Reason = plan.Edits[0].Reason
	}
	first, left := len(v.s.prompt), false
	for i := range plan.Edits {
		e := &plan.Edits[i]
		if e.Fold != nil {
			first, left = min(first, v.s.position(e.Fold.From)), true
			continue
		}
		for _, r := range e.Reduce {
			first = min(first, v.s.position(r.Part.Message))
			left = left || r.To.Kind == Gone
		}
	}
	o.FirstAt, o.FirstChanged = first, v.s.prompt[first]
	prompt := v.s.prompt
	for i := range plan.Edits {
		if e := &plan.Edits[i]; e.Fold != nil {
			prompt = v.fold(prompt, e.Fold, o)
		} else {
			v.reduce(e.Reduce, o)
		}
	}
	if left {
		v.s.prompt = slices.DeleteFunc(slices.Clone(prompt), func(id MessageID) bool { return v.s.cut[id] })
		v.s.rebuild()
	} else {
		v.s.settle()
	}
	v.now = o.After
	if o.Summary != nil {
		v.report(o)
	}
	return nil
}

// reduce moves parts to smaller forms.
func (v *View) reduce(list []Reduction, o *Outcome) {
	for _, r := range list {
		v.move(r.Part, r.To, o)
		if r.To.Kind != Gone {
			v.s.forms[r.Part] = r.To
			continue
		}
		for _, id := range v.s.leaves(r.Part.Message, []MessageID{r.Part.Message}) {
			v.s.cut[id] = true
		}
	}
}

// move accounts for one part.
func (v *View) move(id PartID, to Form, o *Outcome) {
	from := v.s.Form(id)
	o.Moves = append(o.Moves, Move{Part: id, From: from, To: to})
	o.After -= v.SizeAs(id, from) - v.SizeAs(id, to)
}

// fold returns the prompt with a span replaced by its summary. What the span took keeps its forms, for a rewind.
func (v *View) fold(prompt []MessageID, f *Fold, o *Outcome) []MessageID {
	from, to := v.s.position(f.From), v.s.position(f.To)+1
	report := &SummaryReport{Folded: f.Summary.Folded, Simulated: f.Summary.Text == ""}
	var took []MessageID
	before := o.After
	for _, id := range prompt[from:to] {
		if slices.Contains(f.Keep, id) {
			continue
		}
		took = append(took, id)
		if !v.isSummary(id) {
			report.Messages++
		}
		for i := range v.s.Message(id).Parts {
			v.move(PartID{id, i}, Form{Kind: Gone}, o)
		}
	}
	report.Tokens = before - o.After
	report.Size = v.sizeOf(f.Summary)
	report.Freed = report.Tokens - report.Size
	v.s.summaries = append(v.s.summaries, folded{Summary: f.Summary, Took: took, at: -1})
	o.Wrote = -MessageID(len(v.s.summaries))
	o.After += report.Size
	o.Summary = report
	return slices.Concat(prompt[:from], []MessageID{o.Wrote}, f.Keep, prompt[to:])
}

// report adds what was kept behind the summary.
func (v *View) report(o *Outcome) {
	behind := v.s.position(o.Wrote) + 1
	o.Summary.Kept = len(v.s.prompt) - behind
	o.Summary.KeptTokens = v.spanSize(behind, len(v.s.prompt))
}

// removed is what the messages of a span that a fold does not keep cost as they stand.
func (v *View) removed(from, to int, keep []MessageID) transcript.Estimated {
	var n transcript.Estimated
	for _, id := range v.s.prompt[from:to] {
		if !slices.Contains(keep, id) {
			n += v.MessageSize(id)
		}
	}
	return n
}
