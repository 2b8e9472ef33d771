package models

import (
	"fmt"
	"slices"
	"strings"

	"perch/formats/transcript"
)

// FallbackWindow is the window assumed, in tokens, where neither a person, the recording nor the table names one.
const FallbackWindow = 200_000

// Asked is what a person said about the limit. The zero value leaves it to the recording and the table.
type Asked struct {
	Limit transcript.Limit // a flag's or a file's; its provenance is kept, flag where it names none
	Tier  string           // the tier the run was served under, for example "1m"
}

// Limit returns the limit that applies to a run. The first of these that is known decides: what a person gave, the
// window of the tier, what the recording names (the last one of a main call), a window larger than the table's
// that a recorded prompt proves (see [Proof]), the table's limit of the run's model, [FallbackWindow].
//
// A tier that the run's model does not have changes nothing; [Table.CheckTier] finds one that no model has.
func Limit(tb *Table, asked Asked, t *transcript.Transcript) transcript.Limit {
	if asked.Limit.Tokens > 0 {
		return given(asked.Limit)
	}
	model, _ := tb.Of(t, &transcript.Call{Model: MainModel(t)})
	if window, ok := model.Tiers[strings.ToLower(asked.Tier)]; ok {
		return transcript.Limit{Tokens: window, Kind: transcript.Window, From: transcript.FromTier}
	}
	if l, ok := recorded(t); ok {
		return l
	}
	if l, _, ok := Proof(tb, t); ok {
		return l
	}
	return model.limit()
}

// given completes a limit a person gave.
func given(l transcript.Limit) transcript.Limit {
	if l.Kind == "" {
		l.Kind = transcript.Window
	}
	if l.From == "" {
		l.From = transcript.FromFlag
	}
	return l
}

// limit is what the table says of a model: the input limit where there is one, else the window, else the fallback.
func (m *Model) limit() transcript.Limit {
	switch {
	case m.Input > 0:
		return transcript.Limit{Tokens: m.Input, Kind: transcript.Input, From: transcript.FromTable}
	case m.Window > 0:
		return transcript.Limit{Tokens: m.Window, Kind: transcript.Window, From: transcript.FromTable}
	}
	return transcript.Limit{Tokens: FallbackWindow, Kind: transcript.Window, From: transcript.FromFallback}
}

// recorded returns the last limit a main call of the recording names.
func recorded(t *transcript.Transcript) (transcript.Limit, bool) {
	for i := range slices.Backward(t.Calls) {
		if c := &t.Calls[i]; c.Kind == transcript.Main && c.Limit.Tokens > 0 {
			l := c.Limit
			l.From = transcript.FromRecord
			return l, true
		}
	}
	return transcript.Limit{}, false
}

// Proof returns the window that a recorded prompt proves, with the index of the first call that was accepted above
// the limit the table gives its model: the smallest tier of the model that holds the run's largest prompt, or that
// prompt itself. It looks at the whole run: a window is a fact about a run, not a forecast.
func Proof(tb *Table, t *transcript.Transcript) (limit transcript.Limit, call int, ok bool) {
	call = -1
	peak := 0
	var model Model
	for i := range t.Calls {
		c := &t.Calls[i]
		n := c.Usage.Prompt
		if n.From != transcript.Provider || c.Err != "" || c.Kind != transcript.Main {
			continue
		}
		m, _ := tb.Of(t, c)
		if int(n.N) > m.limit().Tokens && call < 0 {
			call, model = i, m
		}
		peak = max(peak, int(n.N))
	}
	if call < 0 {
		return transcript.Limit{}, -1, false
	}
	limit = transcript.Limit{Tokens: peak, Kind: model.limit().Kind, From: transcript.FromProof}
	for _, window := range model.Tiers {
		if window >= peak && (limit.Tokens == peak || window < limit.Tokens) {
			limit.Tokens = window
		}
	}
	return limit, call, true
}

// MainModel is the model most main calls of a thread were answered by, the earliest among equals; "" where the
// recording names none.
func MainModel(t *transcript.Transcript) string {
	n := map[string]int{}
	for i := range t.Calls {
		if c := &t.Calls[i]; c.Kind == transcript.Main && c.Usage.Prompt.Or(0) > 0 {
			n[c.Model]++
		}
	}
	best := ""
	for i := range t.Calls {
		if m := t.Calls[i].Model; m != "" && n[m] > n[best] {
			best = m
		}
	}
	return best
}

// CheckTier reports a tier that no model of the table has; "" is none and passes.
func (tb *Table) CheckTier(name string) error {
	if name == "" {
		return nil
	}
	var known []string
	for i := range tb.models {
		for tier := range tb.models[i].Tiers {
			known = append(known, tier)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if slices.Contains(known, strings.ToLower(name)) {
		return nil
	}
	return fmt.Errorf("no model has a tier %q; known tiers: %s; give the window itself with --limit", name, strings.Join(known, ", "))
}
