package config

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Results carry these values; scripts outside the project read them.
func TestNumbers(t *testing.T) {
	c := fromFile(t, `
limit: 258400:input
steps:
  - use: prune
  - {use: microcompact, id: coarse, when: {unit: tokens, over: 100000}, exclude_tools: [Read], enabled: false}
`)
	got, err := json.MarshalIndent(c.Numbers(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "counter": "o200k",
  "from": "segments",
  "limit": "258400:input",
  "min_gap": 0.1,
  "output_reserve": {
    "min": [
      20000,
      0.15
    ]
  },
  "steps": [
    {
      "batch": {
        "calls": 1,
        "min_freed": 0
      },
      "enabled": true,
      "id": "prune",
      "image": {
        "keep_last": 3,
        "max_tokens_each": 1600,
        "user_images": 2
      },
      "snapshot": {
        "keep_actionable": 2,
        "keep_full": 1,
        "max_tokens": 2000
      },
      "use": "prune",
      "when": "always"
    },
    {
      "boundary": "keep",
      "enabled": false,
      "exclude_tools": [
        "Read"
      ],
      "id": "coarse",
      "keep_errors": true,
      "keep_last": 3,
      "keep_tokens": {
        "min": [
          0.1,
          40000
        ]
      },
      "keep_turns": 0,
      "min_body": 64,
      "min_freed": {
        "max": [
          5000,
          0.05
        ]
      },
      "only_tools": [],
      "oversized": 0.5,
      "replace": "marker",
      "stop": "all",
      "use": "microcompact",
      "when": {
        "over": 100000,
        "unit": "tokens"
      }
    }
  ],
  "target": 0.6,
  "tier": "none",
  "trigger": 0.8
}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// The same settings give the same bytes, whatever file, variable or flag they came from: baselines compare them.
func TestNumbersHoldNoOrigin(t *testing.T) {
	a := mustLoad(t, Sources{File: "a/x.yaml", Text: []byte("trigger: 0.7\nprune: {batch: {min_freed: 5000}}")})
	b := mustLoad(t, Sources{Preset: "cache-aware", Env: []string{"PERCH_TRIGGER=0.70"}})
	if diff := cmp.Diff(a.Numbers(), b.Numbers()); diff != "" {
		t.Error(diff)
	}
}

// A result may say that a value came from a file, but not where the file lies on somebody's machine.
func TestOriginsHoldNoPath(t *testing.T) {
	c := mustLoad(t, Sources{
		Preset: "cache-aware",
		File:   "/home/somebody/x.yaml",
		Text:   []byte("trigger: 0.7\nmicro: {keep_last: 4}"),
		Env:    []string{"PERCH_TIER=1m"},
		Flags:  []Flag{{"--limit", "limit", "100000"}},
	})
	want := map[string]string{
		"limit": "flag", "tier": "env", "trigger": "file", "micro.keep_last": "file", "prune.batch.min_freed": "preset cache-aware",
	}
	if diff := cmp.Diff(want, c.Origins()); diff != "" {
		t.Error(diff)
	}
}

func TestEffectiveWithoutSteps(t *testing.T) {
	c := mustLoad(t, Sources{Preset: "none"})
	var keys []string
	for _, e := range c.Effective() {
		keys = append(keys, e.Key)
	}
	want := []string{"limit", "tier", "output_reserve", "trigger", "target", "min_gap", "counter", "from", "steps"}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
}
