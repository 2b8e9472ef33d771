package pipeline

import (
	"maps"
	"slices"
	"time"

	"perch/formats/transcript"
)

// State is one thread's context: which messages stand in the prompt, in which form, and what the steps remember
// (fires, breaker, rearm). Its JSON form survives a restart of a live agent.
type State struct {
	ix *Index

	prompt    []MessageID
	forms     map[PartID]Form    // parts that are not whole
	cut       map[MessageID]bool // messages that went without a summary
	summaries []folded           // -1 first; kept for good, so that ids stay valid

	steps map[string]*memory
	calls int                  // model calls so far
	heard int                  // typed messages so far, whether they still stand or not
	sent  transcript.Estimated // what the last call carried
	fresh MessageID            // messages from this id on have been in no call yet
	last  time.Time            // of the newest message
	pause float64              // longest pause since the last call, in seconds

	derived
}

// derived is what follows from the prompt and the forms. It is kept up to date message by message, so that a call
// at which nothing happens need not look at the whole prompt.
type derived struct {
	at      []int // position by id, -1 where a message is not in the prompt
	units   []transcript.Unit
	system  []MessageID
	typed   []MessageID
	results []MessageID     // messages of role tool with a result that is not a marker yet
	pages   []PartID        // snapshots that are not stubs yet
	images  []PartID        // images that are not stubs yet
	uses    int             // tool calls
	open    map[string]bool // calls of the newest unit that have no result yet
}

// folded is a summary perch wrote and the messages it took, earlier summaries by their negative ids.
type folded struct {
	Summary Summary     `json:"summary"`
	Took    []MessageID `json:"took"`

	at int
}

// NewState returns an empty prompt over an index.
func NewState(ix *Index) *State {
	return &State{ix: ix, forms: map[PartID]Form{}, cut: map[MessageID]bool{}, steps: map[string]*memory{}}
}

// Append adds a message of the index to the end of the prompt, in O(its parts). A result that does not follow its
// call, or answers it a second time, is left out, because no provider would accept it; so is a message that stands
// there already or that was cut from the prompt before.
func (s *State) Append(id MessageID) {
	m := s.ix.messages[id]
	if s.position(id) >= 0 || s.cut[id] {
		return
	}
	if m.Role == transcript.Tool && (len(m.Parts) == 0 || !s.open[m.Parts[0].CallID]) {
		return
	}
	s.prompt = append(s.prompt, id)
	s.add(id)
	if m.Origin == transcript.Person {
		s.heard++
	}
	if !m.Time.IsZero() {
		if !s.last.IsZero() {
			s.pause = max(s.pause, m.Time.Sub(s.last).Seconds())
		}
		s.last = m.Time
	}
}

// add takes the next message of the prompt into what is derived from it.
func (s *State) add(id MessageID) {
	pos := s.place(id)
	m := s.Message(id)
	if newest := len(s.units) - 1; m.Role == transcript.Tool && newest >= 0 && s.follows(s.units[newest]) {
		s.units[newest].To = pos + 1
		delete(s.open, callOf(m))
	} else {
		s.units = append(s.units, transcript.Unit{From: pos, To: pos + 1})
		s.open = nil
	}
	if m.Role == transcript.System {
		s.system = append(s.system, id)
	}
	if m.Origin == transcript.Person {
		s.typed = append(s.typed, id)
	}
	cleared := true
	for i := range m.Parts {
		part := PartID{id, i}
		switch m.Parts[i].Kind {
		case transcript.ToolCall:
			s.uses++
			if s.open == nil {
				s.open = map[string]bool{}
			}
			s.open[m.Parts[i].CallID] = true
		case transcript.ToolResult:
			cleared = cleared && s.forms[part].Kind >= Marker
		case transcript.Image:
			if s.forms[part].Kind < Stub {
				s.images = append(s.images, part)
			}
		}
		if _, ok := s.ix.pages[part]; ok && s.forms[part].Kind <= Actionable {
			s.pages = append(s.pages, part)
		}
	}
	if m.Role == transcript.Tool && !cleared {
		s.results = append(s.results, id)
	}
}

// follows reports whether a result may join a unit.
func (s *State) follows(u transcript.Unit) bool {
	role := s.Message(s.prompt[u.From]).Role
	return role == transcript.Assistant || role == transcript.Tool
}

func callOf(m *transcript.Message) string {
	if len(m.Parts) == 0 {
		return ""
	}
	return m.Parts[0].CallID
}

// place notes where a message stands: behind all that were placed before.
func (s *State) place(id MessageID) int {
	pos := 0
	if n := len(s.units); n > 0 {
		pos = s.units[n-1].To
	}
	if id < 0 {
		s.summaries[-id-1].at = pos
		return pos
	}
	for len(s.at) <= int(id) {
		s.at = append(s.at, -1)
	}
	s.at[id] = pos
	return pos
}

// position returns where a message stands in the prompt, or -1.
func (s *State) position(id MessageID) int {
	switch {
	case id < 0:
		return s.summaries[-id-1].at
	case int(id) < len(s.at):
		return s.at[id]
	}
	return -1
}

