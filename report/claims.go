package report

import "strings"

// Tier says how far a number can be trusted.
type Tier string

// The tiers, from the strongest claim to the weakest. What fits none of them is not claimed at all: whether the
// task would have succeeded, how many turns it would have taken, what the provider's cache would really have hit.
const (
	Exact       Tier = "exact"       // a fact about this recording
	Conditional Tier = "conditional" // holds if the agent had taken the same steps
	Bounded     Tier = "bounded"     // an interval
	Proxy       Tier = "proxy"       // a signal, with its evidence
)

// meaning is a tier's wording below a table.
func (t Tier) meaning() string {
	switch t {
	case Exact:
		return "on these recordings"
	case Conditional:
		return "if the agent had taken the same steps"
	case Bounded:
		return "lies within an interval"
	}
	return "a signal, no measure"
}

// ReplayClaims are the tiers of the metrics of a replay.
func ReplayClaims() map[string]Tier {
	claims := map[string]Tier{}
	add := func(t Tier, metrics ...string) {
		for _, m := range metrics {
			claims[m] = t
		}
	}
	add(Exact, "calls", "recorded_changes", "recorded_overflows", "peak_recorded", "prompt_tokens_recorded",
		"cost_milli_recorded", "ledger_exact_pct", "ledger_shared_pct", "ledger_guessed_pct", "identity", "estimate",
		"usage", "first_divergence")
	add(Conditional, "steps", "stages", "summaries", "overflows", "naive_overflows", "unrecorded_growth", "over_limit",
		"impossible", "summarizer_tokens", "peak_replayed", "min_headroom", "calls_over_half", "calls_over_80pct",
		"prompt_tokens_replayed", "cost_milli_replayed", "cache_breaks")
	add(Proxy, "at_risk_tokens", "constraints_lost")
	return claims
}

// EstimateClaims are the tiers of the metrics of an estimate report: all of it compares recorded numbers with what
// could have been known before each call.
func EstimateClaims() map[string]Tier {
	return map[string]Tier{"calls": Exact, "methods": Exact, "classes": Exact, "gaps": Exact, "usage": Exact}
}

// claimNotes says below a table which of the columns people see make which claim.
func claimNotes(t *Table) []Note {
	if len(t.Rows) == 0 {
		return nil
	}
	titles := map[Tier][]string{}
	for _, c := range t.used() {
		if col := &t.Columns[c]; col.Claim != "" {
			titles[col.Claim] = append(titles[col.Claim], col.heading())
		}
	}
	var notes []Note
	for _, tier := range []Tier{Exact, Conditional, Bounded, Proxy} {
		what := strings.Join(titles[tier], ", ")
		switch {
		case what == "":
			continue
		case len(titles) == 1:
			what = "every number above"
		}
		notes = append(notes, Note{Label: "claims", Text: string(tier) + " (" + tier.meaning() + "): " + what})
	}
	return notes
}
