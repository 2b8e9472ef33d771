package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
	"perch/pipeline"
	"perch/replay"
)

// A person who sets a key in two places must get the later one, and must be able to see which it was.
func TestLayerPrecedence(t *testing.T) {
	file := []byte("preset: cache-aware\nprune:\n  batch:\n    min_freed: 6000\nlimit: 100000\n")
	env := []string{"HOME=/x", "PERCH_PRUNE_BATCH_MIN_FREED=7000", "PERCH_LIMIT=110000"}
	flags := []Flag{{"--set", "prune.batch.min_freed", "8000"}, {"--limit", "limit", "120000:input"}}
	tests := []struct {
		name string
		give Sources
		want string
	}{
		{"nothing", Sources{}, "limit = auto (default)\nprune.batch.min_freed = 0 (default)"},
		{"preset", Sources{Preset: "cache-aware"},
			"limit = auto (default)\nprune.batch.min_freed = 5000 (preset cache-aware)"},
		{"file over its preset", Sources{File: "runs/c.yaml", Text: file},
			"limit = 100000 (file runs/c.yaml:5:1)\nprune.batch.min_freed = 6000 (file runs/c.yaml:4:5)"},
		{"variables over a file", Sources{File: "c.yaml", Text: file, Env: env},
			"limit = 110000 (env PERCH_LIMIT)\nprune.batch.min_freed = 7000 (env PERCH_PRUNE_BATCH_MIN_FREED)"},
		{"flags over variables", Sources{File: "c.yaml", Text: file, Env: env, Flags: flags},
			"limit = \"120000:input\" (flag --limit)\nprune.batch.min_freed = 8000 (flag --set)"},
		{"the later of two flags", Sources{Flags: append(flags, Flag{"--set", "limit", "auto"})},
			"limit = auto (flag --set)\nprune.batch.min_freed = 8000 (flag --set)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := shown(mustLoad(t, tt.give), "limit", "prune.batch.min_freed")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The preset below everything else is the one named closest to the command line.
func TestPresetPrecedence(t *testing.T) {
	file := []byte("preset: none\n")
	tests := []struct {
		name string
		give Sources
		want string
	}{
		{"file", Sources{File: "c.yaml", Text: file}, "steps = [] (preset none)"},
		{"variable over file", Sources{Text: file, Env: []string{"PERCH_PRESET=perch"}}, "steps = [prune, micro, summarize, enforce] (preset perch)"},
		{"flag over variable", Sources{Preset: "none", Env: []string{"PERCH_PRESET=perch"}}, "steps = [] (preset none)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, shown(mustLoad(t, tt.give), "steps")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An empty file is what somebody has who deletes the last line of one: it must not change anything.
func TestEmptyFile(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing yet\n", "---\n", "{}", "\ufeff"} {
		same(t, Default(), fromFile(t, text))
	}
}

func TestFileForms(t *testing.T) {
	want := Default()
	want.Budget.Trigger = pipeline.Tokens(0.75)
	want.Limit = Limit{200000, transcript.Window}
	micro := want.step("micro").Stage.(*pipeline.Microcompact)
	micro.KeepLast, micro.MinFreed, micro.ExcludeTools = 5, pipeline.Tokens(0.1), []string{"mcp__*", "Read"}
	tests := []struct{ name, text string }{
		{"block style", "trigger: 0.75\nlimit: 200_000\nmicro:\n  keep_last: 5\n  min_freed: 0.1\n  exclude_tools:\n    - mcp__*\n    - Read\n"},
		{"flow style", `{trigger: 0.75, limit: 200000:window, micro: {keep_last: 5, min_freed: 0.10, exclude_tools: [mcp__*, Read]}}`},
		{"JSON", "{\n\t\"trigger\": 0.75,\n\t\"limit\": 200000,\n\t\"micro\": {\"keep_last\": 5, \"min_freed\": 0.1, \"exclude_tools\": [\"mcp__*\", \"Read\"]}\n}"},
		{"the name other tools use", "trigger: 0.75\nlimit: 200000\nmicro: {keep_last: 5, clear_at_least: 0.1, exclude_tools: [mcp__*, Read]}\n"},
		{"windows line ends", "trigger: 0.75\r\nlimit: 200000\r\nmicro: {keep_last: 5, min_freed: 0.1, exclude_tools: [mcp__*, Read]}\r\n"},
		{"its own head", "about: {name: mine, date: 2026-12-01}\ntrigger: 0.75\nlimit: 200000\nmicro: {keep_last: 5, min_freed: 0.1, exclude_tools: [mcp__*, Read]}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { same(t, want, fromFile(t, tt.text)) })
	}
}

// A list of steps is the whole pipeline: nothing of the default one may linger in it, and every step begins with
// the defaults of its stage.
func TestStepsReplaceThePipeline(t *testing.T) {
	c := fromFile(t, `
steps:
  - use: enforce
  - use: microcompact
    id: coarse
    when: {unit: tokens, over: 100000}
    keep_last: 1
  - use: microcompact
    enabled: false
`)
	p, err := c.Pipeline()
	if err != nil {
		t.Fatal(err)
	}
	coarse := pipeline.DefaultMicrocompact()
	coarse.KeepLast = 1
	want := pipeline.Pipeline{Steps: []pipeline.Step{
		{ID: "enforce", Stage: pipeline.DefaultEnforce(), When: pipeline.When(pipeline.OverLimit)},
		{ID: "coarse", Stage: coarse, When: pipeline.Gate{Any: [][]pipeline.Condition{{{Unit: pipeline.InTokens, Op: pipeline.Over, Value: 100000}}}}},
		{ID: "micro", Stage: pipeline.DefaultMicrocompact()},
	}}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("steps = [enforce, coarse, micro] (file c.yaml:3:3)\n"+
		"enforce.use = enforce (file c.yaml:3:10)\nenforce.when = over_limit (default)\n"+
		"coarse.keep_last = 1 (file c.yaml:7:5)\nmicro.keep_last = 3 (default)\nmicro.enabled = false (file c.yaml:9:5)",
		shownInOrder(c, "steps", "enforce.use", "enforce.when", "coarse.keep_last", "micro.keep_last", "micro.enabled")); diff != "" {
		t.Error(diff)
	}
}

func shownInOrder(c Config, keys ...string) string {
	out := ""
	for _, k := range keys {
		if out != "" {
			out += "\n"
		}
		out += shown(c, k)
	}
	return out
}

// Steps that stood in a preset must not leave their origins to steps of the same name in a file.
func TestStepsForgetThePreset(t *testing.T) {
	c := mustLoad(t, Sources{Preset: "cache-aware", File: "c.yaml", Text: []byte("steps: [{use: prune}]\n")})
	if diff := cmp.Diff("prune.batch.min_freed = 0 (default)", shown(c, "prune.batch.min_freed")); diff != "" {
		t.Error(diff)
	}
}

// What the library runs without any file must be what the pipeline's own default is.
func TestDefaultPipeline(t *testing.T) {
	c := Default()
	p, err := c.Pipeline()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pipeline.Default(), p); diff != "" {
		t.Error(diff)
	}
}

func TestReplayConfig(t *testing.T) {
	tests := []struct {
		name string
		give Sources
		want replay.Config
	}{
		{"nothing given", Sources{}, replay.Config{From: replay.Segments}},
		{"the command's start", Sources{From: replay.Raw}, replay.Config{From: replay.Raw}},
		{"limit of a file", Sources{Text: []byte("limit: 100000\nfrom: raw\ntier: 1m")},
			replay.Config{From: replay.Raw, Tier: "1m", Limit: transcript.Limit{Tokens: 100000, Kind: transcript.Window, From: transcript.FromFile}}},
		{"limit of a variable", Sources{Env: []string{"PERCH_LIMIT=100000:input"}},
			replay.Config{From: replay.Segments, Limit: transcript.Limit{Tokens: 100000, Kind: transcript.Input, From: transcript.FromFlag}}},
		{"tier taken back", Sources{Text: []byte("tier: 1m"), Env: []string{"PERCH_TIER=none"}}, replay.Config{From: replay.Segments}},
		{"chosen target", Sources{Text: []byte("target: 0.6")}, replay.Config{From: replay.Segments, TargetChosen: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := mustLoad(t, tt.give)
			got, err := c.Replay(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Pipeline, tt.want.Budget = pipeline.Default(), pipeline.DefaultBudget()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A sweep changes copies; a copy that shared a stage would change the anchor rows with it.
func TestCloneIsIndependent(t *testing.T) {
	c := Default()
	d := c.Clone()
	for _, kv := range [][2]string{{"micro.keep_last", "9"}, {"summarize.pin", "system"}, {"micro.enabled", "false"}, {"trigger", "0.9"}} {
		if err := d.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	same(t, Default(), c)
	if got := c.Origin("trigger").String(); got != "default" {
		t.Errorf("the original's trigger comes from %s", got)
	}
}
