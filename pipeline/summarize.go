package pipeline

import (
	"context"

	"perch/formats/transcript"
)

// Summarize replaces the older stretch of a conversation by a summary and keeps a recent tail word for word. It is
// the one lossy step that is planned for, so its outcomes are surfaced.
type Summarize struct {
	Pin          []Pin                `yaml:"pin"`            // messages that never go
	Tail         Tail                 `yaml:"tail"`           // the recent history that stays word for word
	KeepUserText Amount               `yaml:"keep_user_text"` // tokens of the newest typed messages that stay beside the summary
	Fold         FoldMode             `yaml:"fold"`           // what becomes of an earlier summary
	Size         Size                 `yaml:"size"`           // how large a simulated summary is
	MustShrink   float64              `yaml:"must_shrink"`    // a summary has to be smaller than what it replaces by this share of it
	Breaker      Breaker              `yaml:"breaker"`
	Rearm        Rearm                `yaml:"rearm"`
	Escalate     int                  `yaml:"escalate"`    // also runs at E > G when microcompact fires again within so many calls; 0: never
	Fail         Fail                 `yaml:"fail"`        // simulated failures, to see the backstop work
	Reinject     transcript.Estimated `yaml:"reinject"`    // tokens the agent puts back after a summary (memory files, skills)
	LoopAtomic   bool                 `yaml:"loop_atomic"` // never split a tool loop that carries signed thinking

	// By makes the summaries; nil simulates them by their size.
	By Summarizer `yaml:"-"`
}

// Pin names messages that stay for good.
type Pin string

// The pins.
const (
	PinSystem       Pin = "system"       // system messages
	PinInstructions Pin = "instructions" // what the client put before the first response, unless a person typed it
	PinFirstUser    Pin = "first_user"   // the first message a person typed
)

// FoldMode says what becomes of an earlier summary.
type FoldMode string

// The fold modes.
const (
	FoldPrevious FoldMode = "previous" // it goes into the new one, once
	FoldAll      FoldMode = "all"      // everything is read again from the original messages
)

// Size gives the size of a simulated summary: clamp(Share x span, Min, Max) + Wrapper.
type Size struct {
	Share   float64              `yaml:"share"`
	Min     transcript.Estimated `yaml:"min"`
	Max     transcript.Estimated `yaml:"max"`
	Wrapper transcript.Estimated `yaml:"wrapper"` // what is said around it
}

// Breaker stops summarizing when it does not help: after Ineffective attempts in a row that were rejected or
// failed, or after Fires fires that each came within Within calls of the one before. It holds for Quiet calls, or
// until a person types.
type Breaker struct {
	Ineffective int `yaml:"ineffective"` // 0: never
	Fires       int `yaml:"fires"`       // 0: never
	Within      int `yaml:"within"`      // calls
	Quiet       int `yaml:"quiet"`       // calls
}

// Rearm keeps a stage from firing twice on the same evidence. It is ignored when E > H.
type Rearm struct {
	Tokens transcript.Estimated `yaml:"tokens"` // growth since its last fire
	Calls  int                  `yaml:"calls"`  // model calls since its last fire
}

// Summarizer writes the text of a summary.
type Summarizer interface {
	// Summarize returns the summary of a span. An error is a failed attempt, not the end of the run.
	Summarize(ctx context.Context, r SummaryRequest) (string, error)
}

// SummaryRequest is what a summarizer is given.
type SummaryRequest struct {
	Messages []transcript.Message // the span as it stands in the prompt, without an earlier summary
	Previous string               // the earlier summary's text, or ""
	Size     transcript.Estimated // what is expected, in tokens
}

var (
	_ Guarded   = Summarize{}
	_ Eager     = Summarize{}
	_ Surfacing = Summarize{}
)

// DefaultSummarize returns a tail of 20,000 tokens and summaries of up to 4,096.
func DefaultSummarize() Summarize {
	return Summarize{
		Pin:          DefaultPins(),
		Tail:         Tail{Tokens: Tokens(20000), Min: Tokens(2000), Max: Tokens(0.25), Fit: true},
		KeepUserText: MinOf(8000, 0.05),
		Fold:         FoldPrevious,
		Size:         Size{Share: 0.20, Min: 500, Max: 4096, Wrapper: 120},
		MustShrink:   0.10,
		Breaker:      Breaker{Ineffective: 3, Fires: 3, Within: 3, Quiet: 10},
		Rearm:        Rearm{Tokens: 5000, Calls: 1},
		Escalate:     3,
	}
}

