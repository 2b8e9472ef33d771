package estimate

import (
	"unicode/utf8"

	"perch/formats/transcript"
)

// method is a way to estimate the prompt of the next call.
type method int

// The methods every accuracy table shows side by side.
const (
	byNaive      method = iota // chars/4 of the visible prompt
	byLocal                    // the counter's count of the visible prompt
	byPrevious                 // the last recorded count
	byAnchored                 // the anchor's recorded count + chars/4 of what is new
	byCalibrated               // the point estimate
	byUpper                    // the conservative estimate
	methods
)

// Samples keeps of any number of runs what their scores are made of: a few numbers a call, no text. Samples are
// merged to score several runs together; percentiles are never averaged.
type Samples struct {
	runs    [][]sample // judged calls of one thread each, in order
	classes [len(transcript.Classes)]classSum
}

// sample is one judged call.
type sample struct {
	recorded  transcript.Recorded
	estimate  [methods]int
	step      [methods]int // what the method says the prompt gained since the last judged call
	predicted bool         // an earlier call anchors it
	clean     bool
	gap       Cause
	residual  transcript.Ledger
	free      transcript.Ledger
	grew      transcript.Recorded // recorded - previous
}

// classSum adds up the parts of one class.
type classSum struct {
	tokens transcript.Ledger // of all parts
	firm   transcript.Ledger // of the parts whose price a recorded count supports
	local  transcript.Local  // of the same
	chars  int               // of the same
	billed transcript.Ledger // of those among them that have text
}

// Samples takes a study's samples. The calls that copies marks were recorded in an earlier transcript too and are
// left out; nil marks none.
func (s *Study) Samples(copies []bool) *Samples {
	run := []sample{}
	last := -1
	for k := range s.Calls {
		c := &s.Calls[k]
		if !c.Judged {
			continue
		}
		if copies == nil || !copies[k] {
			run = append(run, s.sample(k, last))
		}
		last = k
	}
	sm := &Samples{runs: [][]sample{run}}
	for m := range s.T.Messages {
		if s.T.Messages[m].NotSent {
			continue
		}
		for id := range parts(s.T, m) {
			sm.classes[classIndex(s.Item(id).Class)].add(s, id)
		}
	}
	return sm
}

// sample is judged call k; last is the judged call before it, or -1.
func (s *Study) sample(k, last int) sample {
	c := &s.Calls[k]
	v := sample{
		recorded: c.Recorded, predicted: c.HasAnchor, clean: c.Clean, gap: c.Gap, residual: c.Residual, free: c.FreeResidual,
		estimate: [methods]int{
			byNaive: int(c.Naive), byLocal: int(c.Local), byPrevious: int(c.Previous),
			byAnchored: int(c.Anchored), byCalibrated: int(c.Point), byUpper: int(c.Upper),
		},
	}
	if !c.HasAnchor {
		return v
	}
	v.grew = c.Recorded - c.Previous
	for m := range v.step {
		v.step[m] = v.estimate[m] - int(c.Previous)
	}
	v.step[byNaive] = int(c.Naive - s.Calls[last].Naive)
	v.step[byLocal] = int(c.Local - s.Calls[last].Local)
	return v
}

// add takes one part.
func (c *classSum) add(s *Study, id transcript.PartID) {
	e, item := s.Entry(id), s.Item(id)
	c.tokens += e.Tokens
	if e.From == Guessed || item.Local == 0 {
		return
	}
	c.firm += e.Tokens
	c.local += item.Local
	if text := s.T.Part(id).Text; text != "" {
		c.chars += utf8.RuneCountInString(text)
		c.billed += e.Tokens
	}
}

// Merge adds the samples of other runs.
func (s *Samples) Merge(o *Samples) {
	s.runs = append(s.runs, o.runs...)
	for i := range s.classes {
		a, b := &s.classes[i], &o.classes[i]
		a.tokens, a.firm, a.local = a.tokens+b.tokens, a.firm+b.firm, a.local+b.local
		a.chars, a.billed = a.chars+b.chars, a.billed+b.billed
	}
}

// Shares is how firmly the recorded counts support the ledger: the shares of the tokens of all parts by firmness,
// in percent.
type Shares struct {
	ExactPct   float64 `json:"ledger_exact_pct"`
	SharedPct  float64 `json:"ledger_shared_pct"`
	GuessedPct float64 `json:"ledger_guessed_pct"`

	exact, shared, guessed transcript.Ledger
}

// Shares sums a study's entries by firmness, each part of a message that was sent once.
func (s *Study) Shares() Shares {
	var sh Shares
	for m := range s.T.Messages {
		if s.T.Messages[m].NotSent {
			continue
		}
		for id := range parts(s.T, m) {
			switch e := s.Entry(id); e.From {
			case Exact:
				sh.exact += e.Tokens
			case Shared:
				sh.shared += e.Tokens
			default:
				sh.guessed += e.Tokens
			}
		}
	}
	sh.Add(Shares{})
	return sh
}

// Add adds the tokens of other runs and takes the shares anew. All are 0 where there are no tokens.
func (sh *Shares) Add(o Shares) {
	sh.exact, sh.shared, sh.guessed = sh.exact+o.exact, sh.shared+o.shared, sh.guessed+o.guessed
	if all := float64(sh.exact + sh.shared + sh.guessed); all > 0 {
		sh.ExactPct, sh.SharedPct, sh.GuessedPct = 100*float64(sh.exact)/all, 100*float64(sh.shared)/all, 100*float64(sh.guessed)/all
	}
}
