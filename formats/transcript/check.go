package transcript

import "fmt"

// Check verifies the invariants that every prompt of the transcript keeps: spans and indexes are inside the
// transcript, and each prompt passes [CheckPrompt]. It returns the first violation.
func Check(t *Transcript) error {
	if err := t.checkIndexes(); err != nil {
		return err
	}
	var prompt []int
	pair := pairing{}
	for e := range t.Walk() {
		switch e.Kind {
		case Append:
			prompt = append(prompt, e.Index)
			if err := pair.next(&t.Messages[e.Index]); err != nil {
				return fmt.Errorf("message %d (line %d): %w", e.Index, t.Messages[e.Index].Line, err)
			}
		case Alter:
			c := &t.Changes[e.Index]
			if c.Prompt == nil {
				continue
			}
			prompt = t.Rewrite(c, prompt)
			pair = pairing{}
			for _, m := range prompt {
				if err := pair.next(&t.Messages[m]); err != nil {
					return fmt.Errorf("message %d (line %d) after the %s of line %d: %w", m, t.Messages[m].Line, c.Kind, c.Line, err)
				}
			}
		}
	}
	return nil
}

// CheckPrompt verifies one prompt of n messages: every result follows the response that called it with nothing
// but other results between, answers a call of that response, and answers it once.
func CheckPrompt(n int, at func(int) *Message) error {
	pair := pairing{}
	for i := range n {
		if err := pair.next(at(i)); err != nil {
			return fmt.Errorf("position %d: %w", i, err)
		}
	}
	return nil
}

// pairing follows the calls of the last response that are still open.
type pairing struct{ open map[string]bool }

// next takes the next message of a prompt.
func (p *pairing) next(m *Message) error {
	if m.Role == Tool {
		if len(m.Parts) == 0 || m.Parts[0].CallID == "" {
			return fmt.Errorf("a tool result without a call id")
		}
		id := m.Parts[0].CallID
		if !p.open[id] {
			return fmt.Errorf("the result of call %q does not follow its call, or answers it a second time", id)
		}
		delete(p.open, id)
		return nil
	}
	p.open = nil
	for i := range m.Parts {
		if m.Parts[i].Kind != ToolCall {
			continue
		}
		if m.Parts[i].CallID == "" {
			return fmt.Errorf("a tool call without a call id")
		}
		if p.open == nil {
			p.open = map[string]bool{}
		}
		p.open[m.Parts[i].CallID] = true
	}
	return nil
}

// checkIndexes verifies that positions are ordered and inside the transcript.
func (t *Transcript) checkIndexes() error {
	n := len(t.Messages)
	inside := func(s Span) bool { return 0 <= s.From && s.From <= s.To && s.To <= n }
	last := 0
	for i := range t.Calls {
		c := &t.Calls[i]
		if c.At < last || c.At > n || !inside(c.Reply) {
			return fmt.Errorf("call %d (line %d): position %d or reply %v is out of order or outside", i, c.Line, c.At, c.Reply)
		}
		last = c.At
	}
	last = 0
	for i := range t.Changes {
		c := &t.Changes[i]
		if c.At < last || c.At > n {
			return fmt.Errorf("change %d (line %d): position %d is out of order or outside", i, c.Line, c.At)
		}
		last = c.At
		for _, s := range c.Prompt {
			if !inside(s) {
				return fmt.Errorf("change %d (line %d): span %v is outside", i, c.Line, s)
			}
		}
		for _, id := range c.Reduce {
			if id.Message < 0 || id.Message >= n || id.Part < 0 || id.Part >= len(t.Messages[id.Message].Parts) {
				return fmt.Errorf("change %d (line %d): part %v is outside", i, c.Line, id)
			}
		}
	}
	return nil
}