// rebuild derives everything anew, after messages left the prompt or moved.
func (s *State) rebuild() {
	s.derived = derived{}
	for i := range s.summaries {
		s.summaries[i].at = -1
	}
	for _, id := range s.prompt {
		s.add(id)
	}
}

// settle drops from the lists of candidates what was reduced.
func (s *State) settle() {
	s.results = slices.DeleteFunc(s.results, func(id MessageID) bool {
		for i := range s.Message(id).Parts {
			if s.Message(id).Parts[i].Kind == transcript.ToolResult && s.forms[PartID{id, i}].Kind < Marker {
				return false
			}
		}
		return true
	})
	s.pages = slices.DeleteFunc(s.pages, func(id PartID) bool { return s.forms[id].Kind > Actionable })
	s.images = slices.DeleteFunc(s.images, func(id PartID) bool { return s.forms[id].Kind >= Stub })
}

// Reset makes the prompt what the recorded agent made it: these messages, with the cleared parts as markers and
// everything else whole. Edits and folds of ours are forgotten; the steps' memory of fires starts anew.
func (s *State) Reset(prompt []MessageID, cleared []PartID) {
	clear(s.forms)
	clear(s.cut)
	clear(s.steps)
	for _, id := range cleared {
		s.forms[id] = Form{Kind: Marker}
	}
	s.prompt = slices.Clone(prompt)
	s.sent, s.fresh = 0, 0
	s.rebuild()
}

// Clear takes what the recorded agent cleared: those of the parts that stand in the prompt in a larger form become
// markers. What we did to other parts stays. It returns the moves, in order.
func (s *State) Clear(parts []PartID) []Move {
	var moves []Move
	for _, id := range parts {
		from, to := s.Form(id), Form{Kind: Marker}
		if from.Kind >= Marker {
			continue
		}
		s.forms[id] = to
		moves = append(moves, Move{Part: id, From: from, To: to})
	}
	s.settle()
	return moves
}

// Rewind makes the prompt these messages, in this order, and keeps our edits on them. A fold stays where all its
// messages stay; otherwise those that stay stand in its place again, in the forms they had.
func (s *State) Rewind(prompt []MessageID) {
	want := map[MessageID]bool{}
	for _, id := range prompt {
		want[id] = true
	}
	owner := map[MessageID]MessageID{}
	for _, id := range s.prompt {
		s.own(id, want, owner)
	}
	placed := map[MessageID]bool{}
	s.prompt = make([]MessageID, 0, len(prompt))
	for _, id := range prompt {
		if by, ok := owner[id]; ok {
			id = by
		}
		if !placed[id] && !s.cut[id] {
			placed[id] = true
			s.prompt = append(s.prompt, id)
		}
	}
	s.rebuild()
}

// own notes for every message below a summary which summary stands for it, if all that it took are wanted; if not,
// it looks at the summaries it took.
func (s *State) own(id MessageID, want map[MessageID]bool, owner map[MessageID]MessageID) {
	if id >= 0 {
		return
	}
	leaves := s.leaves(id, nil)
	if slices.ContainsFunc(leaves, func(leaf MessageID) bool { return !want[leaf] }) {
		for _, took := range s.summaries[-id-1].Took {
			s.own(took, want, owner)
		}
		return
	}
	for _, leaf := range leaves {
		owner[leaf] = id
	}
}

// leaves appends the messages a summary stands for, through earlier summaries; a message stands for itself.
func (s *State) leaves(id MessageID, to []MessageID) []MessageID {
	if id >= 0 {
		return append(to, id)
	}
	for _, took := range s.summaries[-id-1].Took {
		to = s.leaves(took, to)
	}
	return to
}

// Prompt returns the ids in the prompt, in order; the caller must not change the slice.
func (s *State) Prompt() []MessageID { return s.prompt[:len(s.prompt):len(s.prompt)] }

// Form returns the form a part stands in; Gone for a part of a message that was folded or cut.
func (s *State) Form(id PartID) Form {
	if s.position(id.Message) < 0 {
		return Form{Kind: Gone}
	}
	return s.forms[id]
}

// Message returns a message by its id, a summary's included.
func (s *State) Message(id MessageID) *transcript.Message {
	if id < 0 {
		return s.summaries[-id-1].Summary.message()
	}
	return s.ix.messages[id]
}

// Summary returns a summary by its negative id.
func (s *State) Summary(id MessageID) Summary { return s.summaries[-id-1].Summary }

// message is the summary as it stands in a prompt: a user's message that came from a compaction.
func (s Summary) message() *transcript.Message {
	return &transcript.Message{
		Role:   transcript.User,
		Origin: transcript.Compaction,
		Parts:  []transcript.Part{{Kind: transcript.Summary, Text: s.Text}},
	}
}

// reduced lists the parts that are not whole, in order.
func (s *State) reduced() []Reduction {
	var list []Reduction
	for _, id := range slices.SortedFunc(maps.Keys(s.forms), comparePart) {
		list = append(list, Reduction{Part: id, To: s.forms[id]})
	}
	return list
}

func comparePart(a, b PartID) int {
	if a.Message != b.Message {
		return int(a.Message - b.Message)
	}
	return a.Part - b.Part
}
