package models

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"sync"
)

//go:embed models.json
var embedded []byte

// Default returns the table embedded in the program.
func Default() *Table { return defaultTable() }

// defaultTable decodes the embedded table once.
var defaultTable = sync.OnceValue(func() *Table {
	tb, err := Read(bytes.NewReader(embedded), &Table{})
	if err != nil {
		panic("estimate/models: the embedded table is damaged: " + err.Error())
	}
	return tb
})

// file is the shape of a table's JSON.
type file struct {
	Date      string                     `json:"date"`
	Models    []json.RawMessage          `json:"models"`
	Fallback  json.RawMessage            `json:"fallback"`
	Families  map[string]json.RawMessage `json:"families"`
	Images    map[string]Image           `json:"images"`
	Overheads []Overhead                 `json:"overheads"`
	Counters  map[string]Counter         `json:"counters"`
	Unnamed   map[string]string          `json:"unnamed"`
}

// Read reads a table in the JSON shape of the embedded one and lays it over base. A model row keeps what it does
// not name from base's row of its first pattern and is looked at before all rows of base; families keep what they
// do not name; image rules, counters and unnamed models replace those of the same name; overheads are looked at first.
func Read(r io.Reader, base *Table) (*Table, error) {
	var f file
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("reading a model table: %w", err)
	}
	tb := &Table{
		Date: f.Date, fallback: base.fallback,
		families: cloned(base.families), images: cloned(base.images), counters: cloned(base.counters), unnamed: cloned(base.unnamed),
		overheads: append(f.Overheads[:len(f.Overheads):len(f.Overheads)], base.overheads...),
	}
	if tb.Date == "" {
		tb.Date = base.Date
	}
	maps.Copy(tb.images, f.Images)
	maps.Copy(tb.counters, f.Counters)
	maps.Copy(tb.unnamed, f.Unnamed)
	if err := tb.overlay(&f, base); err != nil {
		return nil, err
	}
	return tb, tb.check()
}

// overlay merges the rows that inherit from base.
func (tb *Table) overlay(f *file, base *Table) error {
	for name, raw := range f.Families {
		family := tb.families[name]
		family.Ratios = maps.Clone(family.Ratios)
		if err := strict(raw, &family); err != nil {
			return fmt.Errorf("reading a model table: family %s: %w", name, err)
		}
		tb.families[name] = family
	}
	if f.Fallback != nil {
		if err := strict(f.Fallback, &tb.fallback); err != nil {
			return fmt.Errorf("reading a model table: fallback: %w", err)
		}
	}
	for i, raw := range f.Models {
		var name struct{ Match []string }
		if err := json.Unmarshal(raw, &name); err != nil || len(name.Match) == 0 {
			return fmt.Errorf("reading a model table: models[%d] has no match; give it the patterns of the names it is for", i)
		}
		m, _ := base.Lookup(name.Match[0])
		m.Match, m.Tiers = nil, maps.Clone(m.Tiers)
		if err := strict(raw, &m); err != nil {
			return fmt.Errorf("reading a model table: %s: %w", name.Match[0], err)
		}
		tb.models = append(tb.models, m)
	}
	tb.models = append(tb.models, base.models...)
	return nil
}

// check verifies that every name a row uses exists.
func (tb *Table) check() error {
	for _, m := range append([]Model{tb.fallback}, tb.models...) {
		name := "fallback"
		if len(m.Match) > 0 {
			name = m.Match[0]
		}
		if _, ok := tb.families[m.Family]; !ok {
			return fmt.Errorf("model table: %s: no family %q", name, m.Family)
		}
		if _, ok := tb.images[m.Image]; !ok {
			return fmt.Errorf("model table: %s: no image rule %q", name, m.Image)
		}
		if m.Thinking != Kept && m.Thinking != Dropped {
			return fmt.Errorf("model table: %s: thinking is %q; it must be kept or dropped", name, m.Thinking)
		}
	}
	for name, r := range tb.images {
		if err := r.check(); err != nil {
			return fmt.Errorf("model table: image rule %s: %w", name, err)
		}
	}
	return nil
}

// strict decodes JSON and refuses unknown keys.
func strict(raw json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// cloned copies a map; a nil one becomes an empty one.
func cloned[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return maps.Clone(m)
}
