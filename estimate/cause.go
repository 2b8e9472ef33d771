package estimate

import (
	"strings"

	"perch/estimate/models"
)

// Cause names the fact in the recording that explains a gap.
type Cause string

// The causes of gaps. All but the last two are facts in the recording.
const (
	FirstCall     Cause = "first call"           // nothing was known of the hidden overhead
	Boundary      Cause = "boundary"             // turns were compacted
	Cleared       Cause = "recorded clear"       // bodies of results were cleared
	SilentClear   Cause = "silent clear"         // the recorded prompt fell and no record says why
	Switched      Cause = "model switch"         // the calls went to different models
	Rewound       Cause = "rewind"               // the thread went back
	Placeholder   Cause = "placeholder output"   // the reply's own count is not recorded
	ContentRatio  Cause = "content ratio"        // one new part, whose ratio is off
	UnsizedImage  Cause = "image without size"   // a picture's or a document's size had to be assumed
	HostedTool    Cause = "hosted tool"          // the provider ran tools inside a response
	AbortedCall   Cause = "aborted call between" // a call that failed or was broken off
	BrokenChain   Cause = "broken chain"         // the recording lost the order of its records
	ThinkingLeft  Cause = "thinking dropped"     // thinking of earlier turns was due to leave
	ReasoningLeft Cause = "reasoning dropped"    // the same of models that keep it encrypted
	Injected      Cause = "injected record"      // the client injected records between the calls
	Inferred      Cause = "inferred"             // growth no record explains: an injection that was not logged
	Unknown       Cause = "unknown"
)

// gapTokens is the difference of recorded and estimated tokens above which a gap needs a cause.
const gapTokens = 500

// cause names what the recording holds between call k and its anchor that explains a difference of its recorded
// count and its forecast, the strongest fact first.
func (w *walk) cause(k int, f *forecast) Cause {
	b := &w.between
	switch {
	case w.last < 0:
		return FirstCall
	case b.compacted:
		return Boundary
	case b.cleared:
		return Cleared
	case f.switched:
		return Switched
	case b.rewound && !w.fell(k, f):
		return Rewound
	case w.hosted(k):
		return HostedTool
	case b.aborted:
		return AbortedCall
	case w.broken(k):
		return BrokenChain
	case b.unsized:
		return UnsizedImage
	case len(f.leaving) > 0:
		return leavingCause(f.model)
	case w.fell(k, f):
		return SilentClear
	}
	return w.contentCause(k, f)
}

// contentCause looks for a cause in the new parts: one of them is most of the step.
func (w *walk) contentCause(k int, f *forecast) Cause {
	largest, total := 0, 0.0
	for i, size := range f.sizes {
		total += size
		if size > f.sizes[largest] {
			largest = i
		}
	}
	grew := float64(w.t.Calls[k].Usage.Prompt.N) - float64(f.overhead+w.ledger.total)
	if total > 0 && f.sizes[largest] >= mostOfStep*total {
		id := w.ledger.fresh[largest]
		reply := w.t.Calls[w.last].Reply
		switch ratio := grew / total; {
		case reply.From <= id.Message && id.Message < reply.To:
			return Placeholder
		case ratio >= oddRatioLowest && ratio <= oddRatioMost:
			return ContentRatio
		}
	}
	switch {
	case w.between.injected:
		return Injected
	case grew > total:
		return Inferred
	}
	return Unknown
}

// A step is put down to its largest part if that is mostOfStep of it and its ratio would be off by no more than
// content of its class ever is.
const (
	mostOfStep     = 0.6
	oddRatioLowest = 0.5
	oddRatioMost   = 1.6
)

// leavingCause names what leaves by a model's rule.
func leavingCause(m models.Model) Cause {
	if m.Family == "gpt" {
		return ReasoningLeft
	}
	return ThinkingLeft
}

// fallCause is the cause of a fall: content cannot shrink a prompt, so without another fact it is a silent clear.
func fallCause(why Cause) Cause {
	switch why {
	case Placeholder, ContentRatio, UnsizedImage, Injected, Inferred, Unknown:
		return SilentClear
	}
	return why
}

// hosted reports whether the provider ran tools inside call k's response or the one before.
func (w *walk) hosted(k int) bool {
	return w.t.Calls[k].Hosted || w.last >= 0 && w.t.Calls[w.last].Hosted
}

// fell reports whether call k's recorded prompt is smaller than that of the call it continues.
func (w *walk) fell(k int, f *forecast) bool {
	return f.anchor >= 0 && w.t.Calls[k].Usage.Prompt.N < w.t.Calls[f.anchor].Usage.Prompt.N
}

// orderLost is in the messages of warnings that a reader gives where records do not follow each other as they say.
var orderLost = [...]string{"parent", "order of the file"}

// broken reports whether the reader lost the order of records between the last judged call and call k.
func (w *walk) broken(k int) bool {
	if w.last < 0 {
		return false
	}
	from, to := w.t.Calls[w.last].Line, w.t.Calls[k].Line
	for _, warning := range w.t.Warnings {
		for _, words := range orderLost {
			if from <= warning.Line && warning.Line <= to && strings.Contains(warning.Message, words) {
				return true
			}
		}
	}
	return false
}
