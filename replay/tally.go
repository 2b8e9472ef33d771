package replay

import (
	"fmt"

	"perch/formats/transcript"
	"perch/pipeline"
)

// callFacts is everything known of one replayed call.
type callFacts struct {
	index, number int
	judged        bool
	diverged      bool
	growth        transcript.Ledger // unseen growth the call showed

	recorded, ours, naive priced
}

// tally sums calls into a result.
type tally struct {
	e       *engine
	copies  []bool
	res     *Result
	pending []int            // recorded changes that no call has followed yet, by index in res.Changes
	last    transcript.Count // recorded prompt of the last judged call
}

// newTally starts the result of a run.
func newTally(e *engine, model string, copies []bool, findings []pipeline.Finding) *tally {
	t := e.t
	res := &Result{
		Source: t.Source, Thread: t.Thread, ID: t.ID, Format: t.Format, Agent: t.Agent, Model: model, Nested: t.Nested,
		From: e.cfg.From, Limit: e.limit, H: e.budget.Limit, Trigger: e.budget.Trigger, Target: e.budget.Target,
		Sums: newSums(e.cfg.Pipeline), Own: newSums(e.cfg.Pipeline),
		Summaries: []Summary{}, Changes: []RecordedChange{}, Warnings: []transcript.Warning{},
	}
	res.Guessed = e.limit.From == transcript.FromTable || e.limit.From == transcript.FromFallback
	res.Warnings = append(res.Warnings, t.Warnings...)
	if e.cfg.Tier != "" && e.cfg.Limit.Tokens == 0 && e.limit.From != transcript.FromTier {
		res.Warnings = append(res.Warnings, transcript.Warning{
			Message: fmt.Sprintf("the model table has no tier %s for %s, so the tier changes nothing; give --limit", e.cfg.Tier, model),
		})
	}
	for _, f := range findings {
		res.Warnings = append(res.Warnings, transcript.Warning{Message: f.Name + ": " + f.Message})
	}
	return &tally{e: e, copies: copies, res: res}
}

// changed notes a recorded change; the next judged call tells what came of it.
func (t *tally) changed(c *transcript.Change) {
	t.note(RecordedChange{Line: c.Line, Kind: string(c.Kind), Trigger: c.Trigger, Before: t.last})
}

// note adds a change that waits for the next call.
func (t *tally) note(c RecordedChange) {
	t.pending = append(t.pending, len(t.res.Changes))
	t.res.Changes = append(t.res.Changes, c)
}

// called takes one call.
func (t *tally) called(c callFacts) {
	call := &t.e.t.Calls[c.index]
	if c.judged {
		t.settleChanges(c, call)
	}
	t.res.Sums.add(t.e, call, &c)
	if t.copies == nil || !t.copies[c.index] {
		t.res.Own.add(t.e, call, &c)
	}
	if c.diverged && t.res.FirstDivergence == 0 {
		t.res.FirstDivergence = c.number
	}
	for i := range c.ours.outcomes {
		if o := &c.ours.outcomes[i]; o.Summary != nil {
			t.summary(&c, call, o)
		}
	}
	if t.e.cfg.Timeline {
		t.res.Timeline = append(t.res.Timeline, t.row(&c, call))
	}
}

// settleChanges tells the recorded changes since the last judged call what came of them. A fall of the recorded
// prompt that no record accounts for is a change too: the agent cleared something and did not say so.
func (t *tally) settleChanges(c callFacts, call *transcript.Call) {
	if len(t.pending) == 0 && fell(t.last, call.Usage.Prompt) {
		t.note(RecordedChange{Line: call.Line, Kind: "fall", Before: t.last})
	}
	if !t.last.Known() {
		t.res.Overhead.add(t.e.study.Calls[c.index].Overhead)
	}
	t.last = call.Usage.Prompt
	for _, i := range t.pending {
		t.res.Changes[i].Call, t.res.Changes[i].After = c.number, call.Usage.Prompt
	}
	t.pending = t.pending[:0]
}

// noticeableFall is how much smaller a prompt must be than the one before it, in tokens, to be listed as a change.
// Less is what thinking that leaves at a new turn, or a reminder that is not repeated, makes of a prompt.
const noticeableFall = 2000

// fell reports whether a prompt is noticeably smaller than the one before it.
func fell(before, after transcript.Count) bool {
	return before.Known() && before.N-after.N > noticeableFall
}

// summary notes what a person is told when the lossy step ran.
func (t *tally) summary(c *callFacts, call *transcript.Call, o *StepOutcome) {
	size := summaryPrice(t.e.ours.state.Summary(o.Wrote))
	kept := transcript.Ledger(0)
	prompt := t.e.ours.state.Prompt()
	for _, id := range prompt[max(0, len(prompt)-o.Summary.Kept):] {
		kept += t.e.ours.message(id)
	}
	t.res.Summaries = append(t.res.Summaries, Summary{
		Call: c.number, Line: call.Line, Freed: o.Freed,
		Messages: o.Summary.Messages, SummarizedTokens: o.Freed + size, SummaryTokens: size,
		KeptMessages: o.Summary.Kept, KeptTokens: kept, Folded: o.Summary.Folded, Simulated: o.Summary.Simulated,
	})
}

// row is the call's entry in the timeline.
func (t *tally) row(c *callFacts, call *transcript.Call) CallResult {
	return CallResult{
		Source: t.res.Source, Thread: t.res.Thread, Call: c.number, Line: call.Line, Model: call.Model,
		Recorded: call.Usage.Prompt, Naive: t.e.study.Calls[c.index].Naive,
		Estimated: c.ours.estimate, Sent: c.ours.sent, Ledger: c.ours.prompt,
		Headroom: transcript.Ledger(t.e.budget.Limit) - c.ours.prompt, CacheKept: c.ours.read.Kept,
		Overflow: c.ours.prompt > transcript.Ledger(t.e.limit.Tokens) || call.Overflow && c.ours.same, Outcomes: c.ours.outcomes,
	}
}

// finish closes the result.
func (t *tally) finish() *Result {
	r := t.res
	for _, c := range r.Changes {
		if c.Kind == string(transcript.Compact) && c.Trigger == "auto" && c.Before.Known() && r.From == Segments {
			r.Censored = r.Censored || transcript.Estimated(c.Before.N) <= r.Trigger
		}
	}
	r.Sums.group()
	r.Own.group()
	r.Usage, r.Copied = sumUsage(t.e.t, t.copies)
	r.Samples = t.e.study.Samples(t.copies)
	r.Accuracy = r.Samples.Accuracy()
	r.Identity = r.Samples.Identity()
	r.Shares = t.e.study.Shares()
	return r
}
