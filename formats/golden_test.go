package formats

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// examples lists the recordings below testdata, by format.
func examples(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.json*")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings below testdata", err)
	}
	out := map[string]string{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = string(data)
	}
	return out
}

// The whole way from a recording to its transcripts, to be read as a diff when a reader changes.
func TestGolden(t *testing.T) {
	for path, data := range examples(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, ok := Detect([]byte(data), path)
			if !ok || f.Name != filepath.Base(filepath.Dir(path)) {
				t.Fatalf("detected as %q", f.Name)
			}
			list, err := read(t, f, data)
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, list)
			got := write(t, list...)
			golden := strings.TrimSuffix(path, filepath.Ext(path)) + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
