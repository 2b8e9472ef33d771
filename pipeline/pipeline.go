// Package pipeline shrinks an agent's context before a model call, step by step, from the cheapest and least
// destructive step to the last guarantee that the request fits.
//
// A live agent and a replay use it the same way: keep one [State] per thread, append what is new, ask the
// [Pipeline] what to do with [Pipeline.Next], and send what [State.Render] returns. Data goes one way:
//
//  1. State holds the prompt: which messages, in which form each part stands, which spans were folded.
//  2. Each [Step] has a gate (data over [Facts]) and a [Stage].
//  3. A stage looks at a [View] and returns a [Plan]: edits, which are small data without bodies.
//  4. apply checks an edit (no result parted from its call, nothing protected touched, nothing grown), changes the
//     overlay, and accounts for it. It alone changes a State.
//  5. Every step leaves an [Outcome], also when it did not run.
//
// The package reads no files, clock, network or randomness. It estimates nothing: sizes come from the [Meter].
package pipeline

import (
	"context"

	"perch/formats/transcript"
)

// MessageID names a message of a State: the order in which it was appended, from 0. Negative ids name the
// summaries perch wrote: -1 is the first.
type MessageID int

// PartID names a part of a message. It never shifts.
type PartID struct {
	Message MessageID `json:"message"`
	Part    int       `json:"part"`
}

// FormKind is how much of a part is left. Parts only move to later kinds.
type FormKind uint8

// The forms of a part, from whole to gone.
const (
	Full       FormKind = iota
	Actionable          // a page snapshot cut to its controls and structure; N caps its tokens
	Ceiling             // an image scaled down to at most N tokens
	HeadTail            // a text cut to its beginning and end, N characters in all
	OneLine             // the first line of a result
	Stub                // a page's or an image's place: url, title, size
	Marker              // a cleared body: the tool and the N tokens that were cleared
	Gone                // not in the prompt any more; only whole units go
)

// Form is a kind with its parameter. The same part in the same form is always the same bytes.
type Form struct {
	Kind FormKind `json:"kind"`
	N    int      `json:"n,omitempty"`
}

// Reduction moves one part to a smaller form.
type Reduction struct {
	Part PartID `json:"part"`
	To   Form   `json:"to"`
}

// Move is one part's way from a form to a smaller one.
type Move struct {
	Part     PartID
	From, To Form
}

// Fold replaces a contiguous span of whole units by a summary. Keep names messages inside the span that stay,
// word for word and in order, behind the summary.
type Fold struct {
	From    MessageID   `json:"from"` // first message of the span
	To      MessageID   `json:"to"`   // last message of the span
	Keep    []MessageID `json:"keep,omitempty"`
	Summary Summary     `json:"summary"`
}

// Summary is what stands in for a folded span. A simulated summary has a size and no text.
type Summary struct {
	Text      string               `json:"text,omitempty"`
	Simulated transcript.Estimated `json:"simulated,omitempty"`
	Folded    bool                 `json:"folded,omitempty"` // an earlier summary went into it

	// Reinjected is the share of Simulated that is no summary but what the agent puts back beside it.
	Reinjected transcript.Estimated `json:"reinjected,omitempty"`
}

// Reason says in a word why an edit was made, a step was skipped or a part was spared.
type Reason string

// Edit is one change of the overlay: reductions, or one fold.
type Edit struct {
	Reduce []Reduction `json:"reduce,omitempty"`
	Fold   *Fold       `json:"fold,omitempty"`
	Reason Reason      `json:"reason"`
}

// SkipReason says why a step did nothing. It is a result, not an error.
type SkipReason string

// The reasons for which a step does nothing.
const (
	UnderTrigger      SkipReason = "under-trigger"
	MinFreed          SkipReason = "min-freed"
	NothingEligible   SkipReason = "nothing-eligible"
	NotSmaller        SkipReason = "not-smaller"
	Batching          SkipReason = "batch"
	BreakerOpen       SkipReason = "breaker"
	NotRearmed        SkipReason = "rearm"
	Failed            SkipReason = "failed"
	TargetUnreachable SkipReason = "target-unreachable"
	Disabled          SkipReason = "disabled"
)

