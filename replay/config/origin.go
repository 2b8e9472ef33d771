package config

import (
	"fmt"
	"strings"
)

// Layer is one of the places a value can come from. A later one wins.
type Layer uint8

// The layers, in the order in which they are applied.
const (
	LayerDefault Layer = iota
	LayerPreset
	LayerFile
	LayerEnv
	LayerFlag
)

// String returns the layer's name as it stands in outputs.
func (l Layer) String() string {
	return [...]string{"default", "preset", "file", "env", "flag"}[l]
}

// Origin is where the value of a key comes from.
type Origin struct {
	Layer Layer
	Name  string // the preset, the file's path as given, the variable, or the flag; empty for a default

	Line, Column int // in a preset or a file, from 1
}

// String returns "default", "preset codex", "file perch.yaml:4:5", "env PERCH_MICRO_KEEP_LAST" or "flag --set".
func (o Origin) String() string {
	switch {
	case o.Layer == LayerDefault:
		return "default"
	case o.Layer == LayerFile:
		return fmt.Sprintf("file %s:%d:%d", o.Name, o.Line, o.Column)
	}
	return o.Layer.String() + " " + o.Name
}

// where is how an error names the place.
func (o Origin) where() string {
	switch {
	case o.Layer == LayerPreset && o.Line > 0:
		return fmt.Sprintf("preset %s:%d:%d", o.Name, o.Line, o.Column)
	case o.Layer == LayerFile:
		return fmt.Sprintf("%s:%d:%d", o.Name, o.Line, o.Column)
	case o.Layer == LayerFlag:
		return o.Name
	}
	return o.String()
}

// Error is one mistake in the settings.
type Error struct {
	Origin Origin
	Text   string // what is wrong and what to do, starting with the key
}

// Error returns the place and the text, as in `perch.yaml:4:5: unknown key "kep_last"; did you mean keep_last?`.
func (e *Error) Error() string { return e.Origin.where() + ": " + e.Text }

// Errors is every mistake that was found, in the order of the layers and, in a file, of its lines.
type Errors []*Error

// Error returns one mistake a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single mistakes.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}
