package estimate_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"perch/estimate"
	"perch/estimate/models"
	"perch/formats"
	"perch/formats/transcript"
)

// corpus opens a folder of the real recordings, or skips the test where they are not there.
func corpus(t *testing.T, folder string) fs.FS {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
	}
	path := filepath.Join(dir, "..", "shared", "corpus", folder)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no recordings at ../shared/corpus/%s", folder)
	}
	return os.DirFS(path)
}

// transcripts reads every thread of a folder that is a run of its own.
func transcripts(t *testing.T, format formats.Format, fsys fs.FS) []*transcript.Transcript {
	t.Helper()
	names, err := fs.Glob(fsys, "*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []*transcript.Transcript
	for _, name := range names {
		for tr, err := range format.Read(fsys, name) {
			if err != nil {
				t.Fatalf("reading %s: %v", name, err)
			}
			if !tr.Nested {
				all = append(all, tr)
			}
		}
	}
	return all
}

// copies marks the calls that an earlier transcript recorded too.
func copies(seen map[string]bool, t *transcript.Transcript) []bool {
	marks := make([]bool, len(t.Calls))
	for k := range t.Calls {
		if key := t.Calls[k].Key; key != "" {
			marks[k] = seen[key]
			seen[key] = true
		}
	}
	return marks
}

// A user's every number rests on how near the estimates come to real counts. The bounds leave about a quarter
// of room above what was measured when they were set.
func TestRealRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("counts 15 MB of text")
	}
	counter, err := estimate.NewCounter("o200k")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		folder, format    string
		median, p99       estimate.Figure // percent of the prompt
		delta             estimate.Figure // median percent of the step
		ahead             estimate.Figure // median tokens
		missed            estimate.Figure // percent of the crossings
		naiveAtLeast      estimate.Figure // median percent of the prompt
		cleanAtLeastShare float64         // of the predicted calls
	}{
		{"claude-code", "claude-code", 0.05, 2.3, 6.5, 45, 6.5, 40, 0.2},
		{"claude-code-2026", "claude-code", 0.02, 0.8, 3.5, 20, 3.5, 40, 0.7},
		{"codex", "codex", 0.02, 1.6, 1, 10, 6.5, 10, 0.7},
		{"codex-2026", "codex", 0.02, 1.2, 0.5, 5, 1, 10, 0.7},
	} {
		t.Run(c.folder, func(t *testing.T) {
			fsys := corpus(t, c.folder)
			format, ok := formats.Lookup(c.format)
			if !ok {
				t.Fatalf("no format %s", c.format)
			}
			samples, seen := &estimate.Samples{}, map[string]bool{}
			for _, tr := range transcripts(t, format, fsys) {
				s := estimate.NewStudy(tr, estimate.Options{Counter: counter, Models: models.Default()})
				if err := estimate.AddsUp(s); err != nil {
					t.Errorf("%s, %s: %v", tr.Source, tr.Thread, err)
				}
				samples.Merge(s.Samples(copies(seen, tr)))
			}
			a, id := samples.Accuracy(), samples.Identity()
			t.Logf("calls %d, predicted %d, clean %d, identity %+v, gaps %v", a.Calls, a.Predicted, a.Clean, id, a.Gaps)
			best := a.Methods.Calibrated.All
			for _, check := range []struct {
				name string
				ok   bool
				got  any
			}{
				{"median error", best.MedianAPE <= c.median, best.MedianAPE},
				{"99th percentile", best.P99APE <= c.p99, best.P99APE},
				{"median error of the step", best.DeltaMedianAPE <= c.delta, best.DeltaMedianAPE},
				{"identity one call ahead", id.AheadMedian <= c.ahead, id.AheadMedian},
				{"missed crossings", best.MissedCrossings <= c.missed, best.MissedCrossings},
				{"naive is far off", a.Methods.Naive.All.MedianAPE >= c.naiveAtLeast, a.Methods.Naive.All.MedianAPE},
				{"anchor alone is worse", a.Methods.Anchored.All.MedianAPE > 2*best.MedianAPE, a.Methods.Anchored.All.MedianAPE},
				{"upper misses no more", a.Methods.Upper.All.MissedCrossings <= best.MissedCrossings, a.Methods.Upper.All.MissedCrossings},
				{"unexplained gaps", a.Unexplained <= 1.6, a.Unexplained},
				{"clean calls", float64(a.Clean) >= c.cleanAtLeastShare*float64(a.Predicted), a.Clean},
			} {
				if !check.ok {
					t.Errorf("%s: %v", check.name, check.got)
				}
			}
		})
	}
}
