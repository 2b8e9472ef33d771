package transcript

import "iter"

// EventKind says which of an Event's indexes is meant.
type EventKind uint8

// The kinds of events.
const (
	Append EventKind = iota // Messages[Index] enters the prompt at its end
	Alter                   // Changes[Index] happens
	Send                    // Calls[Index] is sent
)

// Event is one step of a recorded thread.
type Event struct {
	Kind  EventKind
	Index int
}

// Walk yields what happened in order. At one position changes come before calls unless their lines say otherwise;
// messages that were never sent, and those a change brought along, are not appended.
func (t *Transcript) Walk() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		call, change, brought := 0, 0, 0
		for at := 0; ; at++ {
			for {
				c := call < len(t.Calls) && t.Calls[call].At <= at
				x := change < len(t.Changes) && t.Changes[change].At <= at
				if !c && !x {
					break
				}
				if x && (!c || !t.callFirst(call, change)) {
					brought = max(brought, t.Changes[change].brings())
					change++
					if !yield(Event{Alter, change - 1}) {
						return
					}
					continue
				}
				call++
				if !yield(Event{Send, call - 1}) {
					return
				}
			}
			if at >= len(t.Messages) {
				return
			}
			if at >= brought && !t.Messages[at].NotSent && !yield(Event{Append, at}) {
				return
			}
		}
	}
}

// callFirst decides between a call and a change that are both due: by position, then by line.
func (t *Transcript) callFirst(call, change int) bool {
	c, x := &t.Calls[call], &t.Changes[change]
	if c.At != x.At {
		return c.At < x.At
	}
	return c.Line != 0 && c.Line < x.Line
}

// brings is the index behind the last message the change itself put into the prompt, or 0.
func (c *Change) brings() int {
	end := 0
	for _, s := range c.Prompt {
		if s.To > c.At {
			end = max(end, s.To)
		}
	}
	return end
}

// Rewrite returns the prompt after the change, given the prompt before it: the change's own spans, or prompt
// itself where the change only reduces parts.
func (t *Transcript) Rewrite(c *Change, prompt []int) []int {
	if c.Prompt == nil {
		return prompt
	}
	prompt = prompt[:0:0]
	for _, s := range c.Prompt {
		for m := s.From; m < s.To; m++ {
			if !t.Messages[m].NotSent {
				prompt = append(prompt, m)
			}
		}
	}
	return prompt
}

// PromptAt returns the indexes of the messages in the prompt of call k, in order.
func (t *Transcript) PromptAt(k int) []int {
	var prompt []int
	for e := range t.Walk() {
		switch e.Kind {
		case Append:
			prompt = append(prompt, e.Index)
		case Alter:
			prompt = t.Rewrite(&t.Changes[e.Index], prompt)
		case Send:
			if e.Index == k {
				return prompt
			}
		}
	}
	return nil
}
