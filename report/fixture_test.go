package report

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/estimate"
	"perch/formats/transcript"
	"perch/pipeline"
	"perch/replay"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file of testdata, or rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", name, diff)
	}
}

// settings are those of the runs below.
func settings() ReplaySettings {
	return ReplaySettings{Pipeline: "perch", Counter: "o200k", From: replay.Segments}
}

// runs are four results as a replay could have made them: one with everything, one that only pruned, one without
// any recorded usage, and a thread recorded inside another.
func runs() []*replay.Result {
	return []*replay.Result{longRun(), browserRun(), uncountedRun(), nestedRun()}
}

// own copies the sums of a run that holds no copied calls.
func own(r *replay.Result) *replay.Result {
	r.Own = r.Sums
	r.Accuracy = noFigures()
	if r.Calls == 258 {
		r.Accuracy = accuracy()
	}
	return r
}

func headroom(n transcript.Ledger) *transcript.Ledger { return &n }

// step is what one step did.
func step(id, use string, fired int, freed transcript.Ledger, first int, skipped map[pipeline.SkipReason]int) replay.StepTotal {
	return replay.StepTotal{
		ID: id, Use: use, Ran: fired, Fired: fired, FreedTokens: freed, FreedEstimated: transcript.Estimated(freed + freed/50),
		FirstCall: first, Parts: 3 * fired, Skipped: skipped,
	}
}

func longRun() *replay.Result {
	return own(&replay.Result{
		Source: "runs/review/a1b2c3d4.jsonl", Thread: "main", Agent: "claude-code", Model: "claude-opus-4-5", From: replay.Segments,
		Limit: transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromTable}, Guessed: true, H: 180_000, Trigger: 144_000, Target: 108_000,
		Sums: replay.Sums{
			Calls: 258,
			Steps: []replay.StepTotal{
				step("prune", "prune", 0, 0, 0, map[pipeline.SkipReason]int{pipeline.NothingEligible: 258}),
				step("micro", "microcompact", 5, 182_410, 118, map[pipeline.SkipReason]int{pipeline.UnderTrigger: 249, pipeline.MinFreed: 4}),
				step("summarize", "summarize", 1, 88_010, 203, map[pipeline.SkipReason]int{pipeline.UnderTrigger: 252, pipeline.NotRearmed: 5}),
				step("enforce", "enforce", 0, 0, 0, map[pipeline.SkipReason]int{pipeline.UnderTrigger: 258}),
			},
			NaiveOverflows: 78, PeakRecorded: total[transcript.Recorded](166_919), PeakReplayed: total[transcript.Ledger](143_349), MinHeadroom: headroom(36_651), OverHalf: 120, Over80: 3,
			PromptRecorded: total[transcript.Recorded](24_812_009), PromptReplayed: total[transcript.Ledger](21_004_112), CostRecorded: total[int64](4_120_345), CostReplayed: total[int64](3_626_001), CacheBreaks: 6,
			SummarizerTokens: 96_442,
		},
		Summaries: []replay.Summary{{
			Call: 203, Line: 1_410, Freed: 88_010, Messages: 143, SummarizedTokens: 92_226, SummaryTokens: 4_216,
			KeptMessages: 31, KeptTokens: 19_870, Simulated: true, Folded: true,
		}},
		Changes: []replay.RecordedChange{
			{Call: 131, Line: 902, Kind: "compact", Trigger: "auto", Before: transcript.Of(166_919), After: transcript.Of(51_702)},
			{Call: 131, Line: 902, Kind: "fall", Trigger: "boundary", Before: transcript.Of(166_919), After: transcript.Of(51_702)},
			{Call: 150, Line: 1_002, Kind: "fall", Trigger: "silent clear", Before: transcript.Of(60_000), After: transcript.Of(61_000)},
			{Call: 170, Line: 1_202, Kind: "fall", Trigger: "silent clear", Before: transcript.Of(90_000), After: transcript.Of(71_000)},
			{Call: 190, Line: 1_330, Kind: "rewind"},
			{Call: 224, Line: 1_602, Kind: "compact", Trigger: "auto", Before: transcript.Of(155_108), After: transcript.Of(40_377)},
		},
		FirstDivergence: 118,
		Shares:          estimate.Shares{ExactPct: 61, SharedPct: 36, GuessedPct: 3},
		Warnings:        []transcript.Warning{{Line: 77, Message: "not JSON, skipped"}, {Line: 78, Message: "not JSON, skipped"}},
		Timeline: []replay.CallResult{
			{Call: 117, Line: 830, Recorded: transcript.Of(143_002), Naive: 71_200, Estimated: 143_100, Sent: 143_100, Ledger: 143_002, Headroom: 36_998, CacheKept: 142_000},
			{
				Call: 118, Line: 838, Recorded: transcript.Of(147_950), Naive: 73_020, Estimated: 148_120, Sent: 101_030, Ledger: 101_300, Headroom: 78_700, CacheKept: 38_000,
				Outcomes: []replay.StepOutcome{{Outcome: pipeline.Outcome{Step: "micro", Ran: true, Edits: []pipeline.Edit{{}}}, Freed: 46_650}},
			},
			{Call: 131, Line: 902, Naive: 80_000, Estimated: 181_000, Sent: 181_000, Ledger: 201_000, Headroom: -21_000, Overflow: true},
		},
	})
}

