package estimate

import (
	"math"

	"perch/formats/transcript"
)

// Accuracy scores estimates that were made before their calls against what was recorded: a row of `perch
// estimate`. Only predicted calls are scored, those that an earlier call anchors; the first call of a run and the
// first one after a compaction are not.
type Accuracy struct {
	Calls     int `json:"calls"`           // with a recorded prompt
	Predicted int `json:"predicted_calls"` // of them, with an anchor
	Clean     int `json:"clean_calls"`     // of them, with nothing but fully logged content since the anchor

	Methods MethodScores `json:"methods"`

	Gaps        map[Cause]int `json:"gaps"`                      // predicted calls more than 500 tokens off, by cause
	Unexplained Figure        `json:"unexplained_gap_share_pct"` // gaps inferred or unknown, of predicted calls

	Classes []ClassScore `json:"classes"` // in a fixed order, those that occur
}

// MethodScores holds the scores of every method.
type MethodScores struct {
	Naive      Scores `json:"naive"`
	Local      Scores `json:"local"`
	Previous   Scores `json:"previous"`
	Anchored   Scores `json:"anchored"`
	Calibrated Scores `json:"calibrated"`
	Upper      Scores `json:"upper"`
}

// Scores are a method's scores over all predicted calls and over the clean ones among them.
type Scores struct {
	All   Score `json:"all"`
	Clean Score `json:"clean"`
}

// Score is how far one method is off over a set of calls. With e = estimate, r = recorded and p = the last recorded
// count before it, an error is e - r and its size in percent is |e - r| / r x 100. Percentiles are nearest-rank.
type Score struct {
	MedianAPE Figure `json:"median_ape_pct"` // median of the error's size
	P95APE    Figure `json:"p95_ape_pct"`    // its 95th percentile
	P99APE    Figure `json:"p99_ape_pct"`    // its 99th percentile
	Bias      Figure `json:"bias_pct"`       // mean of (e - r) / r x 100; below 0: too low

	// The error of the step alone: |d - (r - p)| / |r - p| x 100 over the calls with r != p, where d is what the
	// method says the prompt gained. For methods that start from p that is e - p; for naive and local, which know
	// of no p, the difference of their own two estimates.
	DeltaMedianAPE Figure `json:"delta_median_ape_pct"`
	DeltaP95APE    Figure `json:"delta_p95_ape_pct"`

	Under1   Figure `json:"under_1pct_share_pct"` // share of calls with (r - e) / r over 1 %
	Worst    Figure `json:"worst_under_pct"`      // largest (r - e) / r x 100, at least 0
	OverMore Figure `json:"over_median_pct"`      // median of max(e - r, 0) / r x 100

	// A crossing is a call whose r reaches one of 40 thresholds, evenly spaced from 30 % to 95 % of the run's
	// recorded peak, that the recorded count before it had not reached. It is missed if e stays below the
	// threshold, and missed with a guard band of 2 % if e stays below 98 % of it.
	MissedCrossings Figure `json:"missed_crossings_pct"`
	MissedGuard2    Figure `json:"missed_guard2_pct"`

	// Late is how many calls were sent with r at or above 80 % of their run's recorded peak, a common trigger,
	// while e was below it.
	Late int `json:"late_calls"`
}

// ClassScore is what one content class costs.
type ClassScore struct {
	Class         transcript.Class `json:"class"`
	TokensShare   Figure           `json:"tokens_share_pct"` // of the ledger tokens of all parts
	Ratio         Figure           `json:"ratio"`            // ledger / local tokens of its exact and shared parts
	CharsPerToken Figure           `json:"chars_per_token"`  // characters / ledger tokens of those among them with text
}

// The thresholds of crossings, as shares of a run's recorded peak.
const (
	thresholds       = 40
	lowestThreshold  = 0.30
	highestThreshold = 0.95
	guardBand        = 0.02
	lateThreshold    = 0.80
)

// Accuracy scores the samples.
func (s *Samples) Accuracy() Accuracy {
	a := Accuracy{Gaps: map[Cause]int{}, Classes: s.classScores()}
	unexplained := 0
	for _, run := range s.runs {
		a.Calls += len(run)
		for _, v := range run {
			if !v.predicted {
				continue
			}
			a.Predicted++
			if v.clean {
				a.Clean++
			}
			if v.gap != "" {
				a.Gaps[v.gap]++
			}
			if v.gap == Inferred || v.gap == Unknown {
				unexplained++
			}
		}
	}
	a.Unexplained = share(unexplained, a.Predicted)
	a.Methods = MethodScores{
		Naive: s.scores(byNaive), Local: s.scores(byLocal), Previous: s.scores(byPrevious),
		Anchored: s.scores(byAnchored), Calibrated: s.scores(byCalibrated), Upper: s.scores(byUpper),
	}
	return a
}

// scores scores one method.
func (s *Samples) scores(m method) Scores {
	return Scores{
		All:   s.score(m, func(v *sample) bool { return v.predicted }),
		Clean: s.score(m, func(v *sample) bool { return v.predicted && v.clean }),
	}
}

