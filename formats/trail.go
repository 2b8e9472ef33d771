package formats

import (
	"slices"

	"perch/formats/transcript"
)

// maxSpans bounds what the rewinds of one thread may take: two agents that write to one file in turn cost spans by
// the square of its length.
const maxSpans = 1 << 22

// trail is a prompt as a list that shares its beginning with other prompts: what was appended last, and the trail
// before it. Going back to an earlier message means to take its trail again.
type trail struct {
	span   transcript.Span
	before *trail
	unused bool // no call has seen the span, as far as the recording says
}

// add returns the trail with a span of messages at its end.
func (t *trail) add(s transcript.Span) *trail { return &trail{span: s, before: t} }

// unusedSince lists the spans behind an earlier trail, if no call has seen any of them.
func (t *trail) unusedSince(earlier *trail) (spans []transcript.Span, ok bool) {
	for ; t != earlier; t = t.before {
		if t == nil || !t.unused {
			return nil, false
		}
		spans = append(spans, t.span)
	}
	return spans, true
}

// spans lists the trail's messages in order. It is never nil: an empty prompt is not "no prompt".
func (t *trail) spans() []transcript.Span {
	out := []transcript.Span{}
	for ; t != nil; t = t.before {
		if n := len(out); n > 0 && out[n-1].From == t.span.To {
			out[n-1].From = t.span.From
			continue
		}
		out = append(out, t.span)
	}
	slices.Reverse(out)
	return out
}
