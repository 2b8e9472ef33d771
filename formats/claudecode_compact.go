package formats

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// claudeCompact is what a boundary records.
type claudeCompact struct {
	trigger       string
	before, after count
	saved         count
	logical       string   // uuid of the record before it
	kept          []string // uuids of the records that stay, word for word
	head, tail    string   // the same as the two ends of a chain
	results       []string // ids of the calls whose results were cleared
	attachments   []string // uuids of the attachments that were cleared
}

// decode reads the metadata of a boundary.
func (c *claudeCompact) decode(v gjson.Result) {
	list := func(v gjson.Result) (out []string) {
		v.ForEach(func(_, e gjson.Result) bool {
			if s := own(e); s != "" {
				out = append(out, s)
			}
			return true
		})
		return out
	}
	v.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "trigger":
			c.trigger = cut(own(v), maxName)
		case "preTokens":
			c.before.n, c.before.ok = tokens(v)
		case "postTokens":
			c.after.n, c.after.ok = tokens(v)
		case "tokensSaved":
			c.saved.n, c.saved.ok = tokens(v)
		case "preservedSegment":
			c.head, c.tail = own(v.Get("headUuid")), own(v.Get("tailUuid"))
		case "preservedMessages":
			if c.kept = list(v.Get("allUuids")); c.kept == nil {
				c.kept = list(v.Get("uuids"))
			}
		case "compactedToolIds":
			c.results = list(v)
		case "clearedAttachmentUUIDs":
			c.attachments = list(v)
		}
		return true
	})
}

// client is a count by the recording client.
func (c count) client() transcript.Count {
	if !c.ok {
		return transcript.Count{}
	}
	return transcript.Count{N: transcript.Recorded(c.n), From: transcript.Client}
}

// endCut records the compaction that was begun by a boundary, as soon as what follows it is known: its summary, or
// something else. A summary without a boundary is a compaction of a version that wrote none.
func (b *claudeBuilder) endCut(summary *claudeNode) {
	cut := b.cut
	if cut == nil && summary == nil {
		return
	}
	b.cut = nil
	at := len(b.t.Messages)
	change := transcript.Change{At: at, Kind: transcript.Compact}
	var prompt *trail
	if summary != nil {
		change.Line = summary.entry.line
		b.t.Messages = append(b.t.Messages, summary.message)
		summary.span = transcript.Span{From: at, To: at + 1}
		prompt = prompt.add(summary.span)
	}
	if cut != nil {
		c := &cut.entry.compact
		change.Line, change.Trigger, change.Before, change.After = cut.entry.line, c.trigger, c.before.client(), c.after.client()
		prompt = b.keep(prompt, c, at)
		cut.end.trail = prompt
	}
	if summary != nil {
		if summary.end.trail = prompt; cut != nil { // what hangs on the summary follows the kept tail too
			cut.end = summary.end
		}
	}
	change.Prompt = prompt.spans()
	b.t.Changes = append(b.t.Changes, change)
	b.prompt, b.fresh = prompt, true
}

// keep puts the nodes that a compaction at a message index keeps behind its summary. They were written before, and what
// follows hangs on them there: on the last of them, or on the record before the boundary. A record that is not in
// the file is passed over. A response stays with its results, whether or not those are listed.
func (b *claudeBuilder) keep(prompt *trail, c *claudeCompact, at int) *trail {
	var nodes []*claudeNode
	for _, id := range b.kept(c) {
		if n := b.standsFor(id); n != nil && n.span.From < at { // some list their own summary
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes, func(a, b *claudeNode) int { return cmp.Compare(a.span.From, b.span.From) })
	for _, n := range slices.Compact(nodes) {
		prompt = prompt.add(n.span)
		n.end.trail = prompt
	}
	last := b.standsFor(c.logical)
	if e := b.thread.byUUID[c.logical]; e != nil && last == nil {
		last, _ = b.thread.parentOf(e, nil)
	}
	if last != nil {
		last.end.trail = prompt
	}
	return prompt
}

// standsFor is the node in the transcript that a record became; nil where there is none.
func (b *claudeBuilder) standsFor(uuid string) *claudeNode {
	if e := b.thread.byUUID[uuid]; e != nil && e.hang != nil && e.hang.span.Len() > 0 {
		return e.hang
	}
	return nil
}

// kept lists the uuids of the records that stay: as listed, or else from the tail of the segment up to its head.
func (b *claudeBuilder) kept(c *claudeCompact) []string {
	if len(c.kept) > 0 || c.head == "" {
		return c.kept
	}
	var ids []string
	for id := c.tail; len(ids) < len(b.thread.entries); {
		e := b.thread.byUUID[id]
		if e == nil {
			return nil // not a chain: nothing is known to stay
		}
		ids = append(ids, id)
		if id == c.head {
			return ids
		}
		id = e.parent
	}
	return nil
}

// clear records a microcompaction: the bodies stay in the file, and left the prompt here. The two counts are the
// client's, of the results it may clear and not of the prompt; after is before less what it says it saved.
func (b *claudeBuilder) clear(n *claudeNode) {
	c := &n.entry.compact
	change := transcript.Change{At: len(b.t.Messages), Kind: transcript.Clear, Trigger: c.trigger, Before: c.before.client(), Line: n.entry.line}
	if c.before.ok && c.saved.ok && c.saved.n <= c.before.n {
		change.After = count{c.before.n - c.saved.n, true}.client()
	}
	for _, id := range c.results {
		for _, caller := range b.thread.callers[id] {
			change.Reduce = append(change.Reduce, b.resultParts(caller, id)...)
		}
	}
	for _, id := range c.attachments {
		n := b.standsFor(id)
		if n == nil || n.entry.kind != "attachment" {
			continue
		}
		for p := range n.message.Parts {
			change.Reduce = append(change.Reduce, transcript.PartID{Message: n.span.From, Part: p})
		}
	}
	b.t.Changes = append(b.t.Changes, change)
}

// resultParts lists the parts of the results of a call, as far as they are in the transcript by now.
func (b *claudeBuilder) resultParts(n *claudeNode, id string) []transcript.PartID {
	var out []transcript.PartID
	for m := n.span.From; m < n.span.To; m++ {
		msg := &b.t.Messages[m]
		if msg.Role != transcript.Tool || msg.Parts[0].CallID != id {
			continue
		}
		for p := range msg.Parts {
			out = append(out, transcript.PartID{Message: m, Part: p})
		}
	}
	return out
}
