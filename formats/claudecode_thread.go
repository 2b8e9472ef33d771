package formats

import (
	"slices"

	"perch/formats/transcript"
)

// claudeBuilder lays the nodes of a thread out as a transcript.
type claudeBuilder struct {
	thread *claudeThread
	t      *transcript.Transcript
	prompt *trail      // what stands in the prompt
	cut    *claudeNode // a boundary whose summary has not come yet
	fresh  bool        // a compaction is the last that happened: the client puts things back
	spans  int         // spent on rewinds
}

// build makes the transcript of the thread.
func (t *claudeThread) build() *transcript.Transcript {
	t.group()
	t.link()
	b := &claudeBuilder{thread: t, t: t.header()}
	for _, n := range t.nodes {
		if n.how == linked && !n.parent.placed { // written too early
			n.parent.waiting = append(n.parent.waiting, n)
			continue
		}
		b.place(n)
	}
	b.endCut(nil)
	t.notes.into(b.t)
	return b.t
}

// header is the transcript without its content.
func (t *claudeThread) header() *transcript.Transcript {
	out := &transcript.Transcript{Thread: t.name, Format: "claude-code", Agent: "claude-code", Nested: t.kind == nestedThread}
	for _, e := range t.entries {
		if e.session != "" && out.ID == "" {
			out.ID = e.session
		}
		if e.session != "" && e.session != out.ID {
			t.notes.once(e.line, "records of another session follow, as in a resumed or forked run")
		}
		if out.Version == "" {
			out.Version = e.version
		}
		if out.Project == "" {
			out.Project = e.project
		}
	}
	return out
}

// place puts a node, and those that waited for it, behind what is there.
func (b *claudeBuilder) place(n *claudeNode) {
	for todo := []*claudeNode{n}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b.one(n)
		for _, w := range slices.Backward(n.waiting) {
			todo = append(todo, w)
		}
	}
}

// one puts a single node.
func (b *claudeBuilder) one(n *claudeNode) {
	n.placed = true
	switch n.kind {
	case boundaryNode:
		b.endCut(nil)
		b.cut = n
	case clearNode:
		b.clear(n)
	case failureNode, orphanNode:
		if n.call != nil {
			b.send(n.call, transcript.Span{})
		}
		b.t.Messages = append(b.t.Messages, n.message)
	default:
		if n.entry.summary {
			b.endCut(n)
			return
		}
		b.endCut(nil)
		b.follow(n)
		if n.how == linked && n.entry.kind == "attachment" {
			n.end = n.parent.end
		}
		b.append(n)
	}
}

// brokenChain warns of a node whose parent is missing.
const brokenChain = "the record before this one is not in the file; the thread goes on in the order of the file"

// follow makes the node's ancestors the prompt. Where something else stood there, the thread went back, unless that
// was never sent: a message taken back before an answer, the parting words of a session that was resumed.
func (b *claudeBuilder) follow(n *claudeNode) {
	want := b.prompt
	switch n.how {
	case linked:
		want = n.parent.end.trail
	case rooted:
		want = nil
		if b.prompt != nil {
			b.thread.notes.warn(n.entry.line, "a record without a parent stands in the middle of the file; the conversation starts anew there")
		}
	case broken:
		b.thread.notes.warn(n.entry.line, brokenChain)
	}
	if want == b.prompt {
		return
	}
	if unused, ok := b.prompt.unusedSince(want); ok {
		for _, s := range unused {
			for m := s.From; m < s.To; m++ {
				b.t.Messages[m].NotSent = true
			}
		}
		b.prompt = want
		return
	}
	if b.spans > maxSpans {
		b.thread.notes.once(n.entry.line, "the thread goes back more often than can be followed; from here on it is read in the order of the file")
		return
	}
	b.prompt = want
	spans := want.spans()
	b.spans += len(spans)
	b.t.Changes = append(b.t.Changes, transcript.Change{At: len(b.t.Messages), Kind: transcript.Rewind, Prompt: spans, Line: n.entry.line})
}

// append puts the node's messages at the end of the prompt.
func (b *claudeBuilder) append(n *claudeNode) {
	b.settle(n)
	from := len(b.t.Messages)
	b.t.Messages = append(b.t.Messages, n.message)
	if n.call != nil {
		b.send(n.call, transcript.Span{From: from, To: from + 1})
	}
	b.t.Messages = append(append(b.t.Messages, n.results...), n.beside...)
	n.span = transcript.Span{From: from, To: len(b.t.Messages)}
	b.prompt = b.prompt.add(n.span)
	b.prompt.unused = n.kind == plainNode && !n.used
	n.end.trail = b.prompt
}

// settle decides the origin of what the client attaches by itself: after a compaction it puts back what the
// compaction took, until the work goes on.
func (b *claudeBuilder) settle(n *claudeNode) {
	if b.fresh && n.entry.kind == "attachment" && n.message.Origin == transcript.Injected {
		n.message.Origin = transcript.Compaction
	}
	if n.kind == responseNode || n.message.Origin == transcript.Person {
		b.fresh = false
	}
}

// send adds a call.
func (b *claudeBuilder) send(c *transcript.Call, reply transcript.Span) {
	c.At, c.Reply = reply.From, reply
	if reply.Len() == 0 {
		c.At, c.Reply = len(b.t.Messages), transcript.Span{}
	}
	if len(b.t.Calls) == 0 && c.Version != "" {
		b.t.Version = c.Version
	}
	b.t.Calls = append(b.t.Calls, *c)
}
