package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each message is what a person has to work with who made this mistake: the place, the key, what was expected.
func TestFileErrors(t *testing.T) {
	const stages = "prune, microcompact, summarize, enforce"
	tests := []struct{ name, text, want string }{
		{"misspelt key", "trigr: 0.7\n", `c.yaml:1:1: unknown key "trigr"; did you mean trigger?`},
		{"misspelt step id", "micor: {}\n", `c.yaml:1:1: unknown key "micor"; did you mean micro?`},
		{"misspelt key of a step", "micro:\n  kep_last: 4\n", `c.yaml:2:3: unknown key "kep_last" in micro; did you mean keep_last?`},
		{"misspelt key of a group", "prune: {snapshot: {keep_ful: 4}}", `c.yaml:1:20: unknown key "keep_ful" in prune.snapshot; did you mean keep_full?`},
		{"key of another stage", "enforce: {exclude_tools: []}", `c.yaml:1:11: unknown key "exclude_tools" in enforce; its keys are enabled, when, pin, floor_units, margin, loop_atomic`},
		{"key of a step at the top", "keep_last: 4\n", `c.yaml:1:1: unknown key "keep_last"; did you mean micro.keep_last? it is a key of a step`},
		{"dotted key", "micro.keep_last: 4\n", `c.yaml:1:1: unknown key "micro.keep_last"; in a file write micro: {keep_last: ...}`},
		{"deep dotted key", "prune.image.keep_last: 4\n", `c.yaml:1:1: unknown key "prune.image.keep_last"; in a file write prune: {image: {keep_last: ...}}`},
		{"unrelated key", "workers: 4\n", `c.yaml:1:1: unknown key "workers"; the keys here are about, preset, steps, limit, tier, output_reserve, trigger, target, min_gap, counter, from, prune, micro, summarize, enforce`},
		{"misspelt head", "about: {nmae: x}\n", `c.yaml:1:9: unknown key "nmae" in about; did you mean name?`},

		{"word for a number", "micro: {keep_last: many}", `c.yaml:1:20: micro.keep_last: want a whole number of results, got "many"`},
		{"long word", "micro: {keep_last: " + strings.Repeat("x", 100) + "}", `c.yaml:1:20: micro.keep_last: want a whole number of results, got "` + strings.Repeat("x", 57) + `..."`},
		{"share for tokens", "prune: {image: {max_tokens_each: 0.5}}", `c.yaml:1:34: prune.image.max_tokens_each: want a whole number of tokens, got "0.5"`},
		{"quoted number", `micro: {keep_last: "4"}`, `c.yaml:1:20: micro.keep_last: want a whole number of results, got the text "4"; leave the quotes out`},
		{"yes for true", "micro: {keep_errors: yes}", `c.yaml:1:22: micro.keep_errors: want true or false, got "yes"`},
		{"word for a share", "enforce: {margin: small}", `c.yaml:1:19: enforce.margin: want a number from 0 to 1, a share of what no provider counted yet, got "small"`},
		{"list for a number", "micro: {keep_last: [1, 2]}", `c.yaml:1:20: micro.keep_last: want a whole number of results, got a list`},
		{"text for a list", "micro: {exclude_tools: Read}", `c.yaml:1:24: micro.exclude_tools: want a list of texts such as [a, b], got "Read"`},
		{"group in a list", "micro: {exclude_tools: [{a: 1}]}", `c.yaml:1:24: micro.exclude_tools: want a list of texts such as [a, b], got one that holds a group of keys`},
		{"number for a group", "prune: {image: 3}", `c.yaml:1:16: prune.image: want keys such as {keep_last: ...}, got "3"`},
		{"group for a text", "tier: {a: b}", `c.yaml:1:8: tier: want a text, got a group of keys`},
		{"nothing for a value", "tier:\n", `c.yaml:1:1: tier: no value is given; write one or delete the line`},
		{"nothing for a group", "micro:\n", `c.yaml:1:1: micro: want keys such as {enabled: ...}, got nothing`},

		{"percentage for a share", "trigger: 80", `c.yaml:1:1: trigger: 80 is a number of tokens, because it is above 1; write a share such as 0.8, or tokens such as 150000`},
		{"no trigger", "trigger: none", `c.yaml:1:1: trigger: without a trigger every call would be compacted; to switch a step off write enabled: false, to wait for the limit write 1`},
		{"limit in thousands", "limit: 200", `c.yaml:1:1: limit: 200 tokens are too few for any request; write the whole window, such as 200000`},
		{"negative number", "micro: {keep_turns: -1}", `c.yaml:1:21: micro.keep_turns: -1 is too small; the least is 0 user turns`},
		{"share above 1", "summarize: {must_shrink: 1.5}", `c.yaml:1:26: summarize.must_shrink: 1.5 is too large; the most is 1 of the span`},
		{"negative amount", "target: -1", `c.yaml:1:9: target: an amount of -1 tokens; write 0 or more: up to 1 is a fraction of the input limit, above 1 are tokens`},
		{"word for an amount", "trigger: high", `c.yaml:1:10: trigger: high is no amount of tokens; write a number (up to 1: a fraction of the input limit), {min: [0.10, 40000]} or {max: [5000, 0.05]}`},
		{"no limit", "limit: 0", `c.yaml:1:8: limit: 0 tokens are no limit; write more than 0, or auto`},
		{"share for a limit", "limit: 0.8", `c.yaml:1:8: limit: want auto, tokens such as 200000 for a window, or 258400:input for the prompt alone, got "0.8"`},
		{"unknown kind of limit", "limit: 100000:output", `c.yaml:1:8: limit: want auto, tokens such as 200000 for a window, or 258400:input for the prompt alone, got "100000:output"`},
		{"misspelt choice", "summarize: {fold: previos}", `c.yaml:1:19: summarize.fold: "previos" is not known; did you mean previous?`},
		{"unknown choice", "from: middle", `c.yaml:1:7: from: "middle" is not known; write one of segments, raw`},
		{"misspelt counter", "counter: o200", `c.yaml:1:10: counter: "o200" is not known; did you mean o200k?`},
		{"misspelt pin", "enforce: {pin: [system, first_usr]}", `c.yaml:1:16: enforce.pin: "first_usr" is not known; did you mean first_user?`},
		{"broken glob", "micro: {only_tools: ['[a']}", `c.yaml:1:21: micro.only_tools: "[a" is no glob of tool names; write one such as mcp__* or Read`},
		{"unknown gate", "micro: {when: sometimes}", `c.yaml:1:15: micro.when: unknown gate "sometimes"; write never, always, over_trigger, over_limit, or a condition like {unit: tokens, over: 100000}`},
		{"unknown stop rule", "micro: {stop: half}", `c.yaml:1:15: micro.stop: unknown stop rule "half"; write all, at_target or {after_tokens: 20000}`},

		{"target over the trigger in shares", "trigger: 0.7\ntarget: 0.65\n",
			`c.yaml:2:1: target: 0.65 is less than min_gap (0.1) below the trigger of 0.7, so the context would refill at once; write 0.6 or less, or raise the trigger`},
		{"target over the trigger in tokens", "{trigger: 150000, target: 145000, min_gap: 10000}",
			`c.yaml:1:19: target: 145000 is less than min_gap (10000) below the trigger of 150000, so the context would refill at once; write 140000 or less, or raise the trigger`},
		{"target over the trigger under a limit", "limit: 100000:input\ntarget: 75000\n",
			`c.yaml:2:1: target: a target of 75000 tokens is less than min_gap (10000) below the trigger of 80000, so the context would refill at once; set target to 70000 or less`},
		{"bounds of a summary crossed", "summarize:\n  size:\n    min: 5000\n    max: 1000\n", `c.yaml:4:5: summarize.size.max is 1000; write 5000 or more`},
		{"bounds of a tail crossed", "summarize: {tail: {min: 0.3}}", `c.yaml:1:20: summarize.tail.min: 0.3 is above tail.max (0.25); lower it or raise the other`},

		{"key given twice", "trigger: 0.7\ntarget: 0.5\ntrigger: 0.8\n", `c.yaml:3:1: "trigger" stands here for the second time (the first is at line 1); delete one`},
		{"key given by both names", "micro:\n  clear_at_least: 10\n  min_freed: 11\n", `c.yaml:3:3: "min_freed" sets micro.min_freed for the second time (the first is at line 2); delete one`},

		{"steps that are no list", "steps: {use: prune}", `c.yaml:1:9: steps: want a list of steps such as [{use: prune}], got a group of keys`},
		{"step that is a word", "steps: [prune]", `c.yaml:1:9: step 1: want a step such as {use: prune}, got "prune"`},
		{"step without a stage", "steps: [{id: x}]", `c.yaml:1:10: step 1 does not say which stage it is; add use: and one of ` + stages},
		{"misspelt stage", "steps: [{use: microcompat}]", `c.yaml:1:15: step 1: unknown stage "microcompat"; did you mean microcompact?`},
		{"unknown stage", "steps: [{use: llm}]", `c.yaml:1:15: step 1: unknown stage "llm"; the stages are ` + stages},
		{"id taken", "steps: [{use: prune}, {use: prune}]", `c.yaml:1:29: step 2: id "prune" is taken by an earlier step; add id: and another name`},
		{"id with a space", "steps: [{use: prune, id: Old pages}]", `c.yaml:1:26: step 1: id "Old pages"; use lower-case letters, digits and dashes, beginning with a letter`},
		{"id of a setting", "steps: [{use: prune, id: limit}]", `c.yaml:1:26: step 1: id "limit" is the name of a setting; choose another`},
		{"keys beside the list", "steps: [{use: prune}]\nprune: {enabled: false}\n", `c.yaml:2:1: prune is a step of the list in this file; give its keys there`},

		{"misspelt preset", "preset: cache-awar\n", `c.yaml:1:9: unknown preset "cache-awar"; did you mean cache-aware?`},
		{"preset that is a list", "preset: [perch]\n", `c.yaml:1:9: preset: want the name of a preset, got a list`},
		{"list for a file", "- trigger\n", `c.yaml:1:1: want settings such as trigger: 0.8, got a list`},
		{"text for a file", "trigger\n", `c.yaml:1:1: want settings such as trigger: 0.8, got "trigger"`},
		{"second document", "trigger: 0.7\n---\ntarget: 0.5\n", `c.yaml:3:7: a second YAML document; a configuration is one document, so delete it or put it in a file of its own`},
		{"directive", "%YAML 1.2\n---\ntrigger: 0.8\n", `c.yaml:1:1: YAML directives are not supported; delete this line`},
		{"alias", "micro: {exclude_tools: [*all]}", `c.yaml:1:25: anchors, aliases and tags are not supported; write the value out, in quotes if it begins with * or & or !`},
		{"merge key", "micro: {<<: x}", `c.yaml:1:9: merge keys and complex keys are not supported; write the keys out`},
		{"broken syntax", "trigger: [0.7\n", `c.yaml:1:10: not valid YAML: sequence end token ']' not found`},
		{"brackets without end", strings.Repeat("[", 100), `c.yaml:1:33: more than 32 brackets are open here; a configuration is never that deep`},
		{"wrong file", strings.Repeat("x", 70000), `c.yaml:1:1: 70000 bytes are too many for a configuration (at most 65536); is it the right file?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(Sources{File: "c.yaml", Text: []byte(tt.text)})
			if err == nil {
				t.Fatalf("no error for\n%s", tt.text)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Mistakes in variables and flags have no line; the name has to lead there.
func TestEnvAndFlagErrors(t *testing.T) {
	twins := []byte("steps: [{use: prune}, {use: microcompact, id: prune-image}]")
	tests := []struct {
		name string
		give Sources
		want string
	}{
		{"misspelt variable", Sources{Env: []string{"PERCH_MICRO_KEP_LAST=3"}}, `env PERCH_MICRO_KEP_LAST: sets nothing; did you mean PERCH_MICRO_KEEP_LAST?`},
		{"variable of an absent step", Sources{Preset: "none", Env: []string{"PERCH_MICRO_KEEP_LAST=3"}}, `env PERCH_MICRO_KEEP_LAST: sets nothing in this pipeline; unset it`},
		{"bad value of a variable", Sources{Env: []string{"PERCH_MICRO_KEEP_LAST=x"}}, `env PERCH_MICRO_KEEP_LAST: micro.keep_last: want a whole number of results, got "x"`},
		{"empty variable", Sources{Env: []string{"PERCH_TRIGGER="}}, `env PERCH_TRIGGER: trigger: no value is given; write one or delete the line`},
		{"unknown preset of a variable", Sources{Env: []string{"PERCH_PRESET=perhc"}}, `env PERCH_PRESET: unknown preset "perhc"; did you mean perch?`},
		{"variable that means two keys", Sources{Text: twins, Env: []string{"PERCH_PRUNE_IMAGE_KEEP_LAST=3"}}, `env PERCH_PRUNE_IMAGE_KEEP_LAST: means prune.image.keep_last as well as prune-image.keep_last; give a step another id, or use --set`},
		{"misspelt key of a flag", Sources{Flags: []Flag{{"--set", "micro.kep_last", "5"}}}, `--set: unknown key "micro.kep_last"; did you mean micro.keep_last?`},
		{"key without its step", Sources{Flags: []Flag{{"--set", "keep_last", "5"}}}, `--set: unknown key "keep_last"; did you mean micro.keep_last?`},
		{"unrelated key of a step", Sources{Flags: []Flag{{"--set", "enforce.temperature", "5"}}}, `--set: unknown key "enforce.temperature"; the keys of enforce are enforce.enabled, enforce.when, enforce.pin, enforce.floor_units, enforce.margin, enforce.loop_atomic`},
		{"unrelated key", Sources{Flags: []Flag{{"--set", "temperature", "5"}}}, `--set: unknown key "temperature"; perch config show lists the keys`},
		{"group", Sources{Flags: []Flag{{"--set", "prune.batch", "5"}}}, `--set: prune.batch is a group of keys; set one of prune.batch.calls, prune.batch.min_freed`},
		{"list of steps", Sources{Flags: []Flag{{"--set", "steps", "[]"}}}, `--set: steps: the list of steps is written in a file; here give a key of one, such as micro.keep_last`},
		{"preset", Sources{Flags: []Flag{{"--set", "preset", "none"}}}, `--set: preset: a preset is what the other settings begin with; name it with --preset`},
		{"stage of a step", Sources{Flags: []Flag{{"--set", "micro.use", "prune"}}}, `--set: micro.use: the stage and the id of a step are fixed by the list steps: in a file`},
		{"bad value of a named flag", Sources{Flags: []Flag{{"--limit", "limit", "big"}}}, `--limit: want auto, tokens such as 200000 for a window, or 258400:input for the prompt alone, got "big"`},
		{"broken value", Sources{Flags: []Flag{{"--set", "micro.stop", "{after_tokens: 5"}}}, `--set: micro.stop: "{after_tokens: 5": not valid YAML: could not find flow mapping end token '}'`},
		{"unknown preset", Sources{Preset: "codx"}, `--preset: unknown preset "codx"; the presets are perch, cache-aware, none`},
		{"contradiction between layers", Sources{Text: []byte("trigger: 0.7"), Flags: []Flag{{"--set", "target", "0.7"}}},
			`--set: target: 0.7 is less than min_gap (0.1) below the trigger of 0.7, so the context would refill at once; write 0.6 or less, or raise the trigger`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(tt.give)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Whoever writes a file by hand wants to mend it in one go.
func TestAllErrorsAtOnce(t *testing.T) {
	_, err := Load(Sources{
		File:  "c.yaml",
		Text:  []byte("micro: {keep_last: x}\nsteps:\n  - use: enforce\n    margin: 2\n  - use: microcompact\n    keep_turns: -1\ntriger: 1\n"),
		Env:   []string{"PERCH_TIR=1m"},
		Flags: []Flag{{"--set", "micro.stop", "x"}},
	})
	want := `c.yaml:1:1: micro is a step of the list in this file; give its keys there
c.yaml:4:13: enforce.margin: 2 is too large; the most is 1 of what no provider counted yet
c.yaml:6:17: micro.keep_turns: -1 is too small; the least is 0 user turns
c.yaml:7:1: unknown key "triger"; did you mean trigger?
env PERCH_TIR: sets nothing; did you mean PERCH_TIER?
--set: micro.stop: unknown stop rule "x"; write all, at_target or {after_tokens: 20000}`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}

// An editor or a script needs the place as numbers.
func TestErrorPlaces(t *testing.T) {
	_, err := Load(Sources{File: "c.yaml", Text: []byte("triger: 1\nmicro: {kep_last: 4}\n"), Env: []string{"PERCH_TIR=1m"}})
	var first *Error
	if !errors.As(err, &first) {
		t.Fatalf("%v holds no Error", err)
	}
	var got []Origin
	for _, e := range err.(Errors) {
		got = append(got, e.Origin)
	}
	want := []Origin{
		{Layer: LayerFile, Name: "c.yaml", Line: 1, Column: 1},
		{Layer: LayerFile, Name: "c.yaml", Line: 2, Column: 9},
		{Layer: LayerEnv, Name: "PERCH_TIR"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseSet(t *testing.T) {
	got, err := ParseSet("micro.stop = at_target")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Flag{"--set", "micro.stop", "at_target"}, got); diff != "" {
		t.Error(diff)
	}
	for _, arg := range []string{"micro.stop", "=3", ""} {
		_, err := ParseSet(arg)
		if want := "--set " + arg + ": want KEY=VALUE, as in --set micro.keep_last=5"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
