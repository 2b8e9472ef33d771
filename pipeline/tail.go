package pipeline

import "perch/formats/transcript"

// Tail sizes the recent history that stays word for word: whole units, contiguous, rounded under, at least the
// newest unit and, unless the tail is 0, one tool group.
type Tail struct {
	Tokens Amount `yaml:"tokens"`
	Min    Amount `yaml:"min"`
	Max    Amount `yaml:"max"` // 0: no bound
	Fit    bool   `yaml:"fit"` // also at most G less overhead, pins and the expected summary, but never below Min
}

// limit returns the tokens the tail may take; beside is what stands in the prompt beside it.
func (t Tail) limit(b Budget, beside transcript.Estimated) transcript.Estimated {
	n := t.Tokens.Of(b.Limit)
	if most := t.Max.Of(b.Limit); most > 0 {
		n = min(n, most)
	}
	if t.Fit {
		n = min(n, b.Target-beside)
	}
	return max(n, t.Min.Of(b.Limit))
}

// start returns the position at which a tail of so many tokens begins. Sizes are what the parts cost, without
// overhead: one short call billed mostly for hidden text would otherwise shrink the tail to nothing.
func (v *View) start(units []transcript.Unit, limit transcript.Estimated) int {
	if len(units) == 0 {
		return 0
	}
	last := len(units) - 1
	start := units[last].From
	used := v.spanSize(start, units[last].To)
	group := v.isGroup(units[last])
	for i := last - 1; i >= 0 && limit > 0; i-- {
		used += v.spanSize(units[i].From, units[i].To)
		if used > limit && (group || !v.isGroup(units[i])) {
			break
		}
		start = units[i].From
		group = group || v.isGroup(units[i])
	}
	return start
}

// isGroup reports whether a unit is a response with calls.
func (v *View) isGroup(u transcript.Unit) bool {
	return u.To-u.From > 1 || v.s.calling(v.s.prompt[u.From])
}

// calling reports whether a message calls tools.
func (s *State) calling(id MessageID) bool {
	m := s.Message(id)
	for i := range m.Parts {
		if m.Parts[i].Kind == transcript.ToolCall {
			return true
		}
	}
	return false
}
