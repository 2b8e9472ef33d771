package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"perch/formats/transcript"
)

// memory is what a State remembers of one step, by its id.
type memory struct {
	Fires []int                `json:"fires,omitempty"` // the calls at which it fired
	After transcript.Estimated `json:"after,omitempty"` // what the call of its last fire carried

	Attempts    int `json:"attempts,omitempty"`    // times it tried to write something new
	Ineffective int `json:"ineffective,omitempty"` // attempts in a row that were rejected or failed
	LastAttempt int `json:"last_attempt,omitempty"`
	Heard       int `json:"heard,omitempty"` // typed messages at its last attempt
}

// lastFire is the call of the newest fire, or 0.
func (m *memory) lastFire() int {
	if len(m.Fires) == 0 {
		return 0
	}
	return m.Fires[len(m.Fires)-1]
}

// of returns the memory of a step. It is created here, so that a step that never ran has one, too.
func (s *State) of(step string) *memory {
	m := s.steps[step]
	if m == nil {
		m = &memory{}
		s.steps[step] = m
	}
	return m
}

// remember notes what came of a step.
func (s *State) remember(step string, o *Outcome) {
	m := s.of(step)
	rejected := o.Skip == NotSmaller || o.Skip == Failed
	if !rejected && !o.Fired() {
		return
	}
	m.Attempts++
	m.LastAttempt, m.Heard = s.calls, s.heard
	m.Ineffective++
	if o.Fired() {
		m.Ineffective = 0
		m.Fires = append(m.Fires, s.calls)
	}
}

// sending ends a call: what it carries is what the next one is compared with.
func (s *State) sending(e transcript.Estimated) {
	for _, m := range s.steps {
		if m.lastFire() == s.calls {
			m.After = e
		}
	}
	s.sent, s.pause = e, 0
	s.fresh = MessageID(len(s.at))
}

// stored is the JSON form of a State. What can be derived is not in it.
type stored struct {
	Prompt    []MessageID          `json:"prompt"`
	Reduced   []Reduction          `json:"reduced,omitempty"`
	Cut       []MessageID          `json:"cut,omitempty"`
	Summaries []folded             `json:"summaries,omitempty"`
	Steps     map[string]*memory   `json:"steps,omitempty"`
	Calls     int                  `json:"calls"`
	Heard     int                  `json:"heard"`
	Sent      transcript.Estimated `json:"sent"`
	Fresh     MessageID            `json:"fresh"`
	Last      time.Time            `json:"last,omitzero"`
	Pause     float64              `json:"pause,omitempty"`
}

// MarshalJSON writes the state without the messages, which stay in the index.
func (s *State) MarshalJSON() ([]byte, error) {
	return json.Marshal(stored{
		Prompt: s.prompt, Reduced: s.reduced(), Cut: slices.Sorted(maps.Keys(s.cut)), Summaries: s.summaries, Steps: s.steps,
		Calls: s.calls, Heard: s.heard, Sent: s.sent, Fresh: s.fresh, Last: s.last, Pause: s.pause,
	})
}

// UnmarshalJSON reads what MarshalJSON writes into a state that was made over an index with the same messages.
func (s *State) UnmarshalJSON(b []byte) error {
	if s.ix == nil {
		return fmt.Errorf("reading a state without an index; make it with NewState and add the messages first")
	}
	var v stored
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("reading a state: %w", err)
	}
	if err := v.inside(s.ix); err != nil {
		return fmt.Errorf("reading a state: %w; add the messages it was saved with to the index first", err)
	}
	*s = *NewState(s.ix)
	for _, r := range v.Reduced {
		s.forms[r.Part] = r.To
	}
	for _, id := range v.Cut {
		s.cut[id] = true
	}
	if v.Steps != nil {
		s.steps = v.Steps
	}
	s.prompt, s.summaries = v.Prompt, v.Summaries
	s.calls, s.heard, s.sent, s.fresh, s.last, s.pause = v.Calls, v.Heard, v.Sent, v.Fresh, v.Last, v.Pause
	s.rebuild()
	return nil
}

// inside verifies that every id is known.
func (v *stored) inside(ix *Index) error {
	known := func(id MessageID) bool { return int(-id) <= len(v.Summaries) && int(id) < ix.Len() }
	for _, id := range v.Prompt {
		if !known(id) {
			return fmt.Errorf("message %d is not in the index", id)
		}
	}
	for i := range v.Summaries {
		for _, id := range v.Summaries[i].Took {
			if !known(id) || int(-id) > i {
				return fmt.Errorf("message %d, which summary %d took, is not in the index", id, -i-1)
			}
		}
	}
	return nil
}
