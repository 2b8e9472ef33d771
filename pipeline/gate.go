package pipeline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"perch/formats/transcript"
)

// Facts is what a gate may ask about. All are known before the call.
type Facts struct {
	Estimate transcript.Estimated // E, less what earlier steps freed at this call
	Previous transcript.Estimated // the prompt of the call before, by the provider's count where the meter knows it
	Grew     transcript.Estimated // E less what the prompt was after this step last fired; E before the first fire
	Messages int                  // messages in the prompt
	Turns    int                  // messages a person typed in the prompt
	ToolUses int                  // tool calls in the prompt, cleared results included
	Calls    int                  // model calls since this step last fired, or since the start; this one included
	Idle     float64              // seconds of the longest pause between messages since the call before; 0: no times
}

// Unit is what a condition measures.
type Unit string

// The units of conditions. The first three stand alone; the others are compared with a number.
const (
	Always      Unit = "always"
	OverTrigger Unit = "over_trigger" // E > T
	OverLimit   Unit = "over_limit"   // E > H

	InTokens   Unit = "tokens"    // E
	InFraction Unit = "fraction"  // E / H
	InHeadroom Unit = "headroom"  // opens when less than this many tokens are left below H
	InPrevious Unit = "previous"  // the prompt of the call before, in tokens
	InGrowth   Unit = "grew"      // tokens since the step last fired
	InMessages Unit = "messages"  // in the prompt
	InTurns    Unit = "turns"     // typed messages in the prompt
	InToolUses Unit = "tool_uses" // in the prompt
	InCalls    Unit = "calls"     // since the step last fired
	InIdle     Unit = "idle"      // seconds
	InLimit    Unit = "limit"     // H, for gates that differ by window
)

// Op compares a fact with a condition's value.
type Op string

// The comparisons.
const (
	Over  Op = "over"  // >
	At    Op = "at"    // >=
	Under Op = "under" // <
)

// Condition is one comparison, or one of the units that stand alone (then Op and Value are empty). In YAML it is
// {unit: tokens, over: 100000} or the unit's name.
type Condition struct {
	Unit  Unit
	Op    Op
	Value float64
}

// Gate says when a step may run: when all conditions of one of its alternatives hold. The zero gate never opens. In
// YAML it is "never", one condition, or a list of alternatives, each a condition or a list of conditions.
type Gate struct {
	Any [][]Condition
}

// When is the gate of a unit that stands alone.
func When(u Unit) Gate { return Gate{Any: [][]Condition{{{Unit: u}}}} }

// Open reports whether the gate lets a step run.
func (g Gate) Open(f Facts, b Budget) bool {
	for _, all := range g.Any {
		if !slices.ContainsFunc(all, func(c Condition) bool { return !c.holds(f, b) }) {
			return true
		}
	}
	return false
}

// Never reports whether the gate can never open: the step is switched off.
func (g Gate) Never() bool { return len(g.Any) == 0 }

func (c Condition) holds(f Facts, b Budget) bool {
	switch c.Unit {
	case Always:
		return true
	case OverTrigger:
		return f.Estimate > b.Trigger
	case OverLimit:
		return f.Estimate > b.Limit
	}
	x, y := f.of(c.Unit, b), c.Value
	if c.Unit == InHeadroom { // less headroom than y is more prompt than H - y
		x, y = float64(f.Estimate), float64(b.Limit)-y
	}
	switch c.Op {
	case Over:
		return x > y
	case At:
		return x >= y
	}
	return x < y
}

// of is the number a unit stands for.
func (f Facts) of(u Unit, b Budget) float64 {
	switch u {
	case InFraction:
		return float64(f.Estimate) / float64(max(b.Limit, 1))
	case InPrevious:
		return float64(f.Previous)
	case InGrowth:
		return float64(f.Grew)
	case InMessages:
		return float64(f.Messages)
	case InTurns:
		return float64(f.Turns)
	case InToolUses:
		return float64(f.ToolUses)
	case InCalls:
		return float64(f.Calls)
	case InIdle:
		return f.Idle
	case InLimit:
		return float64(b.Limit)
	}
	return float64(f.Estimate)
}

