package pipeline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// yaml decodes JSON the way a YAML library hands values to UnmarshalYAML.
func yaml(text string) func(any) error {
	return func(v any) error { return json.Unmarshal([]byte(text), v) }
}

// TestAmounts: a fraction read as tokens, or the reverse, moves a threshold by a factor of a thousand.
func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		h, want    transcript.Estimated
	}{
		{"fraction", `0.8`, 1000, 800},
		{"whole limit", `1`, 1000, 1000},
		{"tokens", `20000`, 1000, 20000},
		{"nothing", `0`, 1000, 0},
		{"none", `"none"`, 1000, 0},
		{"smallest", `{"min":[0.1,40000]}`, 1_000_000, 40000},
		{"smallest below", `{"min":[0.1,40000]}`, 100_000, 10000},
		{"largest", `{"max":[5000,0.05]}`, 20_000, 5000},
		{"nested", `{"max":[{"min":[8000,0.1]},0.05]}`, 180_000, 9000},
		{"nested, small limit", `{"max":[{"min":[8000,0.1]},0.05]}`, 40_000, 4000},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a Amount
			if err := json.Unmarshal([]byte(c.text), &a); err != nil {
				t.Fatal(err)
			}
			if got := a.Of(c.h); got != c.want {
				t.Errorf("%v of %d is %d, want %d", a, c.h, got, c.want)
			}
			b, err := json.Marshal(a)
			if err != nil || c.name != "none" && string(b) != c.text {
				t.Errorf("written as %s (%v), read from %s", b, err, c.text)
			}
		})
	}
	for want, a := range map[string]Amount{
		"0.8": Tokens(0.8), "{min: [0.1, 40000]}": MinOf(0.1, 40000),
		"{max: [{min: [8000, 0.1]}, 0.05]}": {Max: []Amount{MinOf(8000, 0.1), Tokens(0.05)}},
	} {
		if got := a.String(); got != want {
			t.Errorf("printed as %s, want %s", got, want)
		}
	}
	for _, text := range []string{`-1`, `"many"`, `{"min":[]}`, `{"min":[1],"max":[2]}`, `{"sum":[1]}`, `[1]`, `{"min":[-1]}`, `true`} {
		var a Amount
		if err := a.UnmarshalYAML(yaml(text)); err == nil {
			t.Errorf("%s was read as %v", text, a)
		}
	}
}

// TestGates: a step runs when it should not, or never.
func TestGates(t *testing.T) {
	b := Budget{Limit: 1000, Trigger: 800, Target: 600}
	for _, c := range []struct {
		name, text string
		facts      Facts
		want       bool
	}{
		{"always", `"always"`, Facts{}, true},
		{"never", `"never"`, Facts{Estimate: 5000}, false},
		{"at the trigger", `"over_trigger"`, Facts{Estimate: 800}, false},
		{"over the trigger", `"over_trigger"`, Facts{Estimate: 801}, true},
		{"at the limit", `"over_limit"`, Facts{Estimate: 1000}, false},
		{"over the limit", `"over_limit"`, Facts{Estimate: 1001}, true},
		{"at so many tokens", `{"at":500,"unit":"tokens"}`, Facts{Estimate: 500}, true},
		{"over so many tokens", `{"over":500,"unit":"tokens"}`, Facts{Estimate: 500}, false},
		{"fraction", `{"over":0.5,"unit":"fraction"}`, Facts{Estimate: 501}, true},
		{"enough headroom", `{"at":200,"unit":"headroom"}`, Facts{Estimate: 799}, false},
		{"little headroom", `{"at":200,"unit":"headroom"}`, Facts{Estimate: 800}, true},
		{"previous call", `{"over":10,"unit":"previous"}`, Facts{Previous: 11}, true},
		{"growth", `{"over":10,"unit":"grew"}`, Facts{Grew: 10}, false},
		{"messages", `{"over":10,"unit":"messages"}`, Facts{Messages: 11}, true},
		{"turns", `{"over":10,"unit":"turns"}`, Facts{Turns: 11}, true},
		{"tool uses", `{"over":10,"unit":"tool_uses"}`, Facts{ToolUses: 11}, true},
		{"calls", `{"at":10,"unit":"calls"}`, Facts{Calls: 10}, true},
		{"idle", `{"at":300,"unit":"idle"}`, Facts{Idle: 299.9}, false},
		{"limit", `{"under":1001,"unit":"limit"}`, Facts{}, true},
		{"one of two", `["over_trigger",{"over":10,"unit":"turns"}]`, Facts{Turns: 11}, true},
		{"both of two", `[["over_trigger",{"over":10,"unit":"turns"}]]`, Facts{Turns: 11}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var g Gate
			if err := json.Unmarshal([]byte(c.text), &g); err != nil {
				t.Fatal(err)
			}
			if got := g.Open(c.facts, b); got != c.want {
				t.Errorf("open %v, want %v", got, c.want)
			}
			if out, err := json.Marshal(g); err != nil || string(out) != c.text {
				t.Errorf("written as %s (%v), read from %s", out, err, c.text)
			}
		})
	}
	for _, text := range []string{`"sometimes"`, `"tokens"`, `{"unit":"tokns","over":1}`, `{"unit":"tokens"}`, `{"unit":"tokens","over":1,"at":2}`, `{"unit":"tokens","above":1}`, `{"unit":"tokens","over":"x"}`, `{"unit":"always","over":1}`, `3`} {
		var g Gate
		if err := g.UnmarshalYAML(yaml(text)); err == nil {
			t.Errorf("%s was read as %v", text, g)
		}
	}
}

// choiceValue is a setting with a YAML form of its own.
type choiceValue interface {
	UnmarshalYAML(func(any) error) error
}

