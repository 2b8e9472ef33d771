package estimate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"perch/formats/transcript"
)

func TestApportion(t *testing.T) {
	for _, c := range []struct {
		name    string
		total   transcript.Ledger
		weights []float64
		want    []transcript.Ledger
	}{
		{"nothing to share", 0, []float64{1, 2}, []transcript.Ledger{0, 0}},
		{"nobody to share it", 5, nil, []transcript.Ledger{}},
		{"in proportion", 30, []float64{1, 2}, []transcript.Ledger{10, 20}},
		{"largest remainder first", 10, []float64{1, 1, 1.5}, []transcript.Ledger{3, 3, 4}},
		{"earlier one of equals first", 10, []float64{1, 1, 1}, []transcript.Ledger{4, 3, 3}},
		{"no weight at all", 5, []float64{0, 0}, []transcript.Ledger{3, 2}},
		{"a fall", -10, []float64{1, 1, 1}, []transcript.Ledger{-4, -3, -3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, apportion(c.total, c.weights)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A user's columns must add up to their total, to the token.
func TestApportionIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 20).Draw(t, "weights")
		total := transcript.Ledger(rapid.IntRange(-2_000_000, 2_000_000).Draw(t, "total"))
		shares := apportion(total, weights)
		if sum(shares) != total {
			t.Fatalf("shares %v sum to %d, want %d", shares, sum(shares), total)
		}
		for i, n := range shares {
			if n*total < 0 {
				t.Fatalf("share %d of %d has the wrong sign: %v", i, total, shares)
			}
		}
	})
}