// Plan is what a stage would do. Spared is lazy: it is walked before the edits are made, and only where somebody asks.
type Plan struct {
	Edits  []Edit
	Skip   SkipReason
	Reason Reason // why it was skipped, where Skip does not say it all; or why it ran
	Spared func(yield func(PartID, Reason) bool)

	TailShortened bool                 // an edit cut into what the step otherwise protects
	Summarizer    transcript.Estimated // tokens of the summarizer's own request and answer
	Impossible    string               // enforce: why the request cannot be made to fit, with the numbers
}

// Stage decides which edits to make. Stages are small values without state.
type Stage interface {
	Name() string // what it is, as in "use: microcompact"
	Plan(ctx context.Context, v *View) (Plan, error)
}

// Step is an entry of a pipeline: a stage, when it may run, and the id its settings and results go by.
type Step struct {
	ID    string
	Stage Stage
	When  Gate
}

// Pipeline is an ordered list of steps.
type Pipeline struct {
	Steps []Step

	// Explain, if not nil, is told why a step spared a part, for every step that ran.
	Explain func(step string, id PartID, why Reason)
}

// Budget holds the limits of one call, in tokens.
type Budget struct {
	Limit   transcript.Estimated // H: the hard input limit
	Trigger transcript.Estimated // T: above it the pipeline acts
	Target  transcript.Estimated // G: the working budget it aims for
}

// Meter sizes what is about to be sent, as far as it can be known before the call. Implementations: the calibrated
// meter of a replay, an estimate of a live agent, chars/4. One that also has a method Previous() transcript.Estimated
// tells gates what the provider counted for the call before; without it they are told what the pipeline estimated then.
type Meter interface {
	// Prompt is E: a conservative estimate of the whole request as the State stood before this call's first
	// edit, hidden overhead included.
	Prompt() transcript.Estimated
	// Part is what a part costs in a form, by ratio or by what the provider already charged for it. It is never
	// asked about summaries of ours, nor about parts that are gone.
	Part(id PartID, f Form) transcript.Estimated
	// Text is what text of our own costs.
	Text(text string) transcript.Estimated
	// Overhead is S: what the provider counts and the messages do not show.
	Overhead() transcript.Estimated
}

// Outcome is what one step did at one call.
type Outcome struct {
	Step   string     `json:"step"`
	Use    string     `json:"use"`
	Ran    bool       `json:"ran"` // its gate was open
	Skip   SkipReason `json:"skip,omitempty"`
	Reason Reason     `json:"reason,omitempty"`

	Before transcript.Estimated `json:"before"` // E before the step
	After  transcript.Estimated `json:"after"`  // Before - After is what the edits freed, exactly

	Edits []Edit `json:"edits,omitempty"`
	// Moves is everything the edits did to the overlay, in order: what a fold took is moved to Gone. Freed
	// tokens in any meter are the sum over Moves of size(From) - size(To), less the summary that Wrote names.
	Moves []Move    `json:"-"`
	Wrote MessageID `json:"wrote,omitempty"` // the new summary's (negative) id, or 0

	FirstAt       int                  `json:"first_at,omitempty"`      // its place: what stands in front of it is unchanged
	FirstChanged  MessageID            `json:"first_changed,omitempty"` // first message, of the prompt before the step, whose bytes changed or that went
	Surfaced      bool                 `json:"surfaced,omitempty"`
	TailShortened bool                 `json:"tail_shortened,omitempty"`
	Summary       *SummaryReport       `json:"summary,omitempty"`
	Summarizer    transcript.Estimated `json:"summarizer,omitempty"`
	Impossible    string               `json:"impossible,omitempty"`
}

// Fired reports whether the step changed anything.
func (o *Outcome) Fired() bool { return len(o.Edits) > 0 }

// SummaryReport is what a person is told when turns are summarized.
type SummaryReport struct {
	Freed      transcript.Estimated `json:"freed"`
	Messages   int                  `json:"messages"` // summarized
	Tokens     transcript.Estimated `json:"tokens"`   // summarized
	Size       transcript.Estimated `json:"size"`     // of the summary
	Kept       int                  `json:"kept"`     // messages of recent history
	KeptTokens transcript.Estimated `json:"kept_tokens"`
	Folded     bool                 `json:"folded"`
	Simulated  bool                 `json:"simulated"`
}