// TestChoices: a setting is read as another, or a typing mistake passes.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		name, text string
		into, want choiceValue
	}{
		{"stop: all", `"all"`, &Stop{AtTarget: true}, &Stop{}},
		{"stop: at_target", `"at_target"`, &Stop{}, &Stop{AtTarget: true}},
		{"stop: after_tokens", `{"after_tokens":20000}`, &Stop{}, &Stop{AfterTokens: Tokens(20000)}},
		{"replace: marker", `"marker"`, &Replace{}, &Replace{Kind: Marker}},
		{"replace: one_line", `"one_line"`, &Replace{}, &Replace{Kind: OneLine}},
		{"replace: head_tail", `{"head_tail":3000}`, &Replace{}, &Replace{Kind: HeadTail, Chars: 3000}},
		{"fail: none", `"none"`, &Fail{Every: 2}, &Fail{}},
		{"fail: always", `"always"`, &Fail{}, &Fail{Every: 1}},
		{"fail: every", `{"every":3}`, &Fail{}, &Fail{Every: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.into.UnmarshalYAML(yaml(c.text)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, c.into); diff != "" {
				t.Error(diff)
			}
			v, err := c.into.(interface{ MarshalYAML() (any, error) }).MarshalYAML()
			if out, _ := json.Marshal(v); err != nil || string(out) != c.text {
				t.Errorf("written as %s (%v), read from %s", out, err, c.text)
			}
		})
	}
	for _, into := range []choiceValue{&Stop{}, &Replace{}, &Fail{}} {
		for _, text := range []string{`"some"`, `{"every":0}`, `{"head_tail":"x"}`, `{"after_tokens":-1}`, `{"all":1}`, `3`} {
			if err := into.UnmarshalYAML(yaml(text)); err == nil {
				t.Errorf("%T took %s", into, text)
			}
		}
	}
}

// TestDefaultsAreValid: perch refuses its own defaults.
func TestDefaultsAreValid(t *testing.T) {
	for _, s := range Default().Steps {
		if err := s.Stage.(interface{ Validate() error }).Validate(); err != nil {
			t.Errorf("%s: %v", s.ID, err)
		}
	}
}

// TestSettingsThatCannotBeMeant: a typing mistake in a config changes nothing and nobody notices.
func TestSettingsThatCannotBeMeant(t *testing.T) {
	prune, mc, sm, en := DefaultPrune(), DefaultMicrocompact(), DefaultSummarize(), DefaultEnforce()
	prune.Snapshot.MaxTokens = 0
	mc.OnlyTools = []string{"[a"}
	sm.Pin = []Pin{"everything"}
	en.FloorUnits = 0
	for want, s := range map[string]interface{ Validate() error }{
		"snapshot.max_tokens is 0; write 1 or more": prune,
		"only_tools holds \"[a\", which is no glob": mc,
		"pin is \"everything\"; write one of":       sm,
		"floor_units is 0":                          en,
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestBudget: every call is judged by a wrong limit.
func TestBudget(t *testing.T) {
	window := transcript.Limit{Tokens: 200_000, Kind: transcript.Window}
	for _, c := range []struct {
		name   string
		limit  transcript.Limit
		output int
		change func(*BudgetConfig)
		chosen bool
		want   Budget
		found  []string
	}{
		{"window of 200k", window, 64_000, nil, false, Budget{180_000, 144_000, 108_000}, nil},
		{"a model with short answers", window, 8192, nil, false, Budget{191_808, 153_446, 115_084}, nil},
		{"unknown output", window, 0, nil, false, Budget{180_000, 144_000, 108_000}, nil},
		{"input limit", transcript.Limit{Tokens: 258_400, Kind: transcript.Input}, 64_000, nil, false, Budget{258_400, 206_720, 155_040}, nil},
		{"small window", transcript.Limit{Tokens: 16_000, Kind: transcript.Window}, 0, nil, false, Budget{13_600, 10_880, 8160}, nil},
		{"trigger too close", window, 0, func(c *BudgetConfig) { c.Trigger = Tokens(0.99) }, false, Budget{180_000, 171_000, 108_000}, []string{"note trigger-lowered"}},
		{"no target", window, 0, func(c *BudgetConfig) { c.Target = Amount{} }, false, Budget{180_000, 144_000, 144_000}, nil},
		{"default target too close", window, 0, func(c *BudgetConfig) { c.Trigger = Tokens(0.65) }, false, Budget{180_000, 117_000, 99_000}, []string{"note target-lowered"}},
		{"chosen target too close", window, 0, func(c *BudgetConfig) { c.Target = Tokens(0.75) }, true, Budget{180_000, 144_000, 126_000}, []string{"error target-too-high"}},
		{"no window", transcript.Limit{}, 0, nil, false, Budget{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := DefaultBudget()
			if c.change != nil {
				c.change(&cfg)
			}
			got, found := cfg.Budget(c.limit, c.output, c.chosen)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			var names []string
			for _, f := range found {
				names = append(names, string(f.Level)+" "+f.Name)
			}
			if diff := cmp.Diff(c.found, names); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReach: a budget that no step can meet is noticed only when the run is over.
func TestReach(t *testing.T) {
	b := Budget{Limit: 100_000, Trigger: 80_000, Target: 60_000}
	for overhead, want := range map[transcript.Estimated]string{30_000: "", 40_000: "note tight", 60_000: "warn target-unreachable"} {
		got := ""
		for _, f := range b.Reach(overhead, 1000, 20_000, 4216) {
			got = string(f.Level) + " " + f.Name
		}
		if got != want {
			t.Errorf("overhead %d: %q, want %q", overhead, got, want)
		}
	}
}
