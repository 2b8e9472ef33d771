package pipeline

import (
	"fmt"

	"perch/formats/transcript"
)

// BudgetConfig says how the limits of a call follow from the model's.
type BudgetConfig struct {
	OutputReserve Amount `yaml:"output_reserve"` // of W, where prompt and output share a window; never above the model's largest output
	Trigger       Amount `yaml:"trigger"`        // of H; kept below it by max(min(8000, 0.10 H), 0.05 H)
	Target        Amount `yaml:"target"`         // of H; 0 (none): the trigger
	MinGap        Amount `yaml:"min_gap"`        // of H, between target and trigger
}

// DefaultBudget reserves min(20,000, 0.15 W) for the answer, acts above 0.80 H and aims for 0.60 H.
func DefaultBudget() BudgetConfig {
	return BudgetConfig{
		OutputReserve: MinOf(20000, 0.15),
		Trigger:       Tokens(0.80),
		Target:        Tokens(0.60),
		MinGap:        Tokens(0.10),
	}
}

// Level is how serious a finding is.
type Level string

// The levels.
const (
	Note  Level = "note"
	Warn  Level = "warn"
	Fatal Level = "error"
)

// Finding is something to know about a budget before the run.
type Finding struct {
	Level   Level  `json:"level"`
	Name    string `json:"name"` // "trigger-lowered", "target-lowered", "target-too-high", "tight", "target-unreachable"
	Message string `json:"message"`
}

// Budget returns the limits under a model's limit. maxOutput is the model's largest output, 0 if unknown. chosen
// says that a person wrote the target: then one too close to the trigger is an error, else it is lowered.
//
// H is the limit itself where it bounds the input alone; a window shared with the output gives up a reserve. T stays
// max(min(8000, 0.10 H), 0.05 H) below H, because the next call's growth has to fit there.
func (c BudgetConfig) Budget(limit transcript.Limit, maxOutput int, chosen bool) (Budget, []Finding) {
	h := transcript.Estimated(limit.Tokens)
	if limit.Kind != transcript.Input {
		reserve := c.OutputReserve.Of(h)
		if maxOutput > 0 {
			reserve = min(reserve, transcript.Estimated(maxOutput))
		}
		h = max(h-reserve, 0)
	}
	b := Budget{Limit: h, Trigger: c.Trigger.Of(h), Target: c.Target.Of(h)}
	var found []Finding
	if most := h - headroom(h); b.Trigger > most {
		found = append(found, Finding{Note, "trigger-lowered",
			fmt.Sprintf("a trigger of %d tokens leaves less than %d below the input limit of %d; %d is used", b.Trigger, h-most, h, most)})
		b.Trigger = most
	}
	if b.Target == 0 {
		b.Target = b.Trigger
		return b, found
	}
	if gap := c.MinGap.Of(h); b.Target > b.Trigger-gap {
		most := max(b.Trigger-gap, 0)
		f := Finding{Note, "target-lowered",
			fmt.Sprintf("a target of %d tokens is less than %d below the trigger of %d; %d is used", b.Target, gap, b.Trigger, most)}
		if chosen {
			f = Finding{Fatal, "target-too-high",
				fmt.Sprintf("a target of %d tokens is less than min_gap (%d) below the trigger of %d, so the context would refill at once; set target to %d or less", b.Target, gap, b.Trigger, most)}
		}
		found = append(found, f)
		b.Target = most
	}
	return b, found
}

// headroom is what T leaves below H: max(min(8000, 0.10 H), 0.05 H).
func headroom(h transcript.Estimated) transcript.Estimated { return max(min(8000, h/10), h/20) }

// Reach tells whether what no step may remove leaves room for work: overhead, pinned messages, tail and summary
// above the target are tight, above the trigger every call would end in enforce.
func (b Budget) Reach(overhead, pinned, tail, summary transcript.Estimated) []Finding {
	sum := overhead + pinned + tail + summary
	parts := fmt.Sprintf("overhead %d + pinned %d + tail %d + summary %d = %d tokens", overhead, pinned, tail, summary, sum)
	switch {
	case sum > b.Trigger:
		return []Finding{{Warn, "target-unreachable",
			fmt.Sprintf("%s, above the trigger of %d: every call will end in enforce; take a larger window or a smaller tail", parts, b.Trigger)}}
	case sum > b.Target:
		return []Finding{{Note, "tight", fmt.Sprintf("%s, above the target of %d", parts, b.Target)}}
	}
	return nil
}
