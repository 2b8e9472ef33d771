package pipeline

import (
	"context"

	"perch/formats/transcript"
)

// Prune takes the weight out of heavy artifacts: page snapshots are cut to their controls, old ones and old images
// become stubs. It never touches the newest unit.
type Prune struct {
	Snapshot SnapshotRule `yaml:"snapshot"`
	Image    ImageRule    `yaml:"image"`
	Batch    Batch        `yaml:"batch"`
}

// SnapshotRule says what is left of page snapshots, newest first.
type SnapshotRule struct {
	KeepFull       int `yaml:"keep_full"`       // whole ones, and every incremental one after the oldest of them
	KeepActionable int `yaml:"keep_actionable"` // the next ones are cut to their actionable parts; older ones are stubs
	MaxTokens      int `yaml:"max_tokens"`      // of one actionable form, at 4 bytes a token
}

// ImageRule says which images stay.
type ImageRule struct {
	KeepLast      int `yaml:"keep_last"`       // newest images that no person sent; older ones are stubs
	MaxTokensEach int `yaml:"max_tokens_each"` // larger ones are scaled down to this; 0: never
	UserImages    int `yaml:"user_images"`     // an image a person sent stays while in the last so many user turns
}

// Batch lets reductions gather, because each one breaks the provider's prompt cache. It is ignored when E > H.
type Batch struct {
	Calls    int    `yaml:"calls"`     // model calls between two fires, at least
	MinFreed Amount `yaml:"min_freed"` // tokens one fire frees, at least
}

var _ Guarded = Prune{}

// DefaultPrune returns the rules of the seed: the newest snapshot whole, two actionable, three screenshots of at
// most 1,600 tokens, every turn.
func DefaultPrune() Prune {
	return Prune{
		Snapshot: SnapshotRule{KeepFull: 1, KeepActionable: 2, MaxTokens: 2000},
		Image:    ImageRule{KeepLast: 3, MaxTokensEach: 1600, UserImages: 2},
		Batch:    Batch{Calls: 1},
	}
}

// Name is "prune".
func (Prune) Name() string { return "prune" }

// Guard protects the newest unit.
func (Prune) Guard(v *View) Guard { return Guard{From: v.newest()} }

// Plan reduces snapshots and images that are older than what the rules keep.
func (p Prune) Plan(_ context.Context, v *View) (Plan, error) {
	r := reducer{v: v}
	p.Snapshot.plan(v, &r)
	edits := r.take("snapshot")
	p.Image.plan(v, &r)
	edits = append(edits, r.take("image")...)
	plan := Plan{Edits: edits, Spared: func(yield func(PartID, Reason) bool) {
		r := reducer{v: v, why: yield}
		p.Snapshot.plan(v, &r)
		p.Image.plan(v, &r)
	}}
	b := v.Budget()
	hasty := v.Facts().Calls < p.Batch.Calls || r.freed < p.Batch.MinFreed.Of(b.Limit)
	if len(plan.Edits) > 0 && hasty && v.Estimate() <= b.Limit {
		plan.Edits, plan.Skip = nil, Batching
	}
	return plan, nil
}

// plan walks the snapshots from the newest: whole ones until enough full ones were seen, then actionable ones, then
// stubs.
func (rule SnapshotRule) plan(v *View, r *reducer) {
	full, actionable := 0, 0
	for id := range v.Pages() {
		known := v.s.ix.pages[id]
		switch {
		case full < rule.KeepFull:
			r.spare(id, "newest-snapshot")
			if !known.incremental {
				full++
			}
		case actionable < rule.KeepActionable:
			actionable++
			if v.Form(id).Kind == Full {
				r.to(id, Form{Kind: Actionable, N: rule.MaxTokens})
			} else {
				r.spare(id, "actionable")
			}
		default:
			r.to(id, Form{Kind: Stub, N: int(known.share * float64(v.SizeAs(id, Form{})))})
		}
	}
}

// plan walks the images from the newest, those of persons apart from the others.
func (rule ImageRule) plan(v *View, r *reducer) {
	kept := 0
	turns := v.Typed()
	recent := 0 // position of the oldest user turn whose images stay
	if n := len(turns) - rule.UserImages; n >= len(turns) {
		recent = len(v.Prompt())
	} else if n > 0 {
		recent = v.Position(turns[n])
	}
	for id := range v.Images() {
		m := v.Message(id.Message)
		person := m.Origin == transcript.Person
		if !person {
			kept++
		}
		size := v.Size(id)
		switch {
		case person && v.Position(id.Message) < recent, !person && kept > rule.KeepLast:
			r.to(id, Form{Kind: Stub, N: int(size)})
		case rule.MaxTokensEach > 0 && int(size) > rule.MaxTokensEach && v.Form(id).Kind == Full:
			r.to(id, Form{Kind: Ceiling, N: rule.MaxTokensEach})
		default:
			r.spare(id, "recent-image")
		}
	}
}
