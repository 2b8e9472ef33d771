package replay

import (
	"perch/formats/transcript"
	"perch/pipeline"
)

// newSums returns sums with a row for every step.
func newSums(p pipeline.Pipeline) Sums {
	s := Sums{Steps: []StepTotal{}}
	for _, step := range p.Steps {
		s.Steps = append(s.Steps, newStepTotal(step.ID, step.Stage.Name()))
	}
	return s
}

// newStepTotal returns the row of a step that has not run; a row by kind has no id.
func newStepTotal(id, use string) StepTotal {
	return StepTotal{ID: id, Use: use, Skipped: map[pipeline.SkipReason]int{}}
}

// add sums one call.
func (s *Sums) add(e *engine, call *transcript.Call, c *callFacts) {
	h, limit := transcript.Ledger(e.budget.Limit), transcript.Ledger(e.limit.Tokens)
	if c.judged {
		s.addJudged(call, c, h)
	}
	if call.Overflow || c.judged && c.recorded.prompt > limit {
		s.RecordedOverflows++
	}
	over := func(p *priced) bool { return p.prompt > limit || call.Overflow && p.same }
	if over(&c.naive) {
		s.NaiveOverflows++
	}
	if c.ours.prompt > h {
		s.OverLimit++
	}
	if over(&c.ours) {
		s.Overflows++
		s.UnrecordedGrowth += c.growth
	}
	for i := range c.ours.outcomes {
		s.addOutcome(i, c)
	}
}

// addJudged sums what only a recorded count makes comparable.
func (s *Sums) addJudged(call *transcript.Call, c *callFacts, h transcript.Ledger) {
	prompt := c.ours.prompt
	s.Calls++
	s.PromptRecorded.add(call.Usage.Prompt.N)
	s.PeakRecorded.max(call.Usage.Prompt.N)
	s.CostRecorded.add(c.recorded.milli)
	s.PromptReplayed.add(prompt)
	s.PeakReplayed.max(prompt)
	s.CostReplayed.add(c.ours.milli)
	s.headroom(h - prompt)
	if c.ours.read.Broke {
		s.CacheBreaks++
	}
	if c.recorded.read.Broke {
		s.CacheBreaksRecorded++
	}
	if 2*prompt > h {
		s.OverHalf++
	}
	if 5*prompt > 4*h {
		s.Over80++
	}
}

// headroom keeps the smallest.
func (s *Sums) headroom(room transcript.Ledger) {
	if s.MinHeadroom == nil || room < *s.MinHeadroom {
		s.MinHeadroom = &room
	}
}

// addOutcome sums what one step did at one call.
func (s *Sums) addOutcome(step int, c *callFacts) {
	o, sum := &c.ours.outcomes[step], &s.Steps[step]
	if o.Ran {
		sum.Ran++
	}
	if o.Skip != "" {
		sum.Skipped[o.Skip]++
	}
	if o.Impossible != "" {
		s.Impossible++
	}
	s.SummarizerTokens += o.Summarizer
	if !o.Fired() {
		return
	}
	sum.Fired++
	sum.FreedTokens += o.Freed
	sum.FreedEstimated += o.Before - o.After
	sum.Parts += len(o.Moves)
	if sum.FirstCall == 0 {
		sum.FirstCall = c.number
	}
	if o.Freed < 0 {
		sum.Grew++
	}
}

// group fills Stages from Steps.
func (s *Sums) group() {
	s.Stages = map[string]StepTotal{}
	for _, step := range pipeline.Default().Steps {
		use := step.Stage.Name()
		s.Stages[use] = newStepTotal("", use)
	}
	for _, step := range s.Steps {
		sum := s.Stages[step.Use]
		if sum.Skipped == nil {
			sum = newStepTotal("", step.Use)
		}
		sum.add(step)
		s.Stages[step.Use] = sum
	}
}

// merge adds another run's sums. Steps are matched by id.
func (s *Sums) merge(o *Sums) {
	s.Calls += o.Calls
	s.Overflows += o.Overflows
	s.RecordedOverflows += o.RecordedOverflows
	s.NaiveOverflows += o.NaiveOverflows
	s.OverLimit += o.OverLimit
	s.Impossible += o.Impossible
	s.UnrecordedGrowth += o.UnrecordedGrowth
	s.SummarizerTokens += o.SummarizerTokens
	s.mergeTotals(o)
	if o.MinHeadroom != nil {
		s.headroom(*o.MinHeadroom)
	}
	s.OverHalf += o.OverHalf
	s.Over80 += o.Over80
	s.CacheBreaks += o.CacheBreaks
	s.CacheBreaksRecorded += o.CacheBreaksRecorded
	for i := range o.Steps {
		step := o.Steps[i]
		step.FirstCall = 0 // a place in one run says nothing about several
		s.step(&step).add(step)
	}
}

// mergeTotals adds what may not exist in either.
func (s *Sums) mergeTotals(o *Sums) {
	if o.Calls == 0 {
		return
	}
	s.PeakRecorded.max(o.PeakRecorded.N)
	s.PeakReplayed.max(o.PeakReplayed.N)
	s.PromptRecorded.add(o.PromptRecorded.N)
	s.PromptReplayed.add(o.PromptReplayed.N)
	s.CostRecorded.add(o.CostRecorded.N)
	s.CostReplayed.add(o.CostReplayed.N)
}

// step finds the row of a step, or makes it.
func (s *Sums) step(of *StepTotal) *StepTotal {
	for i := range s.Steps {
		if s.Steps[i].ID == of.ID {
			return &s.Steps[i]
		}
	}
	s.Steps = append(s.Steps, newStepTotal(of.ID, of.Use))
	return &s.Steps[len(s.Steps)-1]
}

// add sums another step's row of the same run.
func (s *StepTotal) add(o StepTotal) {
	if s.FirstCall == 0 || o.FirstCall != 0 && o.FirstCall < s.FirstCall {
		s.FirstCall = o.FirstCall
	}
	s.Ran += o.Ran
	s.Fired += o.Fired
	s.FreedTokens += o.FreedTokens
	s.FreedEstimated += o.FreedEstimated
	s.Parts += o.Parts
	s.Grew += o.Grew
	for reason, n := range o.Skipped {
		s.Skipped[reason] += n
	}
}

// sumUsage sums the recorded usage of calls that are not copies, and counts the copies.
func sumUsage(t *transcript.Transcript, copies []bool) (sum UsageTotals, copied int) {
	for i := range t.Calls {
		usage := &t.Calls[i].Usage
		switch {
		case !usage.Prompt.Known():
		case copies != nil && copies[i]:
			copied++
		default:
			sum.Calls++
			sum.Input += usage.Uncached()
			sum.Output += usage.Output.N
			sum.CacheRead += usage.CacheRead.N
			sum.CacheWrite += usage.CacheWrite.N
		}
	}
	return sum, copied
}

// add sums another run's usage.
func (u *UsageTotals) add(o UsageTotals) {
	u.Calls += o.Calls
	u.Input += o.Input
	u.Output += o.Output
	u.CacheRead += o.CacheRead
	u.CacheWrite += o.CacheWrite
}
