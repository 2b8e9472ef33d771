package models

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// A user's budget rests on the row a recorded name finds: a wrong window is as common a fault as a wrong estimate.
func TestLookup(t *testing.T) {
	type row struct {
		Family   string
		Window   int
		Input    int
		Thinking Thinking
		Image    string
		Found    bool
	}
	for _, c := range []struct {
		name string
		want row
	}{
		{"claude-opus-4-5-20251101", row{"claude", 200_000, 0, Kept, "claude-area", true}},
		{"claude-opus-4-6", row{"claude", 200_000, 0, Kept, "claude-area", true}},
		{"claude-sonnet-4-6", row{"claude", 200_000, 0, Kept, "claude-area", true}},
		{"claude-sonnet-4-5-20250929", row{"claude", 200_000, 0, Dropped, "claude-area", true}},
		{"claude-sonnet-4-20250514", row{"claude", 200_000, 0, Dropped, "claude-area", true}},
		{"claude-opus-4-20250514", row{"claude", 200_000, 0, Dropped, "claude-area", true}},
		{"claude-haiku-4-5-20251001", row{"claude", 200_000, 0, Kept, "claude-area", true}},
		{"claude-3-5-sonnet-20241022", row{"claude", 200_000, 0, Kept, "claude-area", true}},
		{"claude-opus-4-7", row{"claude-new", 200_000, 0, Kept, "claude-patches", true}},
		{"claude-opus-4-8", row{"claude-new", 200_000, 0, Kept, "claude-patches", true}},
		{"claude-opus-5", row{"claude-new", 200_000, 0, Kept, "claude-patches", true}},
		{"claude-sonnet-5", row{"claude-new", 200_000, 0, Kept, "claude-patches", true}},
		{"claude-fable-5", row{"claude-new", 200_000, 0, Kept, "claude-patches", true}},
		{"us.anthropic.claude-opus-4-6[1m]", row{"claude", 200_000, 0, Kept, "claude-area", true}},
		{"anthropic/claude-opus-4.6", row{"claude", 200_000, 0, Kept, "claude-area", true}},
		{"gpt-5", row{"gpt", 400_000, 272_000, Dropped, "gpt-5-tiles", true}},
		{"gpt-5-codex", row{"gpt", 400_000, 272_000, Dropped, "gpt-5-tiles", true}},
		{"gpt-5.1-codex-max", row{"gpt", 400_000, 272_000, Dropped, "gpt-5-tiles", true}},
		{"gpt-5.3-codex", row{"gpt", 400_000, 272_000, Dropped, "gpt-patches", true}},
		{"gpt-5.6-sol", row{"gpt", 400_000, 272_000, Kept, "gpt-patches", true}},
		{"openai/gpt-5-mini", row{"gpt", 400_000, 272_000, Dropped, "gpt-mini-patches", true}},
		{"gemini-3-pro-preview", row{"gemini", 1_048_576, 0, Kept, "gemini-budget", true}},
		{"gemini-2.5-flash", row{"gemini", 1_048_576, 0, Dropped, "gemini-tiles", true}},
		{"glm-4.7", row{"glm", 200_000, 0, Kept, "other-image", true}},
		{"Kimi-K2-thinking", row{"kimi", 262_144, 0, Kept, "other-image", true}},
		{"house-model-9", row{"other", 0, 0, Kept, "other-image", false}},
		{"", row{"other", 0, 0, Kept, "other-image", false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, found := Lookup(c.name)
			got := row{m.Family, m.Window, m.Input, m.Thinking, m.Image, found}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A user with a model of their own loses everything the table knows if their row has to repeat it.
func TestReadOverrides(t *testing.T) {
	tb, err := Read(strings.NewReader(`{
		"models": [
			{"match": ["claude-opus-4-6*"], "window": 1000000},
			{"match": ["house-*"], "family": "qwen", "window": 32768}
		],
		"families": {"claude": {"call": 60}},
		"overheads": [{"format": "claude-code", "tokens": 1000}]
	}`), Default())
	if err != nil {
		t.Fatal(err)
	}
	opus, _ := tb.Lookup("claude-opus-4-6")
	if opus.Window != 1_000_000 || opus.Family != "claude" || opus.Cache.Read != 100 || opus.Tiers["1m"] != 1_000_000 {
		t.Errorf("the overridden row lost what it did not name: %+v", opus)
	}
	house, found := tb.Lookup("house-7b")
	if !found || house.Window != 32768 || house.Family != "qwen" {
		t.Errorf("the new row is not found: %+v %v", house, found)
	}
	family := tb.Family(opus)
	if family.Call != 60 || family.Ratios[transcript.Code] != Default().Family(opus).Ratios[transcript.Code] {
		t.Errorf("the overridden family lost its ratios: %+v", family)
	}
	if o, _ := tb.Overhead("claude-code", "2.1.1", false); o.Tokens != 1000 {
		t.Errorf("overhead %d, want the override's 1000", o.Tokens)
	}
	if before, _ := Lookup("claude-opus-4-6"); before.Window != 200_000 {
		t.Error("reading an override changed the default table")
	}
}

// A user with a typing error in the file loses their setting silently unless it is refused.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"no JSON", `{`, "unexpected EOF"},
		{"unknown section", `{"model": []}`, `unknown field "model"`},
		{"unknown key", `{"models": [{"match": ["x"], "windw": 1}]}`, `unknown field "windw"`},
		{"row without patterns", `{"models": [{"window": 1}]}`, "models[0] has no match"},
		{"unknown family", `{"models": [{"match": ["x"], "family": "none"}]}`, `no family "none"`},
		{"unknown image rule", `{"models": [{"match": ["x"], "image": "none"}]}`, `no image rule "none"`},
		{"unknown thinking rule", `{"models": [{"match": ["x"], "thinking": "maybe"}]}`, "kept or dropped"},
		{"division by nothing", `{"images": {"x": {"rule": "area", "assumed": 1}}}`, "per_token above 0"},
		{"free pictures", `{"images": {"x": {"rule": "flat"}}}`, "never costs nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.file), Default())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// A user of another counter gets estimates a third off if its ratios start from those of o200k.
func TestRatio(t *testing.T) {
	claude := Default().Family(Model{Family: "claude"})
	o200k, sd := Default().Ratio(claude, transcript.Numbers, "o200k")
	naive, wide := Default().Ratio(claude, transcript.Numbers, "chars/4")
	if naive <= 1.5*o200k || wide <= sd {
		t.Errorf("numbers: %.2f sd %.2f over chars/4, %.2f sd %.2f over o200k; chars/4 sees half of them", naive, wide, o200k, sd)
	}
	a, _ := Default().Ratio(claude, transcript.Thought, "o200k")
	b, _ := Default().Ratio(claude, transcript.Thought, "chars/4")
	if a != b {
		t.Errorf("thinking is sized by its signature: ratio %.2f by one counter, %.2f by the other", a, b)
	}
	for name, family := range Default().families {
		for _, class := range transcript.Classes {
			if r := family.Ratios[class]; r < 0.5 || r > 4 {
				t.Errorf("family %s: ratio of %s is %v, outside what a meter may learn", name, class, r)
			}
		}
	}
}

// A user's first call is estimated by the overhead of the client that made it; clients differ by tens of thousands.
func TestOverhead(t *testing.T) {
	for _, c := range []struct {
		name, format, version string
		nested                bool
		want                  int
		known                 bool
	}{
		{"first generation", "claude-code", "1.0.43", false, 16000, true},
		{"second generation", "claude-code", "2.1.29", false, 34000, true},
		{"hundredth release", "claude-code", "2.1.100", false, 38000, true},
		{"version not recorded", "claude-code", "", false, 38000, true},
		{"sub-agent", "claude-code", "2.1.29", true, 8000, true},
		{"early rollout", "codex", "0.40.0", false, 2900, true},
		{"pre-release", "codex", "0.58.0-alpha.1", false, 3240, true},
		{"last release of a row", "codex", "0.142.5", false, 5515, true},
		{"first release behind it", "codex", "0.143.0", false, 7700, true},
		{"unknown format", "house", "1", false, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, known := Default().Overhead(c.format, c.version, c.nested)
			if o.Tokens != c.want || known != c.known {
				t.Errorf("overhead %d %v, want %d %v", o.Tokens, known, c.want, c.known)
			}
		})
	}
}
