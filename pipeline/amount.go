package pipeline

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"perch/formats/transcript"
)

// Amount is a number of tokens that may depend on the input limit H: a number, or the smallest or the largest of
// several amounts. In YAML and JSON it is a number, {min: [...]} or {max: [...]}.
type Amount struct {
	N   float64  // up to 1: a fraction of H; above 1: tokens
	Min []Amount // if not empty, the smallest of these
	Max []Amount // if not empty, the largest of these
}

// Tokens is an amount of n tokens, or the fraction n of H where n is at most 1.
func Tokens(n float64) Amount { return Amount{N: n} }

// MinOf is the smallest of plain amounts.
func MinOf(ns ...float64) Amount { return Amount{Min: plain(ns)} }

// MaxOf is the largest of plain amounts.
func MaxOf(ns ...float64) Amount { return Amount{Max: plain(ns)} }

func plain(ns []float64) []Amount {
	as := make([]Amount, len(ns))
	for i, n := range ns {
		as[i] = Tokens(n)
	}
	return as
}

// Of returns the amount in tokens under an input limit of h tokens. Fractions of h are rounded down.
func (a Amount) Of(h transcript.Estimated) transcript.Estimated {
	switch {
	case len(a.Min) > 0:
		n := a.Min[0].Of(h)
		for _, b := range a.Min[1:] {
			n = min(n, b.Of(h))
		}
		return n
	case len(a.Max) > 0:
		n := a.Max[0].Of(h)
		for _, b := range a.Max[1:] {
			n = max(n, b.Of(h))
		}
		return n
	case a.N <= 1:
		return transcript.Estimated(a.N * float64(h))
	}
	return transcript.Estimated(a.N)
}

// String writes the amount as a person would in YAML.
func (a Amount) String() string {
	list := func(name string, as []Amount) string {
		s := make([]string, len(as))
		for i, b := range as {
			s[i] = b.String()
		}
		return "{" + name + ": [" + strings.Join(s, ", ") + "]}"
	}
	switch {
	case len(a.Min) > 0:
		return list("min", a.Min)
	case len(a.Max) > 0:
		return list("max", a.Max)
	}
	return strconv.FormatFloat(a.N, 'f', -1, 64)
}

// MarshalYAML returns the amount as plain values.
func (a Amount) MarshalYAML() (any, error) { return a.value(), nil }

// UnmarshalYAML reads what MarshalYAML writes; "none" is 0.
func (a *Amount) UnmarshalYAML(decode func(any) error) error {
	var v any
	if err := decode(&v); err != nil {
		return err
	}
	b, err := amount(v)
	if err != nil {
		return err
	}
	*a = b
	return nil
}

// MarshalJSON writes the amount as a number or as an object with min or max.
func (a Amount) MarshalJSON() ([]byte, error) { return json.Marshal(a.value()) }

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Amount) UnmarshalJSON(b []byte) error {
	return a.UnmarshalYAML(func(v any) error { return json.Unmarshal(b, v) })
}

// value is the amount as an int, a float64 or a map, the way encoders want it.
func (a Amount) value() any {
	list := func(as []Amount) []any {
		vs := make([]any, len(as))
		for i, b := range as {
			vs[i] = b.value()
		}
		return vs
	}
	switch {
	case len(a.Min) > 0:
		return map[string]any{"min": list(a.Min)}
	case len(a.Max) > 0:
		return map[string]any{"max": list(a.Max)}
	case a.N == math.Trunc(a.N) && math.Abs(a.N) < 1<<53:
		return int64(a.N)
	}
	return a.N
}

// amount reads a decoded number, "none", or a map with min or max.
func amount(v any) (Amount, error) {
	if n, ok := number(v); ok {
		if n < 0 || math.IsNaN(n) || math.IsInf(n, 0) {
			return Amount{}, fmt.Errorf("an amount of %v tokens; write 0 or more: up to 1 is a fraction of the input limit, above 1 are tokens", n)
		}
		return Tokens(n), nil
	}
	if v == "none" {
		return Amount{}, nil
	}
	if m, ok := v.(map[string]any); ok && len(m) == 1 {
		for _, name := range []string{"min", "max"} {
			list, ok := m[name].([]any)
			if !ok || len(list) == 0 {
				continue
			}
			as := make([]Amount, len(list))
			for i := range list {
				var err error
				if as[i], err = amount(list[i]); err != nil {
					return Amount{}, err
				}
			}
			if name == "min" {
				return Amount{Min: as}, nil
			}
			return Amount{Max: as}, nil
		}
	}
	return Amount{}, fmt.Errorf("%v is no amount of tokens; write a number (up to 1: a fraction of the input limit), {min: [0.10, 40000]} or {max: [5000, 0.05]}", v)
}

// number converts whatever number type a decoder chose.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case uint64:
		return float64(n), true
	}
	return 0, false
}