// DefaultPins returns the system messages, the instructions before the first response and the first typed message.
func DefaultPins() []Pin { return []Pin{PinSystem, PinInstructions, PinFirstUser} }

// Name is "summarize".
func (Summarize) Name() string { return "summarize" }

// Surfaces marks the stage as one whose fires a person is told about.
func (Summarize) Surfaces() {}

// Eager reports whether microcompact fires again and again without reaching the target.
func (sm Summarize) Eager(v *View) bool {
	if sm.Escalate <= 0 || v.Estimate() <= v.budget.Target {
		return false
	}
	now, ago := v.fired(Microcompact{}.Name())
	return now && 0 < ago && ago <= sm.Escalate
}

// Guard protects the tail and the last typed message, and pins what is pinned.
func (sm Summarize) Guard(v *View) Guard {
	g := Guard{From: sm.tail(v), Pinned: v.pins(sm.Pin)}
	if n := len(v.s.typed); n > 0 {
		g.Also = v.s.typed[n-1 : n : n]
	}
	return g
}

// tail returns the position at which the recent history begins that this stage leaves word for word.
func (sm Summarize) tail(v *View) int {
	beside := v.Overhead() + v.total(v.pins(sm.Pin)) + sm.expected()
	return v.start(v.Units(sm.LoopAtomic), sm.Tail.limit(v.budget, beside))
}

// expected is the largest simulated summary with what stands around it.
func (sm Summarize) expected() transcript.Estimated {
	return sm.Size.Max + sm.Size.Wrapper + sm.Reinject
}

// Plan folds everything between the pinned messages and the tail into one summary.
func (sm Summarize) Plan(ctx context.Context, v *View) (Plan, error) {
	if skip, why := sm.held(v); skip != "" {
		return Plan{Skip: skip, Reason: why}, nil
	}
	sp, ok := sm.span(v)
	if !ok {
		return Plan{Skip: sm.nothing(v), Spared: sp.each}, nil
	}
	plan := Plan{Spared: sp.each, Reason: "over-trigger"}
	if v.Estimate() <= v.budget.Trigger {
		plan.Reason = "escalated"
	}
	summary, err := sm.write(ctx, v, sp)
	switch {
	case err != nil && ctx.Err() != nil:
		return Plan{}, ctx.Err()
	case err != nil:
		return Plan{Skip: Failed, Reason: Reason(err.Error()), Spared: sp.each}, nil
	}
	size := v.sizeOf(summary)
	if float64(size-summary.Reinjected) > (1-sm.MustShrink)*float64(sp.tokens) {
		plan.Skip, plan.Reason = NotSmaller, ""
		return plan, nil
	}
	plan.Summarizer = sp.read + size - summary.Reinjected
	plan.Edits = []Edit{{Fold: &Fold{From: sp.from, To: sp.to, Keep: sp.keep, Summary: summary}, Reason: plan.Reason}}
	return plan, nil
}

// nothing tells apart a conversation that is all tail from a budget no summary can meet.
func (sm Summarize) nothing(v *View) SkipReason {
	stays := v.Overhead() + v.total(v.guard.Pinned) + v.spanSize(v.guard.From, len(v.s.prompt))
	if stays > v.budget.Trigger {
		return TargetUnreachable
	}
	return NothingEligible
}

// held reports whether the breaker or the rearm rule forbids another attempt now.
func (sm Summarize) held(v *View) (SkipReason, Reason) {
	m := v.memory()
	if v.s.calls-m.LastAttempt <= sm.Breaker.Quiet && v.s.heard == m.Heard {
		if b := sm.Breaker; b.Ineffective > 0 && m.Ineffective >= b.Ineffective {
			return BreakerOpen, "no-effect"
		} else if b.Fires > 0 && b.streak(m.Fires) >= b.Fires {
			return BreakerOpen, "refilled"
		}
	}
	if len(m.Fires) == 0 || v.Estimate() > v.budget.Limit {
		return "", ""
	}
	if v.Facts().Grew < sm.Rearm.Tokens || v.Facts().Calls < sm.Rearm.Calls {
		return NotRearmed, ""
	}
	return "", ""
}

// streak counts the newest fires that each came soon after the one before.
func (b Breaker) streak(fires []int) int {
	n := min(len(fires), 1)
	for i := len(fires) - 1; i > 0 && fires[i]-fires[i-1] <= b.Within; i-- {
		n++
	}
	return n
}
