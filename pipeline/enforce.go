package pipeline

import (
	"context"
	"fmt"
	"slices"

	"perch/formats/transcript"
)

// Enforce makes the request fit, whatever the other steps did: the oldest units go, whole, and if that is not
// enough what is left is cut. It says "impossible", with the numbers, when nothing can help.
type Enforce struct {
	Pin        []Pin   `yaml:"pin"`         // messages that never go
	FloorUnits int     `yaml:"floor_units"` // newest units that stay, with the last message a person typed
	Margin     float64 `yaml:"margin"`      // distance to H where T cannot be reached, as a share of what no provider counted yet
	LoopAtomic bool    `yaml:"loop_atomic"` // never split a tool loop that carries signed thinking
}

var (
	_ Guarded   = Enforce{}
	_ Surfacing = Enforce{}
)

// DefaultEnforce returns a floor of two units and a margin of 5 %.
func DefaultEnforce() Enforce {
	return Enforce{Pin: DefaultPins(), FloorUnits: 2, Margin: 0.05}
}

// Name is "enforce".
func (Enforce) Name() string { return "enforce" }

// Surfaces marks the stage as one whose fires a person is told about.
func (Enforce) Surfaces() {}

// Guard protects the floor and pins what is pinned.
func (e Enforce) Guard(v *View) Guard {
	g := Guard{From: v.newest(), Pinned: v.pins(e.Pin)}
	units := v.Units(e.LoopAtomic)
	for i := len(units) - 1; i >= 0 && i >= len(units)-e.FloorUnits; i-- {
		if v.isSummary(v.s.prompt[units[i].From]) {
			break // a summary is no recent turn: it may go
		}
		g.From = min(g.From, units[i].From)
	}
	if n := len(v.s.typed); n > 0 {
		g.Also = v.s.typed[n-1 : n : n]
	}
	return g
}

// Plan drops the oldest units down to the trigger, or as far as the limit needs; then it cuts into the floor.
func (e Enforce) Plan(_ context.Context, v *View) (Plan, error) {
	limit := v.budget.Limit
	safe := limit - transcript.Estimated(e.Margin*float64(v.uncounted()))
	units, summaries := e.droppable(v)
	d := dropper{v: v, now: v.Estimate()}
	if goal := v.budget.Trigger; d.now-v.unitsSize(units) <= goal {
		d.drop(units, goal)
	} else {
		d.drop(units, safe)
	}
	if d.now > limit {
		d.drop(summaries, safe)
	}
	plan := Plan{Edits: d.edits, Spared: v.stays(d.dropped, "floor", "fits")}
	if d.now > limit {
		c := cutter{reducer: reducer{v: v}, over: d.now - safe}
		c.floor()
		d.now -= c.freed
		edits := c.take("floor")
		plan.Edits = append(plan.Edits, edits...)
		plan.TailShortened = len(edits) > 0
	}
	if d.now > limit {
		pinned := v.total(v.guard.Pinned)
		plan.Impossible = fmt.Sprintf("%d tokens of overhead + %d pinned + %d that cannot be cut further = %d, over the input limit of %d",
			v.Overhead(), pinned, d.now-v.Overhead()-pinned, d.now, limit)
	}
	return plan, nil
}

// droppable returns the units in front of the floor that may go, oldest first, summaries apart.
func (e Enforce) droppable(v *View) (units, summaries []transcript.Unit) {
	for _, u := range v.Units(e.LoopAtomic) {
		if slices.ContainsFunc(v.s.prompt[u.From:u.To], v.Protected) {
			continue
		}
		if v.isSummary(v.s.prompt[u.From]) {
			summaries = append(summaries, u)
		} else {
			units = append(units, u)
		}
	}
	return units, summaries
}

// uncounted is what the messages cost that were in no call yet: only that is an estimate.
func (v *View) uncounted() transcript.Estimated {
	var n transcript.Estimated
	for _, id := range slices.Backward(v.s.prompt) {
		if id >= 0 && id < v.s.fresh {
			break
		}
		n += v.MessageSize(id)
	}
	return n
}

func (v *View) unitsSize(units []transcript.Unit) transcript.Estimated {
	var n transcript.Estimated
	for _, u := range units {
		n += v.spanSize(u.From, u.To)
	}
	return n
}

// dropper takes units out of a prompt of now tokens.
type dropper struct {
	v     *View
	now   transcript.Estimated
	edits []Edit

	dropped []MessageID
}

// drop takes units, oldest first, until the prompt is down to a goal.
func (d *dropper) drop(units []transcript.Unit, goal transcript.Estimated) {
	for _, u := range units {
		if d.now <= goal {
			return
		}
		e := Edit{Reason: "oldest"}
		for _, id := range d.v.s.prompt[u.From:u.To] {
			for i := range d.v.s.Message(id).Parts {
				e.Reduce = append(e.Reduce, Reduction{Part: PartID{id, i}, To: Form{Kind: Gone}})
			}
		}
		if len(e.Reduce) > 0 {
			d.edits = append(d.edits, e)
			d.dropped = append(d.dropped, d.v.s.prompt[u.From:u.To]...)
			d.now -= d.v.spanSize(u.From, u.To)
		}
	}
}