// MarshalYAML returns the gate as plain values.
func (g Gate) MarshalYAML() (any, error) { return g.value(), nil }

// UnmarshalYAML reads what MarshalYAML writes.
func (g *Gate) UnmarshalYAML(decode func(any) error) error {
	var v any
	if err := decode(&v); err != nil {
		return err
	}
	h, err := gate(v)
	if err != nil {
		return err
	}
	*g = h
	return nil
}

// MarshalJSON writes the gate the way MarshalYAML does.
func (g Gate) MarshalJSON() ([]byte, error) { return json.Marshal(g.value()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (g *Gate) UnmarshalJSON(b []byte) error {
	return g.UnmarshalYAML(func(v any) error { return json.Unmarshal(b, v) })
}

func (g Gate) value() any {
	if g.Never() {
		return "never"
	}
	alternatives := make([]any, len(g.Any))
	for i, all := range g.Any {
		conditions := make([]any, len(all))
		for j, c := range all {
			conditions[j] = c.value()
		}
		alternatives[i] = conditions
		if len(all) == 1 {
			alternatives[i] = conditions[0]
		}
	}
	if len(alternatives) == 1 && len(g.Any[0]) == 1 {
		return alternatives[0]
	}
	return alternatives
}

func (c Condition) value() any {
	if c.Op == "" {
		return string(c.Unit)
	}
	return map[string]any{"unit": string(c.Unit), string(c.Op): Amount{N: c.Value}.value()}
}

func gate(v any) (Gate, error) {
	if v == "never" {
		return Gate{}, nil
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var g Gate
	for _, alternative := range list {
		all, ok := alternative.([]any)
		if !ok {
			all = []any{alternative}
		}
		var conditions []Condition
		for _, v := range all {
			c, err := condition(v)
			if err != nil {
				return Gate{}, err
			}
			conditions = append(conditions, c)
		}
		if len(conditions) > 0 {
			g.Any = append(g.Any, conditions)
		}
	}
	return g, nil
}

// alone and compared list the units by how they are written.
var (
	alone    = [...]Unit{Always, OverTrigger, OverLimit}
	compared = [...]Unit{InTokens, InFraction, InHeadroom, InPrevious, InGrowth, InMessages, InTurns, InToolUses, InCalls, InIdle, InLimit}
)

func condition(v any) (Condition, error) {
	if name, ok := v.(string); ok {
		if slices.Contains(alone[:], Unit(name)) {
			return Condition{Unit: Unit(name)}, nil
		}
		return Condition{}, fmt.Errorf("unknown gate %q; write never, %s, or a condition like {unit: tokens, over: 100000}", name, join(alone[:]))
	}
	m, _ := v.(map[string]any)
	name, _ := m["unit"].(string)
	if !slices.Contains(compared[:], Unit(name)) {
		return Condition{}, fmt.Errorf("%v is no gate condition: its unit must be one of %s", v, join(compared[:]))
	}
	c := Condition{Unit: Unit(name)}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if key == "unit" {
			continue
		}
		n, ok := number(m[key])
		op := Op(key)
		if !ok || c.Op != "" || op != Over && op != At && op != Under {
			return Condition{}, fmt.Errorf("%v is no gate condition; compare %s with exactly one of over, at or under and a number", v, name)
		}
		c.Op, c.Value = op, n
	}
	if c.Op == "" {
		return Condition{}, fmt.Errorf("%v compares %s with nothing; add over, at or under and a number", v, name)
	}
	return c, nil
}

func join(us []Unit) string {
	s := make([]string, len(us))
	for i, u := range us {
		s[i] = string(u)
	}
	return strings.Join(s, ", ")
}
