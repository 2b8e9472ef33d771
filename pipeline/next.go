package pipeline

import (
	"context"
	"fmt"
)

// Next runs the steps before one model call, in order, changes s, and returns one outcome a step. An error is a
// stage that could not decide, or a plan that apply refused; then the state holds what the steps before it did, and
// the outcomes are theirs.
func (p Pipeline) Next(ctx context.Context, s *State, b Budget, m Meter) ([]Outcome, error) {
	s.calls++
	v := &View{s: s, m: m, steps: p.Steps, explain: p.Explain, budget: b, now: m.Prompt()}
	outcomes := make([]Outcome, 0, len(p.Steps))
	for i := range p.Steps {
		v.step = &p.Steps[i]
		o, err := v.run(ctx)
		if err != nil {
			return outcomes, fmt.Errorf("step %s at call %d: %w", v.step.ID, s.calls, err)
		}
		outcomes = append(outcomes, o)
	}
	s.sending(v.now)
	return outcomes, nil
}

// run decides whether the step may run, lets its stage plan, and applies the plan.
func (v *View) run(ctx context.Context) (Outcome, error) {
	stage := v.step.Stage
	o := Outcome{Step: v.step.ID, Use: stage.Name(), Before: v.now, After: v.now}
	if v.step.When.Never() {
		o.Skip = Disabled
		return o, nil
	}
	if !v.step.When.Open(v.Facts(), v.budget) {
		if eager, ok := stage.(Eager); !ok || !eager.Eager(v) {
			o.Skip = UnderTrigger
			return o, nil
		}
	}
	o.Ran = true
	v.guard = v.guardOf(stage)
	plan, err := stage.Plan(ctx, v)
	if err != nil {
		return o, err
	}
	if v.explain != nil && plan.Spared != nil {
		for id, why := range plan.Spared {
			v.explain(v.step.ID, id, why)
		}
	}
	o.Impossible, o.Reason = plan.Impossible, plan.Reason
	if len(plan.Edits) == 0 {
		o.Skip = plan.Skip
		if o.Skip == "" {
			o.Skip = NothingEligible
		}
	} else if err := v.apply(&plan, &o); err != nil {
		return o, err
	}
	_, surfacing := stage.(Surfacing)
	o.Surfaced = surfacing && (o.Fired() || o.Impossible != "")
	v.s.remember(v.step.ID, &o)
	return o, nil
}

// guardOf asks the stage what it must not touch.
func (v *View) guardOf(stage Stage) Guard {
	if g, ok := stage.(Guarded); ok {
		return g.Guard(v)
	}
	return Guard{From: v.newest()}
}

// fired reports how many calls ago a step of a kind last fired before this call, and whether it fired at this one.
func (v *View) fired(use string) (now bool, ago int) {
	for i := range v.steps {
		if v.steps[i].Stage.Name() != use {
			continue
		}
		for _, call := range v.s.of(v.steps[i].ID).Fires {
			if call == v.s.calls {
				now = true
			} else if n := v.s.calls - call; ago == 0 || n < ago {
				ago = n
			}
		}
	}
	return now, ago
}
