// Package config holds the settings of a replay as one typed value: the budget, the counter, where a replay starts,
// and the steps of the pipeline with their keys.
//
// [Load] lays the sources over each other and knows for every value where it came from:
//
//  1. the defaults coded beside each stage ([Default]);
//  2. a preset, one of the embedded files ([Presets]), if one is named;
//  3. the file a person names: strict YAML (or JSON), every mistake reported with its line and column;
//  4. variables such as PERCH_MICRO_KEEP_LAST;
//  5. flags such as --set micro.keep_last=5.
//
// A key is addressed by its path, a step's key by the step's id: trigger, micro.keep_last, prune.image.keep_last.
// [Config.Set] changes one by name, [Config.Keys] lists them with unit, default and meaning, [Config.Effective] shows
// what is in force, and [Config.YAML] writes a file that reads back the same.
package config

import (
	"maps"
	"reflect"
	"slices"

	"perch/estimate"
	"perch/estimate/models"
	"perch/formats/transcript"
	"perch/pipeline"
	"perch/replay"
)

// Config is every setting that changes a replay's numbers. Its keys are the yaml tags.
type Config struct {
	Limit   Limit                 `yaml:"limit"`
	Tier    string                `yaml:"tier"` // name of the tier whose window applies; "" for none
	Budget  pipeline.BudgetConfig `yaml:",inline"`
	Counter string                `yaml:"counter"` // name of the local counter, see estimate.NewCounter
	From    replay.From           `yaml:"from"`
	Steps   []Step                `yaml:"-"`

	origins map[string]Origin // by key; a key that is not here has its default
}

// Step is one entry of the pipeline.
type Step struct {
	Use string `yaml:"-"` // the stage's name
	ID  string `yaml:"-"` // what its keys and results go by

	Enabled bool           `yaml:"enabled"`
	When    pipeline.Gate  `yaml:"when"`
	Stage   pipeline.Stage `yaml:"-"` // a pointer to the stage's settings, so that they can be set by key
}

// Default returns the preset perch: the four steps of [pipeline.Default] with the default budget, counted with
// o200k, from segments.
func Default() Config {
	c := Config{
		Budget:  pipeline.DefaultBudget(),
		Counter: estimate.DefaultCounter,
		From:    replay.Segments,
		origins: map[string]Origin{},
	}
	for _, s := range pipeline.Default().Steps {
		c.Steps = append(c.Steps, newStep(s))
	}
	return c
}

// newStep returns a step that can be changed without changing s.
func newStep(s pipeline.Step) Step {
	return Step{Use: s.Stage.Name(), ID: s.ID, Enabled: true, When: s.When, Stage: addressable(s.Stage)}
}

// addressable returns a pointer to a copy of a stage, which may be a pointer already. A slice is shared, because
// setting a key replaces it and never changes its elements.
func addressable(s pipeline.Stage) pipeline.Stage {
	v := reflect.Indirect(reflect.ValueOf(s))
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface().(pipeline.Stage)
}

// stageNames lists the stages a step can use.
func stageNames() []string {
	var names []string
	for _, s := range pipeline.Default().Steps {
		names = append(names, s.Stage.Name())
	}
	return names
}

// defaultStep returns a fresh step of a stage, with its usual id and gate.
func defaultStep(use string) (Step, bool) {
	for _, s := range pipeline.Default().Steps {
		if s.Stage.Name() == use {
			return newStep(s), true
		}
	}
	return Step{}, false
}

// Clone returns a copy that can be changed on its own.
func (c Config) Clone() Config {
	c.origins = maps.Clone(c.origins)
	c.Steps = slices.Clone(c.Steps)
	for i := range c.Steps {
		c.Steps[i].Stage = addressable(c.Steps[i].Stage)
	}
	return c
}

// Origin returns where the value of a key comes from.
func (c *Config) Origin(key string) Origin { return c.origins[key] }

// Pipeline builds the steps, or says which settings contradict each other. A step that is not enabled is there,
// with a gate that never opens.
func (c *Config) Pipeline() (pipeline.Pipeline, error) {
	if err := c.Check(); err != nil {
		return pipeline.Pipeline{}, err
	}
	var p pipeline.Pipeline
	for _, s := range c.Steps {
		step := pipeline.Step{ID: s.ID, When: s.When}
		step.Stage = reflect.ValueOf(s.Stage).Elem().Interface().(pipeline.Stage)
		if !s.Enabled {
			step.When = pipeline.Gate{}
		}
		p.Steps = append(p.Steps, step)
	}
	return p, nil
}

// TargetChosen reports whether a person wrote the target: then one too close to the trigger is an error.
func (c *Config) TargetChosen() bool { return c.origins["target"].Layer >= LayerFile }

// Replay returns what [replay.Run] needs. Counter and table are made once by the caller, for many configurations.
func (c *Config) Replay(counter estimate.Counter, table *models.Table) (replay.Config, error) {
	p, err := c.Pipeline()
	if err != nil {
		return replay.Config{}, err
	}
	return replay.Config{
		Pipeline:     p,
		Budget:       c.Budget,
		TargetChosen: c.TargetChosen(),
		Limit:        c.limit(),
		Tier:         c.Tier,
		From:         c.From,
		Counter:      counter,
		Models:       table,
	}, nil
}

// limit is the limit with where it came from; zero where nobody gave one.
func (c *Config) limit() transcript.Limit {
	if c.Limit.Tokens == 0 {
		return transcript.Limit{}
	}
	l := transcript.Limit{Tokens: c.Limit.Tokens, Kind: c.Limit.Kind, From: transcript.FromFlag}
	if c.origins["limit"].Layer < LayerEnv {
		l.From = transcript.FromFile
	}
	return l
}
