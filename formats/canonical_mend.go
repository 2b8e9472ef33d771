package formats

import (
	"slices"

	"perch/formats/transcript"
)

// mend takes out of a transcript what would break the invariants of [transcript.Check]: calls and changes that name
// messages which do not exist, and messages that break the pairing of calls and results. A file that was written by
// [WriteCanonical] and not damaged loses nothing.
func mend(t *transcript.Transcript, n *notes) {
	last, messages := 0, len(t.Messages)
	inside := func(s transcript.Span) bool { return 0 <= s.From && s.From <= s.To && s.To <= messages }
	t.Calls = slices.DeleteFunc(t.Calls, func(c transcript.Call) bool {
		if c.At < last || c.At > messages || !inside(c.Reply) {
			n.damage(c.Line, "a call that names messages which are not there was skipped")
			return true
		}
		last = c.At
		return false
	})
	last = 0
	t.Changes = slices.DeleteFunc(t.Changes, func(c transcript.Change) bool {
		part := func(id transcript.PartID) bool {
			return id.Message >= 0 && id.Message < messages && id.Part >= 0 && id.Part < len(t.Messages[id.Message].Parts)
		}
		sound, length := last <= c.At && c.At <= messages, 0
		for _, s := range c.Prompt {
			sound = sound && inside(s)
			length += s.Len()
		}
		sound = sound && length <= messages // nothing stands in a prompt twice
		for _, id := range c.Reduce {
			sound = sound && part(id)
		}
		if !sound {
			n.damage(c.Line, "a change that names messages which are not there was skipped")
			return true
		}
		last = c.At
		return false
	})
	t.Calls, t.Changes = orNil(t.Calls), orNil(t.Changes)
	pair(t, n)
}

// orNil returns nil for an empty list.
func orNil[E any](s []E) []E {
	if len(s) == 0 {
		return nil
	}
	return s
}

// pair marks as never sent every message that breaks the pairing of calls and results in one of the prompts.
func pair(t *transcript.Transcript, n *notes) {
	var prompt []int
	var open map[string]bool
	next := func(i int) bool {
		m := &t.Messages[i]
		if m.Role == transcript.Tool {
			if len(m.Parts) == 0 || !open[m.Parts[0].CallID] {
				return false
			}
			delete(open, m.Parts[0].CallID)
			return true
		}
		calls := map[string]bool{}
		for p := range m.Parts {
			if m.Parts[p].Kind == transcript.ToolCall {
				calls[m.Parts[p].CallID] = true
			}
		}
		if calls[""] {
			return false
		}
		open = calls
		return true
	}
	keep := func(i int) {
		if !next(i) {
			t.Messages[i].NotSent = true
			n.damage(t.Messages[i].Line, "a message that breaks the pairing of tool calls and results was kept out of the prompt")
			return
		}
		prompt = append(prompt, i)
	}
	for e := range t.Walk() {
		switch e.Kind {
		case transcript.Append:
			keep(e.Index)
		case transcript.Alter:
			if t.Changes[e.Index].Prompt == nil {
				continue
			}
			after := t.Rewrite(&t.Changes[e.Index], prompt)
			prompt, open = nil, nil
			for _, i := range after {
				keep(i)
			}
		}
	}
}
