package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a text looks like to a YAML reader decides whether it needs quotes; a wrong guess turns a tool's name into a
// number or a comment.
func TestQuotedTexts(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"word", "Read", "Read"},
		{"counter", "tiktoken:o200k_base", "tiktoken:o200k_base"},
		{"nothing", "", `""`},
		{"glob", "mcp__*", `"mcp__*"`},
		{"number", "007", `"007"`},
		{"float with an exponent", "1e3", `"1e3"`},
		{"truth", "True", `"True"`},
		{"norway", "no", `"no"`},
		{"null", "null", `"null"`},
		{"key", "a:", `"a:"`},
		{"key and value", "a: b", `"a: b"`},
		{"comment", "a #b", `"a #b"`},
		{"quotes and markup", `say "<hi>"`, `"say \"<hi>\""`},
		{"line end", "a\nb", `"a\nb"`},
		{"other letters", "größer", `"größer"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, quote(tt.text)); diff != "" {
				t.Error(diff)
			}
			c := Default()
			if err := c.Set("tier", tt.text); err != nil {
				t.Fatal(err)
			}
			got := fromFile(t, string(c.YAML()))
			if diff := cmp.Diff(tt.text, got.Tier); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A written target is a chosen one, and a chosen one that does not fit is an error; so the file must not turn the
// default's target, or a preset's, into a choice.
func TestWrittenTarget(t *testing.T) {
	tests := []struct {
		name string
		give Sources
		want string // the lines of the file about preset and target
	}{
		{"default", Sources{}, ""},
		{"preset", Sources{Preset: "perch"}, "preset: perch\n"},
		{"person", Sources{Text: []byte("target: 0.5")}, "target: 0.5\n"},
		{"person over a preset", Sources{Preset: "perch", Text: []byte("target: 0.5")}, "target: 0.5\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// A trigger so low that the default's target has to be lowered.
			tt.give.Flags = []Flag{{"--set", "trigger", "0.62"}}
			c := mustLoad(t, tt.give)
			got := ""
			for line := range strings.Lines(string(c.YAML())) {
				if strings.HasPrefix(line, "preset:") || strings.HasPrefix(line, "target:") {
					got += line
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			again := fromFile(t, string(c.YAML()))
			same(t, c, again)
			if c.TargetChosen() != again.TargetChosen() {
				t.Errorf("chosen was %v and is %v", c.TargetChosen(), again.TargetChosen())
			}
		})
	}
}

// The documented file is what config init hands out: no key may come without its meaning.
func TestDocumentedFile(t *testing.T) {
	c := Default()
	text := string(c.Documented())
	for line := range strings.Lines(text) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		rest = strings.TrimSpace(rest)
		if rest == "" || strings.HasPrefix(key, "#") || key == "- use" || key == "id" {
			continue // a group, the head, or what names the step
		}
		if _, doc, ok := strings.Cut(rest, " # "); !ok || len(doc) < 10 {
			t.Errorf("no meaning in %q", line)
		}
	}
	if !strings.Contains(text, "\n# target: 0.6 ") {
		t.Error("the target is not shown")
	}
}
