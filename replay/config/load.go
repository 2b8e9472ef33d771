package config

import (
	"fmt"
	"slices"
	"strings"

	"perch/replay"
)

// Sources are the places settings come from, beside the coded defaults.
type Sources struct {
	From   replay.From // where this command's replays start by default; empty is segments
	Preset string      // what --preset names; it stands before the file's and the environment's
	File   string      // path of the configuration as given, for messages and origins
	Text   []byte      // its content
	Env    []string    // KEY=VALUE; of names that begin with PERCH_, every one must be a setting
	Flags  []Flag      // in the order given; a later one wins
}

// Flag is one setting made on the command line.
type Flag struct {
	Name  string // the flag as written, --set or --limit
	Key   string // the setting's key
	Value string
}

// ParseSet reads the argument of a --set flag, KEY=VALUE.
func ParseSet(arg string) (Flag, error) {
	key, value, ok := strings.Cut(arg, "=")
	if !ok || key == "" {
		return Flag{}, fmt.Errorf("--set %s: want KEY=VALUE, as in --set micro.keep_last=5", arg)
	}
	return Flag{Name: "--set", Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)}, nil
}

// Load lays the sources over each other. Its error is an [Errors] with every mistake found.
func Load(s Sources) (Config, error) {
	c := Default()
	if s.From != "" {
		c.From = s.From
	}
	root, problems := parseTree(s.Text)
	file := &loader{cfg: &c, at: Origin{Layer: LayerFile, Name: s.File}}
	for _, p := range problems {
		file.fail(p.at, "%s", p.text)
	}
	preset := choosePreset(s, root)
	if preset.name != "" {
		if err := c.applyPreset(preset); err != nil {
			file.errs = append(file.errs, err)
		}
	}
	file.document(root)
	errs := file.sorted()
	errs = append(errs, c.applyEnv(s.Env)...)
	for _, f := range s.Flags {
		if err := c.set(f.Key, f.Value, Origin{Layer: LayerFlag, Name: f.Name}); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return Config{}, errs
	}
	if err := c.Check(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// chosen is a preset's name with the place that names it.
type chosen struct {
	name string
	by   Origin
}

// choosePreset finds the preset to begin with: the flag's, else the environment's, else the file's.
func choosePreset(s Sources, root *node) chosen {
	if s.Preset != "" {
		return chosen{s.Preset, Origin{Layer: LayerFlag, Name: "--preset"}}
	}
	for _, kv := range slices.Backward(s.Env) {
		if name, ok := strings.CutPrefix(kv, envPreset+"="); ok {
			return chosen{name, Origin{Layer: LayerEnv, Name: envPreset}}
		}
	}
	if n := root.field("preset"); n != nil && n.kind == scalar {
		return chosen{n.text, Origin{Layer: LayerFile, Name: s.File, Line: n.at.line, Column: n.at.column}}
	}
	return chosen{}
}

// field returns the value of a key of a mapping, or nil.
func (n *node) field(key string) *node {
	if n == nil {
		return nil
	}
	for _, f := range n.fields {
		if f.key == key {
			return f.value
		}
	}
	return nil
}
