package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"perch/estimate"
	"perch/replay"
	"perch/replay/config"
)

// Schema is the number of the JSON surface. Keys are added under it; one that is renamed or changes its meaning
// takes a new number.
const Schema = 1

// Document is what a command answers to a script. Fields a command has nothing to do with are left out.
type Document struct {
	Schema  int    `json:"schema"`
	Command string `json:"command"`
	Version string `json:"version"`

	Config  any                   `json:"config,omitzero"` // what changes numbers, with the origin of what is no default
	Claims  map[string]Tier       `json:"claims,omitzero"` // by metric
	Partial bool                  `json:"partial,omitempty"`
	Refused []replay.Refused      `json:"refused,omitzero"`
	Totals  any                   `json:"totals,omitzero"`
	Nested  any                   `json:"nested,omitzero"` // totals of the threads that were recorded inside others
	Runs    []any                 `json:"runs,omitzero"`
	Calls   []replay.CallResult   `json:"calls,omitzero"`   // of a replay with --calls
	Classes []estimate.ClassScore `json:"classes,omitzero"` // of an estimate

	Formats  []Format       `json:"formats,omitzero"`
	Presets  []config.About `json:"presets,omitzero"`
	Settings []Setting      `json:"settings,omitzero"`
}

// JSON writes a document, indented.
func JSON(w io.Writer, d *Document) error { return encode(w, d, "  ") }

// JSONL writes a document line by line: first everything but the runs, then one run a line.
func JSONL(w io.Writer, d *Document) error {
	head := *d
	head.Runs = nil
	if err := encode(w, head, ""); err != nil {
		return err
	}
	for _, run := range d.Runs {
		if err := encode(w, run, ""); err != nil {
			return err
		}
	}
	return nil
}

// encode writes one value and a line break.
func encode(w io.Writer, v any, indent string) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encoding the report: %w", err)
	}
	_, err := w.Write(harmless(out.Bytes()))
	return err
}

// harmless escapes what encoding/json leaves of the characters a terminal or an editor would act on. They only
// stand inside strings, where \u means the same.
func harmless(b []byte) []byte {
	if bytes.IndexFunc(b, func(r rune) bool { return r >= 0x7f && harmful(r) }) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r < 0x7f || !harmful(r):
			out = append(out, b[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out
}
