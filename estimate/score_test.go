package estimate

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"perch/formats/transcript"
)

// near compares figures to six decimals and takes two absent ones for equal.
var near = cmp.Options{cmpopts.EquateApprox(0, 1e-6), cmpopts.EquateNaNs()}

// predicted is a judged call with an anchor, of which every method but the last count says e.
func predicted(recorded, previous, e int, clean bool) sample {
	v := sample{recorded: transcript.Recorded(recorded), predicted: true, clean: clean, grew: transcript.Recorded(recorded - previous)}
	for m := range v.estimate {
		v.estimate[m] = e
		v.step[m] = e - previous
	}
	v.estimate[byPrevious], v.step[byPrevious] = previous, 0
	return v
}

// A user chooses a method by these numbers: each must be what its comment says.
func TestScore(t *testing.T) {
	run := []sample{
		{recorded: 10_000}, // the first call is not predicted
		predicted(20_000, 10_000, 19_000, true),
		predicted(21_000, 20_000, 21_420, false),
		predicted(40_000, 21_000, 40_400, true),
		predicted(40_000, 40_000, 39_200, true),
	}
	s := &Samples{runs: [][]sample{run}}
	// Crossings of a peak of 40,000: thresholds 12,000 to 38,000 in steps of 666.67. 10 to 20 thousand crosses the
	// first 13 of them, 20 to 21 thousand the next one, 21 to 40 thousand the last 26.
	want := Scores{
		All: Score{
			MedianAPE: 2, P95APE: 5, P99APE: 5, Bias: Figure((-5 + 2 + 1 - 2.0) / 4),
			DeltaMedianAPE: 10, DeltaP95APE: 42, Under1: 50, Worst: 5, OverMore: 0,
			MissedCrossings: share(2, 40), MissedGuard2: share(1, 40), Late: 0,
		},
		Clean: Score{
			MedianAPE: 2, P95APE: 5, P99APE: 5, Bias: Figure((-5 + 1 - 2.0) / 3),
			DeltaMedianAPE: Figure(100 * 400.0 / 19_000), DeltaP95APE: 10, Under1: share(2, 3), Worst: 5, OverMore: 0,
			MissedCrossings: share(2, 39), MissedGuard2: share(1, 39), Late: 0,
		},
	}
	if diff := cmp.Diff(want, s.scores(byCalibrated), near); diff != "" {
		t.Error(diff)
	}
	if got := s.scores(byPrevious).All; got.MissedCrossings != 100 || got.DeltaMedianAPE != 100 || got.Late != 1 {
		t.Errorf("the last recorded count misses every crossing by construction: %+v", got)
	}
}

// A user must be able to tell "no such call" from an error of zero.
func TestScoreOfNothing(t *testing.T) {
	a := (&Samples{}).Accuracy()
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"calls":0`, `"median_ape_pct":null`, `"missed_guard2_pct":null`, `"late_calls":0`, `"gaps":{}`, `"unexplained_gap_share_pct":null`, `"classes":[]`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is missing in %s", want, b)
		}
	}
	var back Accuracy
	if err := json.Unmarshal(b, &back); err != nil || back.Methods.Upper.Clean.Worst.Known() {
		t.Errorf("read back: %v, %+v", err, back.Methods.Upper.Clean)
	}
}

// A script reads these keys; renaming one breaks it.
func TestAccuracyKeys(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	s.result(100)
	s.call(9000, 0)
	b, err := json.Marshal(s.study(t).Samples(nil).Accuracy())
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	score := doc["methods"].(map[string]any)["calibrated"].(map[string]any)["all"].(map[string]any)
	class := doc["classes"].([]any)[0].(map[string]any)
	for _, c := range []struct {
		name string
		got  map[string]any
		want string
	}{
		{"accuracy", doc, "calls predicted_calls clean_calls methods gaps unexplained_gap_share_pct classes"},
		{"methods", doc["methods"].(map[string]any), "naive local previous anchored calibrated upper"},
		{"score", score, "median_ape_pct p95_ape_pct p99_ape_pct bias_pct delta_median_ape_pct delta_p95_ape_pct under_1pct_share_pct worst_under_pct over_median_pct missed_crossings_pct missed_guard2_pct late_calls"},
		{"class", class, "class tokens_share_pct ratio chars_per_token"},
	} {
		want := map[string]bool{}
		for key := range strings.FieldsSeq(c.want) {
			want[key] = true
		}
		got := map[string]bool{}
		for key := range c.got {
			got[key] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if doc["gaps"].(map[string]any)["inferred"] != 1.0 || doc["unexplained_gap_share_pct"] != 100.0 {
		t.Errorf("gaps %v, unexplained %v, want one inferred of one call", doc["gaps"], doc["unexplained_gap_share_pct"])
	}
}

// A user who scores many runs together wants the percentile of all calls, not an average of percentiles, and each
// call once.
func TestSamplesMerge(t *testing.T) {
	one := &Samples{runs: [][]sample{{predicted(1000, 900, 990, true)}}}
	two := &Samples{runs: [][]sample{{predicted(1000, 900, 950, true), predicted(1000, 1000, 800, true)}}}
	one.Merge(two)
	if got := one.Accuracy(); got.Predicted != 3 || got.Methods.Calibrated.All.MedianAPE != 5 || got.Methods.Calibrated.All.P95APE != 20 {
		t.Errorf("%+v", got.Methods.Calibrated.All)
	}
	s := newScript()
	s.person(100)
	s.call(1100, 40, said(40))
	s.person(10)
	s.call(1150, 40, said(40))
	study := s.study(t)
	if a := study.Samples([]bool{true, false}).Accuracy(); a.Calls != 1 || a.Predicted != 1 {
		t.Errorf("%d calls, %d predicted, want the copied one left out", a.Calls, a.Predicted)
	}
}

// A user trusts a counterfactual as far as this residual is small, so it must not be zero by construction.
func TestIdentity(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	s.result(100)
	s.call(1260, 40, toolCall(40)) // 20 more than predicted
	s.result(100)
	s.call(1420, 40, toolCall(40)) // and again
	got := s.study(t).Samples(nil).Identity()
	if got.Calls != 2 || got.AheadMedian <= 0 || got.FreeMedian < got.AheadMedian || got.FreeWorstPct < got.FreePct {
		t.Errorf("%+v, want two calls whose free-running error adds up", got)
	}
}

// A user reads from these how much of a counterfactual the recorded counts support.
func TestShares(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 50, toolCall(40))
	s.result(50)
	s.call(1200, 100, said(50), said(50))
	sh := s.study(t).Shares()
	if diff := cmp.Diff([]float64{100.0 / 3, 100.0 / 3, 100.0 / 3}, []float64{sh.ExactPct, sh.SharedPct, sh.GuessedPct}, near); diff != "" {
		t.Error(diff)
	}
	other := Shares{exact: 300}
	sh.Add(other)
	if math.Abs(sh.ExactPct-100*400.0/600) > 1e-9 {
		t.Errorf("%.2f %% exact after 300 more tokens, want 66.67", sh.ExactPct)
	}
	var none Shares
	none.Add(Shares{})
	if none.ExactPct != 0 {
		t.Errorf("no tokens: %v", none)
	}
}
