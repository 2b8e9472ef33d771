package config

import (
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// mustLoad loads sources that hold no mistake.
func mustLoad(t *testing.T, s Sources) Config {
	t.Helper()
	c, err := Load(s)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return c
}

// fromFile loads a file alone.
func fromFile(t *testing.T, text string) Config {
	t.Helper()
	return mustLoad(t, Sources{File: "c.yaml", Text: []byte(text)})
}

// shown returns the entries of the keys as "key = value (origin)".
func shown(c Config, keys ...string) string {
	var lines []string
	for _, e := range c.Effective() {
		for _, k := range keys {
			if e.Key == k {
				lines = append(lines, e.Key+" = "+e.Value+" ("+e.Origin.String()+")")
			}
		}
	}
	return strings.Join(lines, "\n")
}

// same fails unless two configurations hold the same settings, wherever they came from.
func same(t *testing.T, want, got Config) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool {
		return p.Last().String() == ".origins"
	}, cmp.Ignore())); diff != "" {
		t.Errorf("settings differ (-want +got):\n%s", diff)
	}
}
