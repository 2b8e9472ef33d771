package pipeline

import (
	"perch/formats/transcript"
	"perch/pipeline/page"
)

// Index is the immutable side of a State: the messages by id, and what is known of each part (is it a page
// snapshot, an image, a result) found once when it is added. Many States can share one Index, also at the same
// time, as long as nothing is added meanwhile.
type Index struct {
	messages []*transcript.Message
	pages    map[PartID]snapshot
}

// snapshot is what the index knows of a part that holds a page snapshot.
type snapshot struct {
	incremental bool
	share       float64 // of the part's text that is the snapshot
}

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{pages: map[PartID]snapshot{}} }

// Add takes the next message and returns its id: 0, 1, 2, ... The message must not change afterwards.
func (ix *Index) Add(m *transcript.Message) MessageID {
	id := MessageID(len(ix.messages))
	ix.messages = append(ix.messages, m)
	for i := range m.Parts {
		if s, ok := findSnapshot(m, i); ok {
			ix.pages[PartID{id, i}] = s
		}
	}
	return id
}

// Len is the number of messages added so far.
func (ix *Index) Len() int { return len(ix.messages) }

// Message returns the message an id names.
func (ix *Index) Message(id MessageID) *transcript.Message { return ix.messages[id] }

// findSnapshot looks for a page snapshot where one may be pruned: in what tools and clients wrote, not in what a
// person or the model did. One that is no longer than its stub is not worth the trouble.
func findSnapshot(m *transcript.Message, part int) (snapshot, bool) {
	p := &m.Parts[part]
	result := p.Kind == transcript.ToolResult && m.Role == transcript.Tool
	client := p.Kind == transcript.Text && (m.Origin == transcript.Injected || m.Origin == transcript.FromTool)
	if !result && !client {
		return snapshot{}, false
	}
	s, ok := page.Find(p.Text)
	if !ok || len(Body(m, part, Form{Kind: Stub, N: len(p.Text)})) >= len(p.Text) {
		return snapshot{}, false
	}
	return snapshot{incremental: s.Incremental, share: float64(s.End-s.Start) / float64(len(p.Text))}, true
}

// suits reports whether a part can stand in a form of this kind. A result inside a response is the provider's own
// and stays as it is.
func (ix *Index) suits(id PartID, m *transcript.Message, kind FormKind) bool {
	_, isPage := ix.pages[id]
	p := &m.Parts[id.Part]
	result := p.Kind == transcript.ToolResult && m.Role == transcript.Tool
	switch kind {
	case Full, Gone:
		return true
	case Actionable:
		return isPage
	case Ceiling:
		return p.Kind == transcript.Image
	case HeadTail:
		return p.Kind == transcript.Text || result
	case OneLine, Marker:
		return result
	case Stub:
		return isPage || p.Kind == transcript.Image || p.Kind == transcript.Document
	}
	return false
}
