package replay_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
	"perch/pipeline"
	"perch/replay"
)

// On real recordings every guarantee of the tables holds: a run that passes its limit after enforce without anyone
// having named unrecorded growth or an impossible prompt would be a wrong number in a post-mortem.
func TestCorpusKeepsTheGuarantees(t *testing.T) {
	for _, folder := range []string{"claude-code", "claude-code-2026"} {
		t.Run(folder, func(t *testing.T) {
			for _, tr := range corpus(t, folder) {
				for _, limit := range []int{0, 200_000, 96_000} {
					for _, from := range []replay.From{replay.Segments, replay.Raw} {
						if from == replay.Raw && tr.BeginsAtBoundary() {
							continue
						}
						cfg := defaults(t)
						cfg.From = from
						if limit > 0 {
							cfg.Limit = transcript.Limit{Tokens: limit, Kind: transcript.Window, From: transcript.FromFlag}
						}
						guarantees(t, fmt.Sprintf("%s %s at %d", tr.Source, from, limit), run(t, tr, cfg))
					}
				}
			}
		})
	}
}

// guarantees checks one run.
func guarantees(t *testing.T, name string, res *replay.Result) {
	t.Helper()
	impossible := 0
	for _, c := range res.Timeline {
		enforce := c.Outcomes[len(c.Outcomes)-1]
		if enforce.Impossible != "" {
			impossible++
		} else if c.Sent > res.H {
			t.Errorf("%s #%d: sent %d by the estimate, over the input limit of %d, and nobody said impossible", name, c.Call, c.Sent, res.H)
		}
		for _, o := range c.Outcomes {
			if o.Fired() && o.After > o.Before {
				t.Errorf("%s #%d %s: the prompt grew by %d", name, c.Call, o.Step, o.After-o.Before)
			}
		}
	}
	if impossible != res.Impossible {
		t.Errorf("%s: %d impossible calls in the timeline, %d in the sums", name, impossible, res.Impossible)
	}
	if res.FirstDivergence == 0 && int(res.PromptReplayed.N) != int(res.PromptRecorded.N) {
		t.Errorf("%s: never diverges, and replays %d tokens for %d", name, res.PromptReplayed.N, res.PromptRecorded.N)
	}
}

// The compactions of the recordings stand at their place, with the prompts before and after them: an audit that
// misplaces one blames the wrong call. The expected rows were read off the files without perch.
func TestCorpusCompactionsAreAtTheirPlace(t *testing.T) {
	for folder, want := range map[string][]string{
		"claude-code":      claudeCodeChanges,
		"claude-code-2026": claudeCode2026Changes,
	} {
		t.Run(folder, func(t *testing.T) {
			cfg := defaults(t)
			cfg.Pipeline = pipeline.Pipeline{}
			var got []string
			for _, tr := range corpus(t, folder) {
				if tr.Thread != "main" {
					continue
				}
				for _, c := range run(t, tr, cfg).Changes {
					if c.Kind == "compact" || c.Kind == "clear" {
						got = append(got, fmt.Sprintf("%d %s %s %d %d", c.Line, c.Kind, c.Trigger, c.Before.Or(0), c.After.Or(0)))
					}
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("line, kind, trigger, prompt before, prompt after (-recordings +perch):\n%s", diff)
			}
		})
	}
}

var claudeCodeChanges = []string{
	"21 compact auto 0 10",
	"462 compact manual 121187 64715", "297 compact manual 132151 64236", "563 compact manual 119458 60750",
	"761 compact auto 167072 58210", "884 compact auto 166919 53921", "1307 compact auto 166748 61434",
	"397 clear auto 147416 112374", "310 compact auto 167895 51665", "1088 compact manual 149310 43265",
	"161 clear auto 135975 108220", "349 compact manual 165728 62755", "215 clear auto 135211 109852",
	"352 clear auto 151283 126038", "483 compact auto 154505 34866", "426 compact auto 155153 44664",
	"767 compact auto 155412 51805", "360 compact auto 155637 61891", "701 compact auto 155034 57014",
	"347 compact auto 156579 40674", "640 compact auto 154390 38700", "253 compact auto 155100 68294",
	"230 compact auto 154445 66549", "517 compact auto 155023 60458", "871 compact auto 154666 59943",
	"427 compact auto 153623 47356", "907 compact auto 155059 55266", "576 compact auto 166548 51732",
	"51 compact [trimmed for fixture] 10 0",
}

var claudeCode2026Changes = []string{
	"6 compact auto 0 69313", "5 compact auto 0 69313", "543 compact manual 296331 66107",
}

// The totals are those two public tools agree on, to the token; forked sessions count once.
func TestCorpusTotals(t *testing.T) {
	for folder, want := range map[string]replay.UsageTotals{
		"claude-code":      {Calls: 4041, Input: 115_292, Output: 556_367, CacheRead: 389_274_143, CacheWrite: 16_067_838},
		"claude-code-2026": {Calls: 2395, Input: 70_613, Output: 1_666_415, CacheRead: 536_532_989, CacheWrite: 10_544_263},
	} {
		t.Run(folder, func(t *testing.T) {
			ts := corpus(t, folder)
			seq := func(yield func(*transcript.Transcript, error) bool) {
				for _, tr := range ts {
					if !yield(tr, nil) {
						return
					}
				}
			}
			cfg := defaults(t)
			cfg.Timeline = false
			var all []*replay.Result
			for res, err := range replay.All(t.Context(), seq, cfg, 4) {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, res)
			}
			total, nested := replay.Sum(all)
			if diff := cmp.Diff(want, total.Usage); diff != "" {
				t.Errorf("totals (-public tools +perch):\n%s", diff)
			}
			if folder == "claude-code" && (nested.Usage.CacheRead != 412_160_814-389_274_143 || nested.Usage.Input != 171_424-115_292) {
				t.Errorf("calls nested in progress records: %+v", nested.Usage)
			}
		})
	}
}
