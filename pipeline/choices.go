package pipeline

import (
	"fmt"

	"perch/formats/transcript"
)

// Boundary says what happens to the result that crosses a line counted in tokens.
type Boundary string

// The boundaries.
const (
	BoundaryKeep  Boundary = "keep"
	BoundaryPrune Boundary = "prune"
)

// Stop says when a stage has done enough: all that may go, down to the target, or after a number of tokens. In
// YAML: all, at_target, or {after_tokens: 20000}.
type Stop struct {
	AtTarget    bool
	AfterTokens Amount // 0: no such limit
}

// Replace says what stands in the place of a cleared body. In YAML: marker, one_line, or {head_tail: 3000}.
type Replace struct {
	Kind  FormKind // Marker, OneLine or HeadTail
	Chars int      // HeadTail: characters left in all, half of them from the end
}

// form is what a body of so many tokens is replaced by.
func (r Replace) form(tokens transcript.Estimated) Form {
	if r.Kind == HeadTail {
		return Form{Kind: HeadTail, N: r.Chars}
	}
	return Form{Kind: r.Kind, N: int(tokens)}
}

// first returns the reductions up to the one that does enough, given E before them.
func (s Stop) first(v *View, list []Reduction, e transcript.Estimated) []Reduction {
	enough := s.AfterTokens.Of(v.budget.Limit)
	var freed transcript.Estimated
	for i, r := range list {
		if s.AtTarget && e-freed <= v.budget.Target || enough > 0 && freed >= enough {
			return list[:i]
		}
		freed += v.Size(r.Part) - v.SizeAs(r.Part, r.To)
	}
	return list
}

// Fail makes every Every-th attempt fail; 1 is always, 0 never. In YAML: none, always, or {every: 3}.
type Fail struct {
	Every int
}

// MarshalYAML returns the choice as plain values.
func (s Stop) MarshalYAML() (any, error) {
	switch {
	case s.AtTarget:
		return "at_target", nil
	case s.AfterTokens.String() != "0":
		return map[string]any{"after_tokens": s.AfterTokens.value()}, nil
	}
	return "all", nil
}

// UnmarshalYAML reads what MarshalYAML writes.
func (s *Stop) UnmarshalYAML(decode func(any) error) error {
	name, v, err := choice(decode)
	switch {
	case err != nil:
		return err
	case name == "all" && v == nil:
		*s = Stop{}
		return nil
	case name == "at_target" && v == nil:
		*s = Stop{AtTarget: true}
		return nil
	case name == "after_tokens" && v != nil:
		a, err := amount(v)
		*s = Stop{AfterTokens: a}
		return err
	}
	return fmt.Errorf("unknown stop rule %q; write all, at_target or {after_tokens: 20000}", name)
}

// MarshalYAML returns the choice as plain values.
func (r Replace) MarshalYAML() (any, error) {
	if r.Kind == HeadTail {
		return map[string]any{"head_tail": int64(r.Chars)}, nil
	}
	return r.Kind.String(), nil
}

// UnmarshalYAML reads what MarshalYAML writes.
func (r *Replace) UnmarshalYAML(decode func(any) error) error {
	name, v, err := choice(decode)
	n, isNumber := number(v)
	switch {
	case err != nil:
		return err
	case name == Marker.String() && v == nil:
		*r = Replace{Kind: Marker}
		return nil
	case name == OneLine.String() && v == nil:
		*r = Replace{Kind: OneLine}
		return nil
	case name == HeadTail.String() && isNumber && n >= 1:
		*r = Replace{Kind: HeadTail, Chars: int(n)}
		return nil
	}
	return fmt.Errorf("unknown replacement %q; write marker, one_line or {head_tail: 3000}, the characters left in all", name)
}

// MarshalYAML returns the choice as plain values.
func (f Fail) MarshalYAML() (any, error) {
	switch f.Every {
	case 0:
		return "none", nil
	case 1:
		return "always", nil
	}
	return map[string]any{"every": int64(f.Every)}, nil
}

// UnmarshalYAML reads what MarshalYAML writes.
func (f *Fail) UnmarshalYAML(decode func(any) error) error {
	name, v, err := choice(decode)
	n, isNumber := number(v)
	switch {
	case err != nil:
		return err
	case name == "none" && v == nil:
		*f = Fail{}
		return nil
	case name == "always" && v == nil:
		*f = Fail{Every: 1}
		return nil
	case name == "every" && isNumber && n >= 1:
		*f = Fail{Every: int(n)}
		return nil
	}
	return fmt.Errorf("unknown failure rule %q; write none, always or {every: 3}", name)
}

// choice decodes a word, or a word with a value written as a map of one entry.
func choice(decode func(any) error) (name string, value any, err error) {
	var v any
	if err := decode(&v); err != nil {
		return "", nil, err
	}
	switch v := v.(type) {
	case string:
		return v, nil, nil
	case map[string]any:
		if len(v) == 1 {
			for name, value := range v {
				return name, value, nil
			}
		}
	}
	return fmt.Sprint(v), nil, nil
}
