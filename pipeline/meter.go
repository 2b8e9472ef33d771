package pipeline

import (
	"unicode/utf8"

	"perch/formats/transcript"
)

// CharsMeter sizes a state's prompt at four characters a token and its images by their pixels, plus a fixed
// overhead. It needs nothing from a provider, so it serves for a first call, for examples and for tests. It counts
// dense content (CSV, JSON, code, CJK) far too low and looks at the whole prompt for each call: an agent that knows
// what its provider counted should calibrate.
type CharsMeter struct {
	State  *State
	Hidden transcript.Estimated // system prompt and tool schemas, as far as they are known
}

// Prompt returns the overhead and the sizes of all parts that stand.
func (c CharsMeter) Prompt() transcript.Estimated {
	v := View{s: c.State, m: c}
	return c.Hidden + v.spanSize(0, len(c.State.prompt))
}

// Part returns a quarter of the characters of a part's text, or the price of its pixels.
func (c CharsMeter) Part(id PartID, f Form) transcript.Estimated {
	m := c.State.Message(id.Message)
	if p := &m.Parts[id.Part]; p.Kind == transcript.Image && f.Kind < HeadTail {
		n := imageTokens(p.Media)
		if f.Kind == Ceiling {
			n = min(n, transcript.Estimated(f.N))
		}
		return n
	}
	return c.Text(Body(m, id.Part, f))
}

// Text returns a quarter of the characters of a text, rounded up.
func (CharsMeter) Text(text string) transcript.Estimated {
	return transcript.Estimated((utf8.RuneCountInString(text) + 3) / 4)
}

// Overhead returns the fixed overhead.
func (c CharsMeter) Overhead() transcript.Estimated { return c.Hidden }

// imageTokens is width x height / 750, Anthropic's published rule, at most and by default 1,600.
func imageTokens(m transcript.Media) transcript.Estimated {
	if m.Width == 0 || m.Height == 0 {
		return 1600
	}
	return transcript.Estimated(min(m.Width*m.Height/750, 1600))
}
