package pipeline

import (
	"slices"

	"perch/formats/transcript"
)

// cutter shrinks what a floor is made of, until it has freed enough.
type cutter struct {
	reducer
	over transcript.Estimated // to be freed
}

// floor clears the bodies in the floor but the newest, then cuts the newest to its head and tail, then the longest
// texts.
func (c *cutter) floor() {
	bodies, texts := c.parts()
	var newest []PartID
	for i, id := range slices.Backward(bodies) {
		if c.v.part(id).Kind == transcript.ToolResult {
			newest = []PartID{id}
			bodies = slices.Delete(bodies, i, i+1)
			break
		}
	}
	for _, id := range bodies {
		if c.freed >= c.over {
			return
		}
		c.clear(id)
	}
	for _, id := range append(newest, texts...) {
		if c.freed >= c.over {
			return
		}
		c.force(id, c.v.fit(id, c.v.Size(id)-(c.over-c.freed)))
	}
}

// parts returns the bodies of the floor in order, and its other texts, longest first.
func (c *cutter) parts() (bodies, texts []PartID) {
	for _, id := range c.v.s.prompt {
		if held, pinned := c.v.guard.protects(c.v.s, id); !held || pinned {
			continue
		}
		m := c.v.s.Message(id)
		for i := range m.Parts {
			part := PartID{id, i}
			switch {
			case m.Parts[i].Kind == transcript.Text:
				texts = append(texts, part)
			case c.v.s.ix.suits(part, m, Marker), c.v.s.ix.suits(part, m, Stub):
				bodies = append(bodies, part)
			}
		}
	}
	slices.SortStableFunc(texts, func(a, b PartID) int { return int(c.v.Size(b) - c.v.Size(a)) })
	return bodies, texts
}

// clear takes a body away: a result becomes a marker, an image or a document a stub.
func (c *cutter) clear(id PartID) {
	f := Form{Kind: Marker, N: int(c.v.SizeAs(id, Form{}))}
	if c.v.part(id).Kind != transcript.ToolResult {
		f.Kind = Stub
	}
	c.force(id, f)
}
