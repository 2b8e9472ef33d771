package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perch/formats"
	"perch/formats/transcript"
)

// runs loads the shipped transcripts.
func runs(t *testing.T) []*transcript.Transcript {
	return load(t, filepath.Join("..", "testdata", "transcripts", "claude-code"))
}

// corpus loads a folder of real recordings, or skips the test where they are missing.
func corpus(t *testing.T, folder string) []*transcript.Transcript {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "corpus", folder)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the recordings of %s are not here", folder)
	}
	return load(t, dir)
}

// load reads every session file of a folder.
func load(t *testing.T, dir string) []*transcript.Transcript {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts in %s: %v", dir, err)
	}
	var all []*transcript.Transcript
	for _, name := range names {
		head, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := formats.Detect(head[:min(len(head), 64<<10)], name)
		if !ok {
			t.Fatalf("%s: no format", name)
		}
		for tr, err := range f.Read(os.DirFS(dir), filepath.Base(name)) {
			if err != nil {
				t.Fatal(err)
			}
			tr.Source = strings.TrimPrefix(name, dir)
			all = append(all, tr)
		}
	}
	return all
}
