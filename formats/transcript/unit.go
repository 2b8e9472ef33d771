package transcript

// Unit is an atomic group of a prompt: positions [From, To) that a fold or a cut takes whole. A response with
// calls and all its results is one unit, every other message is one of its own.
type Unit struct {
	From, To int
}

// Units groups a prompt of n messages; at returns the message at a position. With loops set, the responses of one
// whole tool loop (from a person's message to the next) form a single unit as soon as one of them carries signed
// thinking.
func Units(n int, at func(int) *Message, loops bool) []Unit {
	var units []Unit
	for i := 0; i < n; {
		u := Unit{i, i + 1}
		for u.To < n && at(u.To).Role == Tool && (at(i).Role == Assistant || at(i).Role == Tool) {
			u.To++
		}
		if loops && len(units) > 0 {
			if last := &units[len(units)-1]; signedLoop(at(last.From)) && at(i).Role == Assistant {
				last.To = u.To
				i = u.To
				continue
			}
		}
		units = append(units, u)
		i = u.To
	}
	return units
}

// signedLoop reports whether a unit that starts with m may not be parted from the responses after it.
func signedLoop(m *Message) bool {
	if m.Role != Assistant {
		return false
	}
	for i := range m.Parts {
		if m.Parts[i].Kind == Thinking && m.Parts[i].Opaque > 0 {
			return true
		}
	}
	return false
}
