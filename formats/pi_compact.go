package formats

import (
	"slices"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// piCompact is what a compaction records. Who asked for it is not recorded, save that an extension did it.
type piCompact struct {
	firstKept string // id of the first entry that stays, word for word
	index     count  // the same in version 1: its place in the file, the header counted
	before    count  // the last usage, with its output
	hook      bool
}

// decodePiCompact reads the record of a compaction.
func decodePiCompact(obj gjson.Result) *piCompact {
	c := &piCompact{firstKept: own(obj.Get("firstKeptEntryId")), hook: isTrue(obj.Get("fromHook"))}
	c.index.n, c.index.ok = tokens(obj.Get("firstKeptEntryIndex"))
	c.before.n, c.before.ok = tokens(obj.Get("tokensBefore"))
	return c
}

// cut records a compaction: the summary comes first, then what is kept of the entry's own ancestors, then what hangs
// on it.
func (b *piBuilder) cut(e *piEntry) {
	b.send(e, transcript.Span{})
	change := transcript.Change{At: len(b.t.Messages), Kind: transcript.Compact, Before: e.compact.before.client(), Line: e.line}
	if e.compact.hook {
		change.Trigger = "hook"
	}
	var prompt *trail
	if len(e.message.Parts) > 0 {
		e.span = transcript.Span{From: change.At, To: change.At + 1}
		b.t.Messages = append(b.t.Messages, e.message)
		prompt = prompt.add(e.span)
	}
	for _, kept := range b.kept(e) {
		prompt = prompt.add(kept.span)
	}
	b.prompt, e.trail = prompt, prompt
	change.Prompt = prompt.spans()
	b.t.Changes = append(b.t.Changes, change)
}

// kept lists the ancestors of a compaction from the first kept one on, as far as they have messages.
func (b *piBuilder) kept(e *piEntry) []*piEntry {
	first := b.s.byID[e.compact.firstKept]
	if i := e.compact.index; first == nil && i.ok && i.n < e.seq {
		first = b.s.entries[i.n]
	}
	if first == nil {
		if e.compact.firstKept != "" || e.compact.index.ok {
			b.s.notes.warn(e.line, "the first entry that this compaction kept is not in the file; what it kept is unknown")
		}
		return nil
	}
	var out []*piEntry
	for up := e.up; up != nil && b.spans <= maxSpans; up = up.up {
		b.spans++
		if up.span.Len() > 0 {
			out = append(out, up)
		}
		if up == first {
			slices.Reverse(out)
			return out
		}
	}
	b.s.notes.warn(e.line, "the first entry that this compaction kept is not on its branch; what it kept is unknown")
	return nil
}
