package config

import (
	"fmt"
	"strconv"
	"strings"

	"perch/formats/transcript"
)

// Limit is the limit a person gives. The zero value is auto: the recording, the tier or the model table decide. In
// YAML: auto, 200000 (a window) or 258400:input (what the prompt alone may be).
type Limit struct {
	Tokens int
	Kind   transcript.LimitKind
}

// MarshalYAML returns the limit as a number or a text.
func (l Limit) MarshalYAML() (any, error) {
	switch {
	case l.Tokens == 0:
		return "auto", nil
	case l.Kind == transcript.Window:
		return l.Tokens, nil
	}
	return fmt.Sprintf("%d:%s", l.Tokens, l.Kind), nil
}

// UnmarshalYAML reads what MarshalYAML writes, and 200000:window.
func (l *Limit) UnmarshalYAML(decode func(any) error) error {
	var v any
	if err := decode(&v); err != nil {
		return err
	}
	text := fmt.Sprint(v)
	if text == "auto" {
		*l = Limit{}
		return nil
	}
	number, kind, found := strings.Cut(text, ":")
	if !found {
		kind = string(transcript.Window)
	}
	n, err := strconv.Atoi(digits(number))
	if err != nil || kind != string(transcript.Window) && kind != string(transcript.Input) {
		return fmt.Errorf("want auto, tokens such as 200000 for a window, or 258400:input for the prompt alone, got %s", short(text))
	}
	if n <= 0 {
		return fmt.Errorf("%d tokens are no limit; write more than 0, or auto", n)
	}
	*l = Limit{Tokens: n, Kind: transcript.LimitKind(kind)}
	return nil
}
