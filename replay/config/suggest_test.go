package config

import "testing"

func TestNearest(t *testing.T) {
	keys := []string{"tier", "trigger", "target", "keep_last", "keep_tokens", "min_freed"}
	tests := []struct{ name, give, want string }{
		{"letter missing", "kep_last", "keep_last"},
		{"letter doubled", "keepp_last", "keep_last"},
		{"letters swapped", "keep_lsat", "keep_last"},
		{"dash for underscore", "keep-tokens", "keep_tokens"},
		{"capitals", "KEEP_LAST", "keep_last"},
		{"the one that begins alike", "trigr", "trigger"},
		{"too far", "temperature", ""},
		{"short and wrong", "x", ""},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := nearest(tt.give, keys); got != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSlips(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abcd", "acd", 1}, {"kitten", "sitting", 3},
	}
	for _, tt := range tests {
		if got := slips(tt.a, tt.b); got != tt.want || slips(tt.b, tt.a) != tt.want {
			t.Errorf("slips(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
