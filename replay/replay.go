// Package replay follows a recorded run call by call, asks a pipeline at every call what it would have done, and
// prices the prompt that would have been sent by what the recorded counts say its parts cost.
//
// [Run] replays one transcript, [All] many of them in bounded parallel with results in input order. Per call:
//
//  1. the messages recorded since the last call are appended to three lanes: the recording's own, ours, and the
//     same pipeline deciding on chars/4 (naive);
//  2. each lane that has a pipeline runs it on a meter that knows nothing recorded after the call before;
//  3. the recorded count is looked at: a lane's prompt costs the recorded count plus the difference between what
//     stands in the lane and what stood in the recorded prompt, in ledger tokens;
//  4. that price is what a simulated provider reports to the lane: the anchor of its next estimate.
//
// Before the first divergence a lane holds what the recording holds, so its price is the recorded count, to the
// token. After it every number is conditional: if the agent had taken the same steps.
package replay

import (
	"context"
	"fmt"

	"perch/estimate"
	"perch/estimate/models"
	"perch/formats/transcript"
	"perch/pipeline"
)

// Config says what to replay with.
type Config struct {
	Pipeline pipeline.Pipeline
	Budget   pipeline.BudgetConfig
	// TargetChosen: a person wrote the target, so one too close to the trigger is an error and not lowered.
	TargetChosen bool
	Limit        transcript.Limit // given by a person; zero: found by estimate/models
	Tier         string           // names the larger window a subscription unlocks; "" for none
	From         From
	Counter      estimate.Counter
	Models       *models.Table
	Timeline     bool // keep every call's result
	// KeepDuplicates counts the calls that an earlier recording holds too, as resumed and forked sessions do.
	KeepDuplicates bool
}

// Refused is the error of a run that cannot be replayed as asked.
type Refused struct {
	Source string `json:"source"`
	Reason string `json:"reason"`
}

// Error implements error.
func (r Refused) Error() string { return r.Source + ": " + r.Reason }

// Run replays one transcript. The calls that copies marks were recorded in an earlier transcript too: they are
// replayed like any other and left out of the usage totals and the accuracy.
func Run(ctx context.Context, t *transcript.Transcript, copies []bool, cfg Config) (*Result, error) {
	if cfg.From == Raw && t.BeginsAtBoundary() {
		return nil, Refused{t.Source, "starts at a compaction, so the history a raw replay needs is not in the file; use --from segments"}
	}
	study := estimate.NewStudy(t, estimate.Options{Counter: cfg.Counter, Models: cfg.Models})
	e, err := newEngine(study, copies, cfg)
	if err != nil {
		return nil, err
	}
	for event := range t.Walk() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch event.Kind {
		case transcript.Append:
			e.append(event.Index)
		case transcript.Alter:
			e.alter(event.Index)
		case transcript.Send:
			if err := e.send(ctx, event.Index); err != nil {
				return nil, fmt.Errorf("replaying %s: call at line %d: %w", t.Source, t.Calls[event.Index].Line, err)
			}
		}
	}
	return e.tally.finish(), nil
}
