// Package models is the dated table of what is known of models without asking them: their limits, their tokenizer
// families with the ratios an estimate starts from, how they size images, what their prompt caches cost, and how
// much the agents that call them hide from a recording.
//
// [Default] is the table embedded in the program. [Read] lays a person's own rows over it. Everything else is a
// lookup: [Table.Lookup] for a model, [Table.Family] for its ratios, [Table.Overhead] for a first call, and [Limit]
// for the limit that applies to a run, with where it came from.
package models

import (
	"path"
	"strings"

	"perch/formats/transcript"
)

// Table is one set of rows. It does not change once it is read and may be shared.
type Table struct {
	Date string // when the rows were last checked, YYYY-MM-DD

	models    []Model // in order of preference: the first match wins
	fallback  Model
	families  map[string]Family
	images    map[string]Image
	overheads []Overhead
	counters  map[string]Counter
	unnamed   map[string]string // format -> the model of its calls that name none
}

// Model is what is known of the models whose names match one of its patterns.
type Model struct {
	Match     []string       `json:"match"` // patterns of path.Match over normalised names
	Family    string         `json:"family"`
	Window    int            `json:"window,omitempty"`     // tokens, prompt and output together
	Input     int            `json:"input,omitempty"`      // tokens, where the prompt alone is bounded
	MaxOutput int            `json:"max_output,omitempty"` // tokens
	Tiers     map[string]int `json:"tiers,omitempty"`      // name of a tier -> its window, tokens
	Thinking  Thinking       `json:"thinking"`
	Image     string         `json:"image"` // name of an image rule
	Cache     CacheRates     `json:"cache"`
	Note      string         `json:"note,omitempty"` // source of the row
}

// Thinking says what becomes of the thinking of earlier turns when a person speaks again.
type Thinking string

// The thinking rules.
const (
	Kept    Thinking = "kept"    // it stays in the prompt
	Dropped Thinking = "dropped" // it leaves at the next message a person typed
)

// CacheRates are prices in thousandths of an uncached input token.
type CacheRates struct {
	Read   int64 `json:"read"`   // of a token read from the prompt cache
	Write  int64 `json:"write"`  // of a token written to it; 1000 where writing costs nothing extra
	Output int64 `json:"output"` // of a generated token
}

// Lookup returns the row of a model. Without one it returns the fallback row, whose limits are unknown (0), and
// false. Names are compared without case, vendor prefix and suffix: "us.anthropic.claude-opus-4-6[1m]" and
// "anthropic/claude-opus-4.6" are "claude-opus-4-6".
func (tb *Table) Lookup(model string) (Model, bool) {
	name := normal(model)
	for i := range tb.models {
		if tb.models[i].matches(name) {
			return tb.models[i], true
		}
	}
	return tb.fallback, false
}

// Lookup is Lookup in the default table.
func Lookup(model string) (Model, bool) { return Default().Lookup(model) }

// Of returns the row of the model a call of a recording went to. Where the call names none, it is the model that
// recordings of its format that name none were made with.
func (tb *Table) Of(t *transcript.Transcript, c *transcript.Call) (Model, bool) {
	if c.Model == "" {
		return tb.Lookup(tb.unnamed[t.Format])
	}
	return tb.Lookup(c.Model)
}

// matches reports whether a normalised name matches one of the row's patterns.
func (m *Model) matches(name string) bool {
	for _, p := range m.Match {
		if ok, err := path.Match(normal(p), name); ok && err == nil {
			return true
		}
	}
	return false
}

// vendorPrefixes stand before a model's name in the names gateways use.
var vendorPrefixes = [...]string{"us.", "eu.", "apac.", "global.", "anthropic.", "openai.", "google."}

// normal brings a model name, or a pattern, to the form rows are compared in.
func normal(model string) string {
	name := strings.ToLower(strings.TrimSpace(model))
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	for _, p := range vendorPrefixes {
		name = strings.TrimPrefix(name, p)
	}
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	return strings.ReplaceAll(name, ".", "-")
}
