package replay

import (
	"perch/estimate"
	"perch/formats/transcript"
	"perch/pipeline"
)

// pricer prices parts in any form by the ledger. Entries are final, so lanes share one pricer; the falls it knows
// are those of the calls already seen.
type pricer struct {
	study *estimate.Study
	sizes *sizes
	falls map[pipeline.PartID]transcript.Ledger // negative; per part that the recorded agent seems to have dropped
}

// part prices a part: whole, what the ledger says, less a recorded fall; reduced, its local size at the part's own
// ratio of ledger to local tokens.
func (p *pricer) part(id pipeline.PartID, f pipeline.Form) transcript.Ledger {
	entry := p.study.Entry(recordedID(id)).Tokens
	switch f.Kind {
	case pipeline.Full:
		return entry + p.falls[id]
	case pipeline.Gone:
		return 0
	}
	return transcript.Ledger(scale(int(entry), p.sizes.local(id, f), p.sizes.local(id, pipeline.Form{})))
}

// scale is whole x part / all, rounded to the nearest; part itself where there is no whole to go by.
func scale(whole int, part, all transcript.Local) int {
	if all <= 0 || whole <= 0 {
		return int(part)
	}
	return int((2*int64(whole)*int64(part) + int64(all)) / (2 * int64(all)))
}

// recordedID is a part's id in the transcript: message ids are message indexes there.
func recordedID(id pipeline.PartID) transcript.PartID {
	return transcript.PartID{Message: int(id.Message), Part: id.Part}
}

// stateID is the inverse of recordedID.
func stateID(id transcript.PartID) pipeline.PartID {
	return pipeline.PartID{Message: pipeline.MessageID(id.Message), Part: id.Part}
}

// sizes counts reduced forms, each at most once.
type sizes struct {
	study   *estimate.Study
	index   *pipeline.Index
	counter estimate.Counter
	forms   map[formKey]formSize
}

type formKey struct {
	part pipeline.PartID
	form pipeline.Form
}

type formSize struct{ local, naive transcript.Local }

// local is a form's size by the study's counter.
func (s *sizes) local(id pipeline.PartID, f pipeline.Form) transcript.Local {
	if f.Kind == pipeline.Full {
		return s.study.Item(recordedID(id)).Local
	}
	return s.form(id, f).local
}

// naive is a form's size in chars/4.
func (s *sizes) naive(id pipeline.PartID, f pipeline.Form) transcript.Local {
	if f.Kind == pipeline.Full {
		return s.study.Item(recordedID(id)).Naive
	}
	return s.form(id, f).naive
}

// form counts a reduced form.
func (s *sizes) form(id pipeline.PartID, f pipeline.Form) formSize {
	if f.Kind == pipeline.Gone {
		return formSize{}
	}
	key := formKey{id, f}
	if size, ok := s.forms[key]; ok {
		return size
	}
	var size formSize
	if f.Kind == pipeline.Ceiling {
		item := s.study.Item(recordedID(id))
		size = formSize{min(item.Local, transcript.Local(f.N)), min(item.Naive, transcript.Local(f.N))}
	} else {
		body := pipeline.Body(s.index.Message(id.Message), id.Part, f)
		size = formSize{s.counter.Count(body), estimate.Chars4(body)}
	}
	s.forms[key] = size
	return size
}