func browserRun() *replay.Result {
	return own(&replay.Result{
		Source: "runs/review/browse|r\x1b[31m.jsonl", Thread: "main", Agent: "codex", Model: "gpt-5.4", From: replay.Segments,
		Limit: transcript.Limit{Tokens: 258_400, Kind: transcript.Input, From: transcript.FromRecord}, H: 258_400, Trigger: 206_720, Target: 155_040,
		Sums: replay.Sums{
			Calls: 89,
			Steps: []replay.StepTotal{
				step("prune", "prune", 23, 121_400, 4, map[pipeline.SkipReason]int{pipeline.NothingEligible: 66}),
				step("micro", "microcompact", 0, 0, 0, map[pipeline.SkipReason]int{pipeline.UnderTrigger: 89}),
				step("summarize", "summarize", 0, 0, 0, map[pipeline.SkipReason]int{pipeline.UnderTrigger: 89}),
				step("enforce", "enforce", 0, 0, 0, map[pipeline.SkipReason]int{pipeline.UnderTrigger: 89}),
			},
			Overflows: 2, UnrecordedGrowth: 30_417, PeakRecorded: total[transcript.Recorded](98_340), PeakReplayed: total[transcript.Ledger](77_105), MinHeadroom: headroom(181_295),
			PromptRecorded: total[transcript.Recorded](4_812_009), PromptReplayed: total[transcript.Ledger](4_004_112), CostRecorded: total[int64](420_345), CostReplayed: total[int64](432_001), CacheBreaks: 9,
		},
		FirstDivergence: 4, Copied: 11, CopiesOf: []string{"runs/review/a1b2c3d4.jsonl"},
		Shares: estimate.Shares{ExactPct: 80, SharedPct: 20},
	})
}

func uncountedRun() *replay.Result {
	return own(&replay.Result{
		Source: "runs/=cmd.jsonl", Thread: "main", Agent: "mini-swe-agent", From: replay.Segments,
		Limit: transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromFallback}, Guessed: true, H: 180_000, Trigger: 144_000, Target: 108_000,
		Sums: replay.Sums{Steps: []replay.StepTotal{
			step("prune", "prune", 0, 0, 0, nil), step("micro", "microcompact", 0, 0, 0, nil),
			step("summarize", "summarize", 0, 0, 0, nil), step("enforce", "enforce", 0, 0, 0, nil),
		}},
	})
}

func nestedRun() *replay.Result {
	r := browserRun()
	r.Source, r.Thread, r.Nested, r.Agent = "runs/review/a1b2c3d4.jsonl", "agent-07", true, "claude-code"
	r.Limit, r.Changes = transcript.Limit{Tokens: 1_000_000, Kind: transcript.Window, From: transcript.FromFlag}, nil
	return own(r)
}

// accuracy is a run's accuracy as a study could have found it.
func accuracy() estimate.Accuracy {
	score := func(median estimate.Figure, late int) estimate.Scores {
		all := estimate.Score{
			MedianAPE: median, P95APE: 3 * median, P99APE: 5 * median, Bias: -median, DeltaMedianAPE: 20 * median, DeltaP95APE: 80 * median,
			Under1: median / 2, Worst: 6 * median, OverMore: 0, MissedCrossings: median / 3, MissedGuard2: median / 9, Late: late,
		}
		clean := all
		clean.DeltaMedianAPE = estimate.NA()
		return estimate.Scores{All: all, Clean: clean}
	}
	return estimate.Accuracy{
		Calls: 258, Predicted: 251, Clean: 190,
		Methods: estimate.MethodScores{
			Naive: score(50.6, 78), Local: score(44.1, 61), Previous: score(0.81, 9), Anchored: score(0.05, 1), Calibrated: score(0.02, 1), Upper: score(0.11, 0),
		},
		Gaps: map[estimate.Cause]int{estimate.Boundary: 2, "an injected record": 7, estimate.Unknown: 2}, Unexplained: 0.8,
		Classes: []estimate.ClassScore{
			{Class: transcript.Prose, TokensShare: 31.4, Ratio: 1.19, CharsPerToken: 3.6}, {Class: transcript.Picture, TokensShare: 4, Ratio: 1, CharsPerToken: estimate.NA()},
		},
	}
}

// estimateTotals are the totals of runs of which one could be scored.
func estimateTotals() *EstimateTotals {
	return &EstimateTotals{Runs: 3, Accuracy: accuracy(), Identity: estimate.Identity{Calls: 251, AheadMedian: 12, AheadP99: 0.4, FreeMedian: 300, FreePct: 0.31, FreeWorstPct: 2.44}}
}

// noFigures is the accuracy of a run without a predicted call.
func noFigures() estimate.Accuracy { return (&estimate.Samples{}).Accuracy() }

// total is a sum that exists.
func total[T ~int | ~int64](n T) replay.Total[T] { return replay.Total[T]{N: n, Known: true} }
