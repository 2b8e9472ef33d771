package pipeline

import (
	"context"
	"errors"
	"slices"

	"perch/formats/transcript"
)

// span is what one summary replaces.
type span struct {
	v        *View
	from, to MessageID            // first and last message
	took     []MessageID          // in order, earlier summaries included
	keep     []MessageID          // what stays behind the summary
	before   []MessageID          // earlier summaries among took
	tokens   transcript.Estimated // of took
	previous transcript.Estimated // of the earlier summaries, without what was put back beside them
	read     transcript.Estimated // what the summarizer has to read
}

// span returns everything in front of the tail that may go. It reports false if there is nothing but earlier
// summaries.
func (sm Summarize) span(v *View) (*span, bool) {
	sp := &span{v: v}
	kept := sm.kept(v)
	var pending []MessageID // kept messages since the last that goes
	fresh := false
	for _, id := range v.s.prompt[:v.guard.From] {
		if slices.Contains(kept, id) {
			pending = append(pending, id)
			continue
		}
		if sp.took == nil {
			sp.from = id
		} else {
			sp.keep = append(sp.keep, pending...)
		}
		pending = nil
		sp.to = id
		sp.took = append(sp.took, id)
		size := v.MessageSize(id)
		sp.tokens += size
		if v.isSummary(id) {
			sp.before = append(sp.before, id)
			sp.previous += size
			if id < 0 {
				sp.previous -= v.s.Summary(id).Reinjected
			}
		} else {
			fresh = true
		}
	}
	sp.read = sp.tokens
	if sm.Fold == FoldAll {
		sp.read += sp.reread() - sp.previous
	}
	return sp, fresh
}

// reread is what the messages behind the earlier summaries cost whole.
func (sp *span) reread() transcript.Estimated {
	var n transcript.Estimated
	for _, id := range sp.before {
		for _, leaf := range sp.v.s.leaves(id, nil) {
			for i := range sp.v.s.Message(leaf).Parts {
				n += sp.v.SizeAs(PartID{leaf, i}, Form{})
			}
		}
	}
	return n
}

// each yields why parts stay.
func (sp *span) each(yield func(PartID, Reason) bool) {
	sp.v.stays(sp.took, "tail", "user-text")(yield)
}

// kept returns the messages in front of the tail that stay word for word: pinned ones, the last typed one, and the
// newest typed ones that fit.
func (sm Summarize) kept(v *View) []MessageID {
	kept := slices.Concat(v.guard.Pinned, v.guard.Also)
	left := sm.KeepUserText.Of(v.budget.Limit)
	for _, id := range slices.Backward(v.s.typed) {
		if v.s.position(id) >= v.guard.From || slices.Contains(kept, id) {
			continue
		}
		if left -= v.MessageSize(id); left < 0 {
			break
		}
		kept = append(kept, id)
	}
	return kept
}

// write makes the summary: by its size, or with the summarizer.
func (sm Summarize) write(ctx context.Context, v *View, sp *span) (Summary, error) {
	if n := sm.Fail.Every; n > 0 && (v.memory().Attempts+1)%n == 0 {
		return Summary{}, errors.New("simulated failure")
	}
	size := sm.Size.of(sp.read)
	folds := len(sp.before) > 0 && sm.Fold != FoldAll
	if folds {
		size = max(size, sp.previous)
	}
	if sm.By == nil {
		return Summary{Simulated: size + sm.Reinject, Reinjected: sm.Reinject, Folded: folds}, nil
	}
	r, err := sm.request(sp, size)
	if err != nil {
		return Summary{}, err
	}
	text, err := sm.By.Summarize(ctx, r)
	if err == nil && text == "" {
		err = errors.New("empty summary")
	}
	return Summary{Text: text, Folded: folds}, err
}

// request is what a summarizer is given. Under FoldAll the messages behind an earlier summary stand in its place.
func (sm Summarize) request(sp *span, size transcript.Estimated) (SummaryRequest, error) {
	r := SummaryRequest{Size: size}
	s := sp.v.s
	for _, id := range sp.took {
		switch m, err := s.render(id, nil); {
		case err != nil:
			return r, err
		case !slices.Contains(sp.before, id):
			r.Messages = append(r.Messages, m)
		case id < 0 && sm.Fold == FoldAll:
			for _, leaf := range s.leaves(id, nil) {
				r.Messages = append(r.Messages, *s.Message(leaf))
			}
		default:
			for i := range m.Parts {
				r.Previous += m.Parts[i].Text
			}
		}
	}
	return r, nil
}

// of returns the size of a summary of so many tokens.
func (z Size) of(tokens transcript.Estimated) transcript.Estimated {
	return min(max(transcript.Estimated(z.Share*float64(tokens)), z.Min), z.Max) + z.Wrapper
}

// total returns what several messages cost as they stand.
func (v *View) total(ids []MessageID) transcript.Estimated {
	var n transcript.Estimated
	for _, id := range ids {
		n += v.MessageSize(id)
	}
	return n
}
