package pipeline

import (
	"fmt"

	"perch/formats/transcript"
)

// Renderer rewrites media when a prompt is built; nil leaves them as they are.
type Renderer interface {
	Image(m transcript.Media, maxTokens int) (transcript.Media, error)
}

// Render builds the messages of the prompt as they would be sent. Messages of the index are not changed; what is
// whole shares its parts with them.
func (s *State) Render(r Renderer) ([]transcript.Message, error) {
	out := make([]transcript.Message, len(s.prompt))
	for i, id := range s.prompt {
		m, err := s.render(id, r)
		if err != nil {
			return nil, fmt.Errorf("rendering message %d: %w", id, err)
		}
		out[i] = m
	}
	return out, nil
}

// render builds one message.
func (s *State) render(id MessageID, r Renderer) (transcript.Message, error) {
	m := *s.Message(id)
	whole := m.Parts
	for i := range whole {
		f := s.forms[PartID{id, i}]
		if f.Kind == Full {
			continue
		}
		if &m.Parts[0] == &whole[0] {
			m.Parts = append([]transcript.Part(nil), whole...)
		}
		p, err := renderPart(s.Message(id), i, f, r)
		if err != nil {
			return m, err
		}
		m.Parts[i] = p
	}
	return m, nil
}

// renderPart builds one reduced part. The stub of an image is text of its message.
func renderPart(m *transcript.Message, part int, f Form, r Renderer) (transcript.Part, error) {
	p := m.Parts[part]
	if f.Kind == Ceiling {
		if r == nil {
			return p, nil
		}
		media, err := r.Image(p.Media, f.N)
		if err != nil {
			return p, fmt.Errorf("scaling the image of part %d down to %d tokens: %w", part, f.N, err)
		}
		p.Media = media
		return p, nil
	}
	p.Text = Body(m, part, f)
	if p.Kind == transcript.Image || p.Kind == transcript.Document {
		p.Media = transcript.Media{}
		p.Kind = transcript.Text
		if m.Role == transcript.Tool {
			p.Kind = transcript.ToolResult
		}
	}
	return p, nil
}
