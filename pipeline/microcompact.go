package pipeline

import (
	"context"
	"iter"
	"path"
	"slices"

	"perch/formats/transcript"
)

// Microcompact clears the bodies of old tool results. The call, the result, its id, its error flag and its place
// stay. It needs no model.
type Microcompact struct {
	KeepLast     int                  `yaml:"keep_last"`     // newest results of at least MinBody
	KeepTokens   Amount               `yaml:"keep_tokens"`   // tokens of the newest results, in union with KeepLast and the tail
	Boundary     Boundary             `yaml:"boundary"`      // what happens to the result that crosses KeepTokens
	KeepTurns    int                  `yaml:"keep_turns"`    // user turns
	MinFreed     Amount               `yaml:"min_freed"`     // it does nothing if all it could free, net of markers, is less; ignored when E > H
	Stop         Stop                 `yaml:"stop"`          // how much of what may go does go, oldest first
	MinBody      transcript.Estimated `yaml:"min_body"`      // smaller bodies stay
	ExcludeTools []string             `yaml:"exclude_tools"` // globs of tools whose results stay, without using up KeepLast or KeepTokens
	OnlyTools    []string             `yaml:"only_tools"`    // if not empty, globs of the only tools whose results may go
	KeepErrors   bool                 `yaml:"keep_errors"`   // results flagged as errors stay
	Replace      Replace              `yaml:"replace"`       // what stands in a body's place
	Oversized    Amount               `yaml:"oversized"`     // a larger result is cut to this even where it is protected; 0: never
}

var _ Guarded = Microcompact{}

// DefaultMicrocompact returns the settings that gave the fewest summaries for their cost on 54 recorded runs.
func DefaultMicrocompact() Microcompact {
	return Microcompact{
		KeepLast:   3,
		KeepTokens: MinOf(0.10, 40000),
		Boundary:   BoundaryKeep,
		MinFreed:   MaxOf(5000, 0.05),
		MinBody:    64,
		KeepErrors: true,
		Replace:    Replace{Kind: Marker},
		Oversized:  Tokens(0.5),
	}
}

// Name is "microcompact".
func (Microcompact) Name() string { return "microcompact" }

// Guard protects the union of the newest results, the newest turns, the tail and the newest unit.
func (mc Microcompact) Guard(v *View) Guard {
	from := v.Tail()
	if turns := v.Typed(); mc.KeepTurns > 0 && len(turns) > 0 {
		from = min(from, v.Position(turns[max(len(turns)-mc.KeepTurns, 0)]))
	}
	keep, used, last := mc.KeepTokens.Of(v.Budget().Limit), transcript.Estimated(0), 0
	for id := range v.Results() {
		size := mc.result(v, id)
		if size == 0 {
			continue
		}
		kept := used+size <= keep || used < keep && mc.Boundary != BoundaryPrune
		if !kept && last >= mc.KeepLast {
			break
		}
		used += size
		if size >= mc.MinBody {
			last++
		}
		from = min(from, v.Position(id))
	}
	return Guard{From: from}
}

// result returns what the bodies of a result cost. Those of tools it does not handle cost nothing here.
func (mc Microcompact) result(v *View, id MessageID) (size transcript.Estimated) {
	for part := range bodies(v, id) {
		if mc.handles(v.part(part)) {
			size += v.Size(part)
		}
	}
	return size
}

// Plan clears the results older than what the settings keep, and cuts oversized ones wherever they are.
func (mc Microcompact) Plan(_ context.Context, v *View) (Plan, error) {
	old, huge := reducer{v: v}, reducer{v: v}
	shortened := mc.walk(v, &old, &huge)
	plan := Plan{Spared: func(yield func(PartID, Reason) bool) {
		mc.walk(v, &reducer{v: v, why: yield}, &reducer{v: v})
	}}
	freed := old.freed + huge.freed
	switch {
	case freed == 0:
		return plan, nil
	case freed < mc.MinFreed.Of(v.budget.Limit) && v.Estimate() <= v.budget.Limit:
		plan.Skip = MinFreed
		return plan, nil
	}
	slices.Reverse(old.list)
	old.list = mc.Stop.first(v, old.list, v.Estimate()-huge.freed)
	plan.Edits = append(huge.take("oversized"), old.take("old-result")...)
	plan.TailShortened = shortened
	return plan, nil
}

// walk gathers what may go, newest first, and what has to be cut. It reports whether a cut is in what is protected.
func (mc Microcompact) walk(v *View, old, huge *reducer) (shortened bool) {
	for id := range v.Results() {
		for part := range bodies(v, id) {
			size := v.Size(part)
			if mc.oversized(v, part, size) && huge.force(part, v.fit(part, mc.Oversized.Of(v.budget.Limit))) {
				shortened = shortened || v.Protected(id)
			} else if why := mc.spares(v, part, size); why != "" {
				old.spare(part, why)
			} else {
				old.to(part, mc.Replace.form(v.SizeAs(part, Form{})))
			}
		}
	}
	return shortened
}

// handles reports whether a result is of a tool whose results may go.
func (mc Microcompact) handles(p *transcript.Part) bool {
	return !matches(mc.ExcludeTools, p.Tool) && (len(mc.OnlyTools) == 0 || matches(mc.OnlyTools, p.Tool))
}

// bodies yields the parts of a message that are text of a result.
func bodies(v *View, id MessageID) iter.Seq[PartID] {
	return func(yield func(PartID) bool) {
		for i := range v.Message(id).Parts {
			if v.Message(id).Parts[i].Kind == transcript.ToolResult && !yield(PartID{id, i}) {
				return
			}
		}
	}
}

// oversized reports whether a result that would stay is too large to stay whole.
func (mc Microcompact) oversized(v *View, id PartID, size transcript.Estimated) bool {
	limit := mc.Oversized.Of(v.budget.Limit)
	p := v.part(id)
	stays := v.Protected(id.Message) || p.IsError && mc.KeepErrors
	return limit > 0 && size > limit && stays && mc.handles(p)
}

// spares says why a result stays, or "".
func (mc Microcompact) spares(v *View, id PartID, size transcript.Estimated) Reason {
	p := v.part(id)
	switch {
	case !mc.handles(p):
		return "tool"
	case p.IsError && mc.KeepErrors:
		return "error"
	case size < mc.MinBody:
		return "small"
	}
	return ""
}

// matches reports whether a name matches one of the globs.
func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, err := path.Match(glob, name)
		return err == nil && ok
	})
}
