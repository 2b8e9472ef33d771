// Package estimate sizes what a transcript's prompts are made of, four ways that are never mixed: local tokens of
// visible text, estimates that could have been made before a call, ledger prices known afterwards, and what the
// provider recorded.
//
//  1. A [Counter] counts local tokens. [NewItems] counts every part once.
//  2. [NewStudy] walks the recording once, call by call: it estimates the prompt before it looks at the recorded
//     count, then lets the meter learn from it and writes the ledger's entries.
//  3. Replays read the study. A study does not depend on any pipeline setting and can be shared by thousands.
//  4. [Study.Samples] keeps what scores are made of; [Samples.Accuracy] and [Samples.Identity] score any number of
//     runs together.
package estimate

import "perch/formats/transcript"

// Item is what is known of one part without any recorded count.
type Item struct {
	Local transcript.Local // by the study's counter; media by their model's rule
	Naive transcript.Local // chars/4 of what is visible
	Class transcript.Class
	// Approximate: the count was taken in pieces, or a size was assumed.
	Approximate bool
}

// Firmness of a ledger entry: how firmly the recorded counts support it.
type Firmness string

// The firmness of ledger entries.
const (
	Exact   Firmness = "exact"   // the only new part between two recorded counts
	Shared  Firmness = "shared"  // several new parts share a recorded difference
	Guessed Firmness = "guessed" // no recorded count to go by
)

// Entry is the ledger's price of one whole part.
type Entry struct {
	Tokens transcript.Ledger
	From   Firmness
	Call   int // index of the call whose recorded counts wrote it; len(Calls) where none did
}

// Unseen is growth or a fall of the recorded prompt that its visible parts do not explain.
type Unseen struct {
	Call       int // index of the call whose recorded count showed it
	Tokens     transcript.Ledger
	At         int                 // Messages[:At] precede it; it leaves with the last of them
	Reinjected bool                // it came with a recorded compaction: a replay from raw leaves it out
	Parts      []transcript.PartID // a fall: the parts it is attributed to; it holds only while they are whole
	Share      []transcript.Ledger // how much of the fall each part bears (negative, sums to Tokens)
	Cause      Cause

	// Foreseen: the model's rule says that these parts leave before this call, so that the meter counted on it
	// before the call was made.
	Foreseen bool
}

// Call is what the study found for one recorded call, by its index in the transcript.
type Call struct {
	Judged bool // it has a recorded prompt, so its numbers below can be compared

	Recorded transcript.Recorded
	Naive    transcript.Local     // chars/4 of the visible recorded prompt
	Local    transcript.Local     // the counter's count of the visible recorded prompt
	Previous transcript.Recorded  // the last recorded count of the thread, if HasAnchor
	Anchored transcript.Estimated // the anchor's recorded count + chars/4 of what is new since, if HasAnchor
	Point    transcript.Estimated // the calibrated estimate made before the call
	Upper    transcript.Estimated // the conservative one, which a trigger uses

	HasAnchor bool // an earlier call of this thread and model family anchors the estimate
	Clean     bool // nothing but fully logged content came between (facts of the recording alone)

	// NoOverhead: neither an earlier call nor the table told the hidden overhead, so Point and Upper size visible
	// content alone. A table prints n/a.
	NoOverhead bool

	Overhead     transcript.Ledger    // S(k) of the recorded prompt, as known after the call
	OverheadPrev transcript.Estimated // S as the meter knew it before the call
	Residual     transcript.Ledger    // recorded - price of the recorded prompt with the ledger as of the call before, if HasAnchor
	FreeResidual transcript.Ledger    // the same without re-anchoring since the last recorded change
	Gap          Cause                // why Recorded and Point differ by more than 500 tokens; "" if they do not
}

// ClearedMarker is what the marker costs that a recorded clear leaves in a body's place, in tokens: clients write
// one short sentence.
const ClearedMarker transcript.Ledger = 20
