package config

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A preset that does not load, or does not say what it is, is found here and not by whoever names it.
func TestPresetsLoad(t *testing.T) {
	abouts, err := Presets()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range PresetNames() {
		t.Run(name, func(t *testing.T) {
			about := abouts[i]
			if about.Name != name {
				t.Errorf("its head says %q", about.Name)
			}
			for _, text := range []string{about.Summary, about.Source, about.Date, about.Exact, about.Approximate, about.Missing} {
				if text == "" {
					t.Errorf("its head leaves something out: %+v", about)
				}
			}
			c, _, err := Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Check(); err != nil {
				t.Error(err)
			}
		})
	}
	if diff := cmp.Diff([]string{"perch", "cache-aware", "none"}, PresetNames()); diff != "" {
		t.Error(diff)
	}
}

// The file of the default preset is what people copy to begin with: it must hold the coded defaults, every key of
// them, with what it means.
func TestPerchPreset(t *testing.T) {
	const file = "presets/perch.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "\n\n")
	c := Default()
	var body []string
	for line := range strings.Lines(string(c.Documented())) {
		line = strings.Replace(line, "# target", "target", 1) // a preset chooses it, not a person
		key, _, _ := strings.Cut(line, ":")
		if !slices.Contains([]string{"limit", "tier", "counter", "from"}, key) { // of the run, not of the pipeline
			body = append(body, line)
		}
	}
	want := head + "\n\n" + strings.Join(body, "")
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, string(text)); diff != "" && !*update {
		t.Error(diff)
	}
	preset, _, err := Preset("perch")
	if err != nil {
		t.Fatal(err)
	}
	same(t, Default(), preset)
}

func TestCacheAwarePreset(t *testing.T) {
	c, _, err := Preset("cache-aware")
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	if err := want.Set("prune.batch.min_freed", "5000"); err != nil {
		t.Fatal(err)
	}
	same(t, want, c)
}

// A preset is the beginning of somebody's own file, so it has to be one.
func TestPresetTextIsAFile(t *testing.T) {
	for _, name := range PresetNames() {
		text, err := PresetText(name)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		same(t, want, fromFile(t, string(text)))
	}
	if _, err := PresetText("../config"); err == nil || !strings.HasPrefix(err.Error(), `unknown preset "../config"`) {
		t.Errorf("a path for a name: %v", err)
	}
}

// A preset cannot be built on another one: what it says would then depend on two dates.
func TestPresetOnPreset(t *testing.T) {
	root, _ := parseTree([]byte("preset: none\n"))
	c := Default()
	l := &loader{cfg: &c, at: Origin{Layer: LayerPreset, Name: "mine"}}
	l.document(root)
	want := "preset mine:1:9: preset: a preset cannot begin with another one; write its keys out"
	if diff := cmp.Diff(want, l.errs.Error()); diff != "" {
		t.Error(diff)
	}
}
