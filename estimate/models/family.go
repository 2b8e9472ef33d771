package models

import (
	"strconv"
	"strings"

	"perch/formats/transcript"
)

// Family is a tokenizer family: what its tokens are against those of o200k, before a run has been measured.
type Family struct {
	// Ratios are real tokens per local token counted with o200k, by content class. For thinking and images local
	// means what the signature and the image rule say.
	Ratios map[transcript.Class]float64 `json:"ratios"`
	SD     float64                      `json:"sd"` // standard deviation of a ratio between runs

	// What a provider adds around content, in tokens.
	Call    float64 `json:"call"`    // a tool call, beyond its input
	Result  float64 `json:"result"`  // a tool result
	Message float64 `json:"message"` // any other part

	Signature float64 `json:"signature"`      // tokens per byte of a thinking signature; 0: its length says nothing
	Page      int     `json:"page_tokens"`    // of a page of a document
	Thought   int     `json:"thought_tokens"` // assumed for thinking that nothing sizes
	Opaque    int     `json:"opaque_tokens"`  // assumed for any other item the provider keeps encrypted
	Note      string  `json:"note,omitempty"`
}

// Family returns the family a model belongs to.
func (tb *Table) Family(m Model) Family { return tb.families[m.Family] }

// Ratio returns the prior ratio of a class over a counter's local tokens, and its standard deviation. A counter
// that is not in the table is taken for o200k.
func (tb *Table) Ratio(f Family, c transcript.Class, counter string) (mean, sd float64) {
	mean, sd = f.Ratios[c], f.SD
	if mean == 0 {
		mean = 1
	}
	switch c {
	case transcript.Thought, transcript.Picture, transcript.Withheld:
		return mean, sd // not counted by the counter
	}
	unit := tb.counters[counter]
	if r := unit.Ratios[c]; r > 0 {
		mean *= r
	}
	return mean, sd + unit.SD
}

// CounterSD is how much less closely than o200k a counter follows content, as a share of its tokens.
func (tb *Table) CounterSD(counter string) float64 { return tb.counters[counter].SD }

// Counter says what a counter's tokens are against those of o200k.
type Counter struct {
	Ratios map[transcript.Class]float64 `json:"ratios"` // o200k tokens per token of this counter; 1 where absent
	SD     float64                      `json:"sd"`     // added to a family's, because the counter follows content less well
}

// Overhead is what an agent's requests hold beyond the visible messages at a run's first call: system prompt, tool
// schemas, injected files.
type Overhead struct {
	Format string  `json:"format"`
	Nested bool    `json:"nested,omitempty"` // for sub-agents
	Until  string  `json:"until,omitempty"`  // the last version the row holds for
	Tokens int     `json:"tokens"`
	SD     float64 `json:"sd"` // tokens
	Note   string  `json:"note,omitempty"`
}

// Overhead returns the prior for a thread's first call, and false where nothing is known of its format.
func (tb *Table) Overhead(format, version string, nested bool) (Overhead, bool) {
	for _, o := range tb.overheads {
		if o.Format == format && o.Nested == nested && (o.Until == "" || !after(version, o.Until)) {
			return o, true
		}
	}
	return Overhead{}, false
}

// after reports whether version a comes after b, number by number. An unknown version comes after all.
func after(a, b string) bool {
	if a == "" {
		return true
	}
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range bs {
		x, y := 0, number(bs[i])
		if i < len(as) {
			x = number(as[i])
		}
		if x != y {
			return x > y
		}
	}
	return false
}

// number reads the digits a version component starts with.
func number(s string) int {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil {
		return 0
	}
	return n
}
