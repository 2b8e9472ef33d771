package main

import (
	"fmt"
	"os"
	"slices"

	"perch/estimate"
	"perch/estimate/models"
	"perch/replay"
	"perch/replay/config"
)

// settings lays the sources over each other: default < preset < file < environment < flag.
func (p *program) settings() (config.Config, error) {
	s := config.Sources{Preset: p.flags.preset, Env: p.environ}
	if p.flags.config != "" {
		text, err := os.ReadFile(p.flags.config)
		if err != nil {
			return config.Config{}, fmt.Errorf("reading the settings: %w", err)
		}
		s.File, s.Text = p.flags.config, text
	}
	for _, f := range []config.Flag{
		{Name: "--limit", Key: "limit", Value: p.flags.limit},
		{Name: "--tier", Key: "tier", Value: p.flags.tier},
		{Name: "--counter", Key: "counter", Value: p.flags.counter},
		{Name: "--from", Key: "from", Value: p.flags.from},
	} {
		if f.Value != "" {
			s.Flags = append(s.Flags, f)
		}
	}
	for _, arg := range p.flags.set {
		f, err := config.ParseSet(arg)
		if err != nil {
			return config.Config{}, err
		}
		s.Flags = append(s.Flags, f)
	}
	return config.Load(s)
}

// engine returns what a replay under these settings needs.
func engine(c *config.Config) (replay.Config, error) {
	counter, err := estimate.NewCounter(c.Counter)
	if err != nil {
		return replay.Config{}, err
	}
	if err := models.Default().CheckTier(c.Tier); err != nil {
		return replay.Config{}, err
	}
	return c.Replay(counter, models.Default())
}

// document returns the settings as they stand in results: what changes numbers, and for what is not a default
// where it comes from.
func (p *program) document(c *config.Config) map[string]any {
	doc := c.Numbers()
	doc["origins"] = c.Origins()
	return p.withDuplicates(doc)
}

// withDuplicates adds to the settings in results whether copies of calls count.
func (p *program) withDuplicates(doc map[string]any) map[string]any {
	if p.flags.keepDuplicates {
		doc["keep_duplicates"] = true
	}
	return doc
}

// described says which pipeline settings make, in a few words.
func described(c *config.Config) string {
	name, changed := "perch", 0
	for _, e := range c.Effective() {
		switch e.Origin.Layer {
		case config.LayerDefault:
		case config.LayerPreset:
			name = e.Origin.Name
		default:
			changed++
		}
	}
	switch changed {
	case 0:
		return name
	case 1:
		return name + " with 1 setting changed"
	}
	return fmt.Sprintf("%s with %d settings changed", name, changed)
}

// stepIDs are the ids of the steps, in order.
func stepIDs(c *config.Config) []string {
	var ids []string
	for _, s := range c.Steps {
		ids = append(ids, s.ID)
	}
	return ids
}

// settingKeys lists the keys of the default settings, each with its equals sign, for completion.
func settingKeys() []string {
	c := config.Default()
	var keys []string
	for _, k := range c.Keys() {
		keys = append(keys, k.Name+"=")
	}
	return slices.Clip(keys)
}
