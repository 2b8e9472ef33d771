package formats

import (
	"fmt"

	"perch/formats/transcript"
)

// The warnings about results that cannot stand in a prompt.
const (
	secondResult  = "a second result of the same tool call was kept out of the prompt"
	uncalledFor   = "a tool result whose call is not in the recording was kept out of the prompt"
	noCallForThis = madeID + "unknown" // the id of such a result, where none is recorded
)

// callers finds the response whose call a result answers. Responses and results are given to it in the order of the
// recording, each with its index there.
type callers struct {
	byID map[string]*openCall // the newest call with an id: some providers count them anew in every response
	last []*openCall          // the calls of the newest response
}

// openCall is a call that a result may answer.
type openCall struct {
	response int
	call     transcript.Part
	answered bool
}

// response adds the calls of a response. A call without an id gets one from its place.
func (c *callers) response(index int, m *transcript.Message) {
	c.last = nil
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind != transcript.ToolCall {
			continue
		}
		if p.CallID == "" {
			p.CallID = fmt.Sprintf("%s%d-%d", madeID, index+1, i)
		}
		if known := c.byID[p.CallID]; known != nil && known.response == index {
			continue // the same id twice in a response: only one result can name it
		}
		o := &openCall{response: index, call: *p}
		c.last = append(c.last, o)
		if c.byID == nil {
			c.byID = map[string]*openCall{}
		}
		c.byID[p.CallID] = o
	}
}

// answer completes a result from the call it answers and returns the index of its response. Where it answers none,
// or answers one again, it is marked as never sent and why is not empty.
func (c *callers) answer(m *transcript.Message) (response int, why string) {
	if len(m.Parts) == 0 { // it answers its call, with nothing
		m.Parts = []transcript.Part{{Kind: transcript.ToolResult}}
	}
	o := c.find(m.Parts[0].CallID, m.Parts[0].Tool)
	switch {
	case o == nil:
		why = uncalledFor
	case o.answered:
		why = secondResult
	}
	if why != "" {
		m.NotSent = true
		for i := range m.Parts {
			if m.Parts[i].CallID == "" {
				m.Parts[i].CallID = noCallForThis
			}
		}
		return 0, why
	}
	o.answered = true
	for i := range m.Parts {
		p := &m.Parts[i]
		p.CallID, p.Tool, p.Subject, p.Effect = o.call.CallID, o.call.Tool, o.call.Subject, o.call.Effect
	}
	return o.response, ""
}

// find returns the call with an id. A result without one answers the first open call of the newest response, of the
// same tool if it names one.
func (c *callers) find(id, tool string) *openCall {
	if id != "" {
		return c.byID[id]
	}
	for _, o := range c.last {
		if !o.answered && (tool == "" || tool == o.call.Tool) {
			return o
		}
	}
	return nil
}

// canonicalOrder lists the messages of one history in the canonical order: every result directly behind the response
// that called for it, everything else as it stands. It warns of results that cannot stand there.
func canonicalOrder(history []transcript.Message, warn func(line int, message string)) []int {
	var c callers
	results := map[int][]int{} // by response
	claimed := make([]bool, len(history))
	for i := range history {
		switch m := &history[i]; m.Role {
		case transcript.Assistant:
			c.response(i, m)
		case transcript.Tool:
			response, why := c.answer(m)
			if why != "" {
				warn(m.Line, why)
				continue
			}
			results[response] = append(results[response], i)
			claimed[i] = true
		}
	}
	out := make([]int, 0, len(history))
	for i := range history {
		if !claimed[i] {
			out = append(append(out, i), results[i]...)
		}
	}
	return out
}

// settled brings the messages of a history that a log repeats into the canonical order.
func settled(history []transcript.Message, n *notes) []transcript.Message {
	out := make([]transcript.Message, 0, len(history))
	for _, i := range canonicalOrder(history, n.once) {
		out = append(out, history[i])
	}
	return out
}
