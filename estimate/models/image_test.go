package models

import "testing"

// A user's screenshots are priced by these rules. Priced by their base64 text they would be a hundred times too big,
// priced at nothing they would overflow the window.
func TestImageTokens(t *testing.T) {
	for _, c := range []struct {
		name, model   string
		width, height int
		want          int
		known         bool
	}{
		{"small picture in patches", "claude-opus-4-8", 320, 200, 96, true},
		{"screen in patches", "claude-fable-5", 1440, 900, 1716, true},
		{"capped patches", "claude-opus-5", 4000, 4000, 4784, true},
		{"area", "claude-opus-4-5", 1280, 720, 1229, true},
		{"area fitted to the long edge", "claude-opus-4-5", 3136, 1568, 1600, true},
		{"unknown size", "claude-opus-4-5", 0, 0, 1450, false},
		{"patches of 32", "gpt-5.4", 1024, 1024, 1229, true},
		{"tiles", "gpt-4o", 1024, 1024, 765, true},
		{"tiles of a large picture", "gpt-4o", 2048, 4096, 1105, true},
		{"budget whatever the size", "gemini-3-pro", 64, 64, 1100, true},
		{"small picture in large tiles", "gemini-2.5-pro", 300, 200, 258, true},
		{"large tiles", "gemini-2.5-pro", 1000, 700, 516, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, _ := Lookup(c.model)
			got, known := Default().Image(m).Tokens(c.width, c.height)
			if got != c.want || known != c.known {
				t.Errorf("%d tokens (size known: %v), want %d (%v)", got, known, c.want, c.known)
			}
		})
	}
}