// score scores one method over the calls of a set.
func (s *Samples) score(m method, in func(*sample) bool) Score {
	var size, signed, step, over []float64
	under, worst, late := 0, 0.0, 0
	var x crossings
	for _, run := range s.runs {
		peak := peakOf(run)
		for i := range run {
			v := &run[i]
			if !in(v) {
				continue
			}
			e, r := float64(v.estimate[m]), float64(v.recorded)
			off := 100 * (e - r) / r
			signed, size = append(signed, off), append(size, math.Abs(off))
			over = append(over, max(off, 0))
			if -off > 1 {
				under++
			}
			worst = max(worst, -off)
			if v.grew != 0 {
				step = append(step, 100*math.Abs(float64(v.step[m])-float64(v.grew))/math.Abs(float64(v.grew)))
			}
			if line := lateThreshold * peak; r >= line && e < line {
				late++
			}
			x.add(r-float64(v.grew), r, e, peak)
		}
	}
	sc := Score{
		MedianAPE: percentile(size, 50), P95APE: percentile(size, 95), P99APE: percentile(size, 99), Bias: mean(signed),
		DeltaMedianAPE: percentile(step, 50), DeltaP95APE: percentile(step, 95),
		Under1: share(under, len(size)), Worst: NA(), OverMore: percentile(over, 50),
		MissedCrossings: share(x.missed, x.n), MissedGuard2: share(x.guarded, x.n), Late: late,
	}
	if len(size) > 0 {
		sc.Worst = Figure(worst)
	}
	return sc
}

// crossings counts thresholds that recorded counts crossed.
type crossings struct{ n, missed, guarded int }

// add takes a call that went from a recorded count to the next one.
func (x *crossings) add(before, recorded, estimate, peak float64) {
	for i := range thresholds {
		line := peak * (lowestThreshold + (highestThreshold-lowestThreshold)*float64(i)/(thresholds-1))
		if before >= line || recorded < line {
			continue
		}
		x.n++
		if estimate < line {
			x.missed++
		}
		if estimate < line*(1-guardBand) {
			x.guarded++
		}
	}
}

// peakOf is a run's largest recorded count.
func peakOf(run []sample) float64 {
	var peak transcript.Recorded
	for i := range run {
		peak = max(peak, run[i].recorded)
	}
	return float64(peak)
}

// classScores scores the classes that occur.
func (s *Samples) classScores() []ClassScore {
	all := 0
	for i := range s.classes {
		all += int(s.classes[i].tokens)
	}
	scores := []ClassScore{}
	for i, class := range transcript.Classes {
		c := &s.classes[i]
		if c.tokens == 0 {
			continue
		}
		sc := ClassScore{Class: class, TokensShare: share(int(c.tokens), all), Ratio: NA(), CharsPerToken: NA()}
		if c.local > 0 {
			sc.Ratio = Figure(float64(c.firm) / float64(c.local))
		}
		if c.billed > 0 {
			sc.CharsPerToken = Figure(float64(c.chars) / float64(c.billed))
		}
		scores = append(scores, sc)
	}
	return scores
}

// Identity is the residual of replaying what the recorded agent itself did: how far the recorded prompts are from
// their price by a ledger that did not know them yet.
type Identity struct {
	Calls        int    `json:"calls"`               // predicted
	AheadMedian  Figure `json:"ahead_median_tokens"` // median of the error one call ahead
	AheadP99     Figure `json:"ahead_p99_pct"`       // 99th percentile of the same, in percent of the prompt
	FreeMedian   Figure `json:"free_median_tokens"`  // median of the error without re-anchoring since the last recorded change
	FreePct      Figure `json:"free_median_pct"`     // median of the same in percent of the prompt
	FreeWorstPct Figure `json:"free_worst_pct"`      // largest of the same
	Unexplained  int    `json:"unexplained_gaps"`    // gaps inferred or unknown
}

// Identity measures the samples' residuals.
func (s *Samples) Identity() Identity {
	var ahead, aheadPct, free, freePct []float64
	id := Identity{}
	for _, run := range s.runs {
		for i := range run {
			v := &run[i]
			if !v.predicted {
				continue
			}
			id.Calls++
			if v.gap == Inferred || v.gap == Unknown {
				id.Unexplained++
			}
			a, f, r := math.Abs(float64(v.residual)), math.Abs(float64(v.free)), float64(v.recorded)
			ahead, aheadPct = append(ahead, a), append(aheadPct, 100*a/r)
			free, freePct = append(free, f), append(freePct, 100*f/r)
		}
	}
	id.AheadMedian, id.AheadP99 = percentile(ahead, 50), percentile(aheadPct, 99)
	id.FreeMedian, id.FreePct = percentile(free, 50), percentile(freePct, 50)
	id.FreeWorstPct = percentile(freePct, 100)
	return id
}
