package formats

import (
	"strings"
	"testing"
)

// fuzzReader feeds a reader with mutations of the example recordings: it must neither crash nor hang, what it yields
// must keep the invariants (read checks them), and nothing may be lost on the way to the canonical form and back.
func fuzzReader(f *testing.F, format Format, seeds ...string) {
	for path, data := range examples(f) {
		if strings.Contains(path, format.Name) {
			f.Add(data)
		}
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		list, err := read(t, format, data)
		if err != nil {
			return
		}
		roundTrip(t, list)
	})
}

func FuzzClaudeCode(f *testing.F) {
	fuzzReader(f, claudeCode(),
		strings.Join([]string{user("u1", "u2", "go"), user("u2", "u1", "more"), asst("a", "u2", "m", use("t"), use("t")), results("r", "a", result("t", "x"), result("t", "y"))}, "\n"),
		strings.Join([]string{boundary("b", "b", `{"preservedMessages":{"uuids":["b","c","a"]}}`), summary("c", "b", "s"), asst("a", "b", "m", say("x"))}, "\n"),
		system("k", "", "microcompact_boundary", `"microcompactMetadata":{"compactedToolIds":["t"]}`)+"\n"+asst("a", "k", "m", use("")),
	)
}

func FuzzCanonical(f *testing.F) {
	fuzzReader(f, canonical(), canonicalLines(nil), canonicalLines(map[int]string{4: "x"}), write(f, sample()),
		`{"t":"run","v":1}`+"\n"+`{"t":"change","at":0,"kind":"rewind","prompt":[]}`)
}
