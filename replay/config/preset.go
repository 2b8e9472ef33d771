package config

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// About says what a preset is and how far it can be trusted.
type About struct {
	Name        string `yaml:"name" json:"name"`
	Summary     string `yaml:"summary" json:"summary"`
	Source      string `yaml:"source" json:"source"`
	Date        string `yaml:"date" json:"date"` // YYYY-MM-DD
	Exact       string `yaml:"exact" json:"exact"`
	Approximate string `yaml:"approximate" json:"approximate"`
	Missing     string `yaml:"missing" json:"missing"`
}

// presetFiles holds one file a preset. A file is a configuration like any other, with a head that says what it is.
//
//go:embed presets/*.yaml
var presetFiles embed.FS

// usual is the preset whose settings are the defaults.
const usual = "perch"

// PresetNames lists the presets, the default first and the others by name.
func PresetNames() []string {
	entries, _ := presetFiles.ReadDir("presets") // the folder is part of the program
	names := []string{usual}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".yaml"); name != usual {
			names = append(names, name)
		}
	}
	return names
}

// Presets describes every preset.
func Presets() ([]About, error) {
	var out []About
	for _, name := range PresetNames() {
		_, about, err := Preset(name)
		if err != nil {
			return nil, err
		}
		out = append(out, about)
	}
	return out, nil
}

// Preset returns the settings of a preset and what it is.
func Preset(name string) (Config, About, error) {
	c := Default()
	about, err := c.layPreset(name)
	if err != nil {
		return Config{}, About{}, err
	}
	return c, about, nil
}

// PresetText returns the file of a preset, to begin one's own with.
func PresetText(name string) ([]byte, error) {
	if !slices.Contains(PresetNames(), name) {
		return nil, fmt.Errorf("unknown preset %s; %s", short(name), otherPresets(name))
	}
	return presetFiles.ReadFile(path.Join("presets", name+".yaml"))
}

// layPreset lays a preset over the configuration.
func (c *Config) layPreset(name string) (About, error) {
	text, err := PresetText(name)
	if err != nil {
		return About{}, err
	}
	l := &loader{cfg: c, at: Origin{Layer: LayerPreset, Name: name}}
	root, problems := parseTree(text)
	for _, p := range problems {
		l.fail(p.at, "%s", p.text)
	}
	l.document(root)
	if len(l.errs) > 0 {
		return About{}, l.sorted()
	}
	return l.about, nil
}

// applyPreset is layPreset for a source; its error names who asked for the preset.
func (c *Config) applyPreset(p chosen) *Error {
	if _, err := c.layPreset(p.name); err != nil {
		return &Error{p.by, err.Error()}
	}
	return nil
}

func otherPresets(name string) string {
	if near, ok := nearest(name, PresetNames()); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "the presets are " + strings.Join(PresetNames(), ", ")
}
