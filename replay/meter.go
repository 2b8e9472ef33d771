package replay

import (
	"slices"

	"perch/estimate"
	"perch/formats/transcript"
	"perch/pipeline"
)

// meter is a pipeline's meter that a lane keeps up to date.
type meter interface {
	pipeline.Meter
	appended(id pipeline.MessageID)    // a message entered the prompt
	cleared(m pipeline.Move)           // the recorded agent cleared a part
	reset()                            // the recorded agent rewrote the prompt, or went back in it
	before(call int)                   // call is about to be sent: nothing recorded from it on may be used
	edited(freed transcript.Estimated) // what the steps freed at this call
	reported(prompt transcript.Ledger) // what the (simulated) provider counted
}

// silent is the meter of a lane without a pipeline.
type silent struct{ pipeline.Meter }

func (silent) appended(pipeline.MessageID) {}
func (silent) cleared(pipeline.Move)       {}
func (silent) reset()                      {}
func (silent) before(int)                  {}
func (silent) edited(transcript.Estimated) {}
func (silent) reported(transcript.Ledger)  {}

// calibrated is the decision meter: the last reported count, plus what is new since by the ratios learned so far.
// Without a report to go by it is the overhead known so far plus the whole prompt.
type calibrated struct {
	price *pricer
	state *pipeline.State

	call     int
	anchored bool
	anchor   transcript.Estimated
	fresh    []pipeline.MessageID // appended since the anchor

	// leaving is what the model's own rule takes out of the prompt before this call: thinking of earlier turns.
	leaving map[pipeline.PartID]transcript.Estimated // negative
}

func (m *calibrated) appended(id pipeline.MessageID) { m.fresh = append(m.fresh, id) }
func (m *calibrated) reset()                         { m.anchored, m.fresh = false, nil }
func (m *calibrated) before(call int) {
	m.call = call
	clear(m.leaving)
	for _, u := range m.price.study.UnseenAt(call) {
		if !u.Foreseen {
			continue
		}
		for i, id := range u.Parts {
			if m.leaving == nil {
				m.leaving = map[pipeline.PartID]transcript.Estimated{}
			}
			m.leaving[stateID(id)] += transcript.Estimated(u.Share[i])
		}
	}
}

func (m *calibrated) cleared(v pipeline.Move) {
	if !slices.Contains(m.fresh, v.Part.Message) {
		m.anchor -= m.Part(v.Part, v.From) - m.Part(v.Part, v.To)
	}
}

// edited implements meter: the report that follows already counts the edits.
func (m *calibrated) edited(transcript.Estimated) {}

func (m *calibrated) reported(prompt transcript.Ledger) {
	m.anchored, m.anchor, m.fresh = true, transcript.Estimated(prompt), m.fresh[:0]
}

// Prompt implements pipeline.Meter.
func (m *calibrated) Prompt() transcript.Estimated {
	sum, ids := m.anchor, m.fresh
	if !m.anchored {
		sum, ids = m.Overhead(), m.state.Prompt()
	}
	for _, id := range ids {
		sum += messageSize(m, m.state, id)
	}
	if m.anchored {
		sum += m.left()
	}
	return sum
}

// left is what leaves of the parts that the anchor still counts whole.
func (m *calibrated) left() transcript.Estimated {
	var sum transcript.Estimated
	for id, share := range m.leaving {
		if m.state.Form(id).Kind == pipeline.Full && !slices.Contains(m.fresh, id.Message) {
			sum += share
		}
	}
	return sum
}

// Part implements pipeline.Meter.
func (m *calibrated) Part(id pipeline.PartID, f pipeline.Form) transcript.Estimated {
	if f.Kind == pipeline.Gone {
		return 0
	}
	_, whole := m.price.study.Estimate(recordedID(id), m.call)
	if f.Kind == pipeline.Full {
		return whole + transcript.Estimated(m.price.falls[id]) + m.leaving[id]
	}
	sizes := m.price.sizes
	return transcript.Estimated(scale(int(whole), sizes.local(id, f), sizes.local(id, pipeline.Form{})))
}

// Text implements pipeline.Meter.
func (m *calibrated) Text(text string) transcript.Estimated {
	_, upper := m.price.study.Text(text, m.call)
	return upper
}

// Overhead implements pipeline.Meter.
func (m *calibrated) Overhead() transcript.Estimated { return m.price.study.Calls[m.call].OverheadPrev }

// naive decides on chars/4 of the visible prompt and knows of no overhead.
type naive struct {
	sizes *sizes
	state *pipeline.State
	total transcript.Estimated
	stale bool
}

func (m *naive) appended(id pipeline.MessageID) { m.total += messageSize(m, m.state, id) }
func (m *naive) reset()                         { m.stale = true }
func (m *naive) cleared(pipeline.Move)          { m.stale = true }
func (m *naive) reported(transcript.Ledger)     {}
func (m *naive) before(int) {
	if !m.stale {
		return
	}
	m.total, m.stale = 0, false
	for _, id := range m.state.Prompt() {
		m.total += messageSize(m, m.state, id)
	}
}

// edited takes what the steps freed.
func (m *naive) edited(freed transcript.Estimated) { m.total -= freed }

// Prompt implements pipeline.Meter.
func (m *naive) Prompt() transcript.Estimated { return m.total }

// Part implements pipeline.Meter.
func (m *naive) Part(id pipeline.PartID, f pipeline.Form) transcript.Estimated {
	return transcript.Estimated(m.sizes.naive(id, f))
}

// Text implements pipeline.Meter.
func (m *naive) Text(text string) transcript.Estimated {
	return transcript.Estimated(estimate.Chars4(text))
}

// Overhead implements pipeline.Meter.
func (m *naive) Overhead() transcript.Estimated { return 0 }

// messageSize is what a meter says a message costs in the forms its parts stand in.
func messageSize(m pipeline.Meter, s *pipeline.State, id pipeline.MessageID) transcript.Estimated {
	if id < 0 {
		return s.Summary(id).Simulated
	}
	var sum transcript.Estimated
	for i := range s.Message(id).Parts {
		part := pipeline.PartID{Message: id, Part: i}
		sum += m.Part(part, s.Form(part))
	}
	return sum
}
