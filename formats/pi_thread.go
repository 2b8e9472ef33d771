package formats

import (
	"slices"

	"perch/formats/transcript"
)

// piNewest is the version of the format since 2026.
const piNewest = 3

// piBuilder lays the entries of a session out as a transcript.
type piBuilder struct {
	s      *piSession
	t      *transcript.Transcript
	prompt *trail // what stands in the prompt
	spans  int    // spent on rewinds, and on looking for what compactions kept
}

// build makes the transcript of the session.
func (s *piSession) build() *transcript.Transcript {
	b := &piBuilder{s: s, t: &transcript.Transcript{ID: s.id, Thread: "main", Format: "pi", Agent: s.agent}}
	if s.version == 0 && slices.ContainsFunc(s.entries, func(e *piEntry) bool { return e.linked }) { // the header is lost
		s.version = piNewest
	}
	for _, e := range s.entries {
		b.place(e)
	}
	s.notes.into(b.t)
	return b.t
}

// place puts an entry behind what is there.
func (b *piBuilder) place(e *piEntry) {
	if e.up != nil {
		e.trail = e.up.trail
	}
	switch {
	case e.compact != nil:
		b.follow(e)
		b.cut(e)
	case e.taken || e.call == nil && len(e.message.Parts) == 0: // it stands with its response, or says nothing
	case e.message.NotSent:
		b.t.Messages = append(b.t.Messages, e.message)
	case e.failed:
		b.follow(e)
		b.fail(e)
	default:
		b.follow(e)
		b.append(e)
	}
}

// follow makes the entry's ancestors the prompt. Where something else stood there, the thread went back, unless no
// call has seen it: a message taken back before an answer.
func (b *piBuilder) follow(e *piEntry) {
	if e.trail == b.prompt {
		return
	}
	if unused, ok := b.prompt.unusedSince(e.trail); ok {
		for _, s := range unused {
			for m := s.From; m < s.To; m++ {
				b.t.Messages[m].NotSent = true
			}
		}
		b.prompt = e.trail
		return
	}
	if b.spans > maxSpans {
		b.s.notes.once(e.line, "the thread goes back more often than can be followed; from here on it is read in the order of the file")
		e.trail = b.prompt
		return
	}
	b.prompt = e.trail
	spans := b.prompt.spans()
	b.spans += len(spans)
	b.t.Changes = append(b.t.Changes, transcript.Change{At: len(b.t.Messages), Kind: transcript.Rewind, Prompt: spans, Line: e.line})
}

// append puts the entry's messages at the end of the prompt: a response with its results, or a single one.
func (b *piBuilder) append(e *piEntry) {
	from := len(b.t.Messages)
	if len(e.message.Parts) > 0 {
		b.t.Messages = append(append(b.t.Messages, e.message), e.results...)
	}
	e.span = transcript.Span{From: from, To: len(b.t.Messages)}
	reply := transcript.Span{From: from, To: min(from+1, e.span.To)}
	if e.message.Role != transcript.Assistant { // the client's own request, for a summary
		reply = transcript.Span{}
	}
	b.send(e, reply)
	if e.span.Len() > 0 {
		b.prompt = b.prompt.add(e.span)
		b.prompt.unused = e.call == nil
	}
	e.trail = b.prompt
}

// send adds the entry's call, if it has one. What stands in the prompt has been seen by it.
func (b *piBuilder) send(e *piEntry, reply transcript.Span) {
	if e.call == nil {
		return
	}
	e.call.At, e.call.Reply = reply.From, reply
	if reply.Len() == 0 {
		e.call.At, e.call.Reply = len(b.t.Messages), transcript.Span{}
	}
	b.t.Calls = append(b.t.Calls, *e.call)
	for t := b.prompt; t != nil && t.unused; t = t.before {
		t.unused = false
	}
}

// fail adds a request that failed, and what of its answer is recorded. In the newest version none of that is sent again. In
// earlier ones its text and thinking are, and those of its calls that have a result; this was measured by what the
// next prompt grew.
func (b *piBuilder) fail(e *piEntry) {
	if b.s.version < piNewest {
		e.message.Parts = slices.DeleteFunc(e.message.Parts, func(p transcript.Part) bool {
			return p.Kind == transcript.ToolCall && !answered(p.CallID, e.results)
		})
		if len(e.message.Parts) > 0 {
			b.append(e)
			return
		}
	}
	b.send(e, transcript.Span{})
	from := len(b.t.Messages)
	if len(e.message.Parts) > 0 {
		b.t.Messages = append(append(b.t.Messages, e.message), e.results...)
	}
	for i := from; i < len(b.t.Messages); i++ {
		b.t.Messages[i].NotSent = true
	}
}

// answered reports whether a call has one of the results.
func answered(id string, results []transcript.Message) bool {
	return slices.ContainsFunc(results, func(m transcript.Message) bool { return m.Parts[0].CallID == id })
}
