package formats

import (
	"strings"
	"testing"
)

// A file in a wrong format gives numbers that look right; one in none must be left alone.
func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       string // "": none
	}{
		{"session", user("u", "", "go"), "claude-code"},
		{"session behind a byte order mark", bom + user("u", "", "go"), "claude-code"},
		{"session that begins with a title", `{"type":"summary","summary":"t","leafUuid":"u"}` + "\n", "claude-code"},
		{"session that begins with news for the screen", `{"type":"mode","mode":"x","sessionId":"s"}` + "\nnot json\n" + user("u", "", "go"), "claude-code"},
		{"session whose first record is cut", user("u", "", strings.Repeat("go on ", 30))[:200], "claude-code"},
		{"boundary first", boundary("b", "a", "{}"), "claude-code"},
		{"records without the marks of a side chain", `{"type":"assistant","sessionId":"s","parentUuid":"u","message":{"content":[]}}`, "claude-code"},
		{"the same tree with other messages", `{"type":"user","sessionId":"s","parentUuid":null,"message":{"role":"user","parts":[]}}`, ""},
		{"session told inside another file", `{"log":"{\"parentUuid\":null,\"isSidechain\":false}"}`, ""},
		{"canonical", `{"t":"run","v":1,"id":"s"}` + "\n", "canonical"},
		{"lines of something else", `{"t":"row","v":1}`, ""},
		{"source file that quotes records", "package x\n\nconst a = `\n" + user("u", "", "go") + "`\nfunc b() {\n}\n", ""},
		{"session whose first line is torn", `"go"}}` + "\n" + user("u", "", "go") + "\n" + user("v", "u", "on"), "claude-code"},
		{"prose", "Dear reader,\n", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := Detect([]byte(tt.head), "run.jsonl")
			if f.Name != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", f.Name, ok, tt.want)
			}
		})
	}
}

// The names in the help are the names --format takes, and none is there twice.
func TestFormatNames(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All {
		got, ok := Lookup(f.Name)
		if !ok || got.About != f.About || seen[f.Name] {
			t.Errorf("%s is not found by its name, or not alone", f.Name)
		}
		seen[f.Name] = true
	}
	if _, ok := Lookup("Claude"); ok {
		t.Error("a format was found by a name that none has")
	}
}
