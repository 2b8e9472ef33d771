package estimate

import (
	"perch/estimate/models"
	"perch/formats/transcript"
)

// Options says what a study counts with.
type Options struct {
	Counter Counter
	Models  *models.Table
}

// Study is everything the recorded counts say about one transcript.
type Study struct {
	T     *transcript.Transcript
	Items *Items
	Calls []Call // parallel to T.Calls
	Falls []Unseen
	Grown []Unseen

	Saturated int // calls after which a learned ratio stood at a bound of what content can be

	entries []Entry  // parallel to the rows of Items
	unseen  []Unseen // Falls and Grown in call order
	from    []int    // unseen[from[k]:from[k+1]] were shown by call k
	rates   []*rates // what the meter knew before each call; one more for the time after the last
}

// NewStudy walks a transcript once and returns what its recorded counts say.
func NewStudy(t *transcript.Transcript, o Options) *Study {
	s := &Study{T: t, Items: NewItems(t, o.Counter, o.Models), Calls: make([]Call, len(t.Calls))}
	s.entries = make([]Entry, len(s.Items.rows))
	for i := range s.entries {
		s.entries[i].Call = len(t.Calls)
	}
	w := newWalk(s, o.Models)
	for e := range t.Walk() {
		switch e.Kind {
		case transcript.Append:
			w.enter(e.Index)
		case transcript.Alter:
			w.alter(&t.Changes[e.Index])
		case transcript.Send:
			w.send(e.Index)
		}
	}
	w.finish()
	return s
}

// Item returns the item of a part.
func (s *Study) Item(id transcript.PartID) Item { return s.Items.Item(id) }

// Entry returns the ledger's price of a whole part.
func (s *Study) Entry(id transcript.PartID) Entry { return s.entries[s.Items.index(id)] }

// Estimate is what the meter says a whole part costs when call k is about to be sent: its ledger entry where a
// call before k wrote one, else its ratio at that time x local and what the provider adds around a part (upper:
// conservative). Overhead is not in it.
func (s *Study) Estimate(id transcript.PartID, k int) (point, upper transcript.Estimated) {
	i := s.Items.index(id)
	if e := &s.entries[i]; e.Call < k {
		return transcript.Estimated(e.Tokens), transcript.Estimated(e.Tokens)
	}
	return s.rates[k].tokens(s.wrapper(id), s.Items.rows[i])
}

// Size is what the meter says a message of one part with an item like this costs when call k is about to be sent;
// k = len(Calls) is the time after the last.
func (s *Study) Size(kind transcript.Kind, item Item, k int) (point, upper transcript.Estimated) {
	return s.rates[k].tokens(wrapperOf(kind, 0), item)
}

// Text is what the meter says a text of ours costs in a message of its own when call k is about to be sent.
func (s *Study) Text(text string, k int) (point, upper transcript.Estimated) {
	return s.Size(transcript.Text, s.Items.Text(text), k)
}

// wrapper is what is around a part.
func (s *Study) wrapper(id transcript.PartID) wrapper { return wrapperOf(s.T.Part(id).Kind, id.Part) }

// UnseenAt returns the growth and the falls that call k's recorded count showed, in order. The caller must not
// change them.
func (s *Study) UnseenAt(k int) []Unseen { return s.unseen[s.from[k]:s.from[k+1]] }
