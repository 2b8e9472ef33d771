package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/estimate"
	"perch/estimate/models"
	"perch/formats/transcript"
	"perch/pipeline"
	"perch/replay"
)

// defaults is the default pipeline on a fast counter.
func defaults(t *testing.T) replay.Config {
	t.Helper()
	counter, err := estimate.NewCounter("chars/4")
	if err != nil {
		t.Fatal(err)
	}
	return replay.Config{
		Pipeline: pipeline.Default(), Budget: pipeline.DefaultBudget(), From: replay.Segments,
		Counter: counter, Models: models.Default(), Timeline: true,
	}
}

// run replays or fails.
func run(t *testing.T, tr *transcript.Transcript, cfg replay.Config) *replay.Result {
	t.Helper()
	res, err := replay.Run(context.Background(), tr, nil, cfg)
	if err != nil {
		t.Fatalf("%s: %v", tr.Source, err)
	}
	return res
}

// Without steps the replay is the recording: a user could not trust any counterfactual if this were off by a token.
func TestNoStepsReproducesTheRecording(t *testing.T) {
	cfg := defaults(t)
	cfg.Pipeline = pipeline.Pipeline{}
	for _, tr := range runs(t) {
		res := run(t, tr, cfg)
		for _, c := range res.Timeline {
			if c.Recorded.Known() && int(c.Ledger) != int(c.Recorded.N) {
				t.Errorf("%s #%d: ledger %d, recorded %d", tr.Source, c.Call, c.Ledger, c.Recorded.N)
			}
		}
		if res.FirstDivergence != 0 || res.CostReplayed != res.CostRecorded || int(res.PromptReplayed.N) != int(res.PromptRecorded.N) {
			t.Errorf("%s: diverges at %d, cost %d and %d, prompts %d and %d", tr.Source, res.FirstDivergence,
				res.CostReplayed.N, res.CostRecorded.N, res.PromptReplayed.N, res.PromptRecorded.N)
		}
	}
}

// Before the first divergence the simulated provider reports what was recorded, and the decision meter says what
// the study said before the call: an estimate that knew more than a live agent would make every table a lie.
func TestUndivergedNumbersAreTheRecordings(t *testing.T) {
	for _, tr := range runs(t) {
		res := run(t, tr, defaults(t))
		for _, c := range res.Timeline {
			if res.FirstDivergence != 0 && c.Call >= res.FirstDivergence {
				break
			}
			if c.Recorded.Known() && int(c.Ledger) != int(c.Recorded.N) {
				t.Errorf("%s #%d: ledger %d, recorded %d", tr.Source, c.Call, c.Ledger, c.Recorded.N)
			}
		}
	}
}

// What a step freed is what the prompt cost before it less what it cost after it, in each meter, to the token.
func TestFreedIsBeforeMinusAfter(t *testing.T) {
	cfg := tight(t)
	fired := 0
	for _, tr := range runs(t) {
		res := run(t, tr, cfg)
		var sums []transcript.Ledger
		for _, c := range res.Timeline {
			e := c.Estimated
			for _, o := range c.Outcomes {
				if o.Before != e {
					t.Errorf("%s #%d %s: before %d, the step before left %d", tr.Source, c.Call, o.Step, o.Before, e)
				}
				e = o.After
				if !o.Fired() && (o.Before != o.After || o.Freed != 0) {
					t.Errorf("%s #%d %s: did nothing and freed %d estimated, %d ledger", tr.Source, c.Call, o.Step, o.Before-o.After, o.Freed)
				}
				if o.Fired() {
					fired++
				}
			}
			if e != c.Sent {
				t.Errorf("%s #%d: steps leave %d, sent %d", tr.Source, c.Call, e, c.Sent)
			}
		}
		for _, s := range res.Steps {
			sums = append(sums, s.FreedTokens)
		}
		if plain(tr) && len(res.Timeline) > 0 {
			last := res.Timeline[len(res.Timeline)-1]
			var freed transcript.Ledger
			for _, n := range sums {
				freed += n
			}
			if got := transcript.Ledger(last.Recorded.N) - last.Ledger; last.Recorded.Known() && got != freed {
				t.Errorf("%s: the last prompt is %d tokens under the recorded one, the steps freed %d", tr.Source, got, freed)
			}
		}
	}
	if fired == 0 {
		t.Error("no step fired: the test shows nothing")
	}
}

// tight is the default pipeline on a limit that every longer run reaches.
func tight(t *testing.T) replay.Config {
	cfg := defaults(t)
	cfg.From = replay.Raw
	cfg.Limit = transcript.Limit{Tokens: 64_000, Kind: transcript.Window, From: transcript.FromFlag}
	return cfg
}

// plain reports whether nothing but appends happened to a run.
func plain(tr *transcript.Transcript) bool { return len(tr.Changes) == 0 }

// Two runs that are the same up to a call have the same decisions up to it: a replay that looks ahead would promise
// what no live agent can keep.
func TestNoLookAhead(t *testing.T) {
	for _, tr := range runs(t) {
		whole := run(t, tr, tightSegments(t))
		for _, share := range []int{3, 2} {
			cut := upTo(tr, len(tr.Calls)/share)
			if cut == nil {
				continue
			}
			part := run(t, cut, tightSegments(t))
			n := min(len(part.Timeline), len(whole.Timeline))
			for i := range n {
				a, b := whole.Timeline[i], part.Timeline[i]
				if a.Estimated != b.Estimated || a.Sent != b.Sent {
					t.Errorf("%s #%d: estimates %d and %d, sent %d and %d: the future changed them",
						tr.Source, a.Call, a.Estimated, b.Estimated, a.Sent, b.Sent)
					break
				}
			}
		}
	}
}

// tightSegments is tight from segments, so that files that begin at a boundary replay too.
func tightSegments(t *testing.T) replay.Config {
	t.Helper()
	cfg := tight(t)
	cfg.From = replay.Segments
	return cfg
}

// upTo is a transcript as it stood when its n-th call had been answered.
func upTo(tr *transcript.Transcript, n int) *transcript.Transcript {
	if n == 0 || n >= len(tr.Calls) {
		return nil
	}
	c := *tr
	end := max(tr.Calls[n-1].Reply.To, tr.Calls[n-1].At)
	c.Messages, c.Calls, c.Changes = tr.Messages[:end], tr.Calls[:n], nil
	for _, x := range tr.Changes {
		if x.At > tr.Calls[n-1].At {
			break
		}
		c.Changes = append(c.Changes, x)
	}
	return &c
}

// The same input gives the same bytes with any number of workers: CI could not compare results otherwise.
func TestWorkersDoNotChangeResults(t *testing.T) {
	ts := runs(t)
	seq := func(yield func(*transcript.Transcript, error) bool) {
		for _, tr := range ts {
			if !yield(tr, nil) {
				return
			}
		}
	}
	var one, eight []byte
	for _, workers := range []int{1, 8} {
		var all []*replay.Result
		for res, err := range replay.All(context.Background(), seq, tightSegments(t), workers) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, res)
		}
		b, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		if workers == 1 {
			one = b
		} else {
			eight = b
		}
	}
	if diff := cmp.Diff(string(one), string(eight)); diff != "" {
		t.Errorf("1 and 8 workers differ:\n%s", diff)
	}
}

// A run whose history is not in the file cannot be replayed as if it had never been compacted.
func TestRawRefusesARunThatBeginsAtABoundary(t *testing.T) {
	tr := &transcript.Transcript{
		Source:   "late.jsonl",
		Messages: []transcript.Message{{Role: transcript.User, Origin: transcript.Compaction, Parts: []transcript.Part{{Kind: transcript.Summary, Text: "so far"}}}},
		Changes:  []transcript.Change{{Kind: transcript.Compact, Prompt: []transcript.Span{{From: 0, To: 1}}}},
	}
	cfg := defaults(t)
	cfg.From = replay.Raw
	_, err := replay.Run(context.Background(), tr, nil, cfg)
	if refused := (replay.Refused{}); !errors.As(err, &refused) || refused.Source != "late.jsonl" {
		t.Errorf("got %v, want a refusal that names the file", err)
	}
}

// twice replays a run and a copy of it.
func twice(t *testing.T, tr *transcript.Transcript, cfg replay.Config) []*replay.Result {
	t.Helper()
	seq := func(yield func(*transcript.Transcript, error) bool) {
		again := *tr
		again.Source = "copy of " + tr.Source
		_ = yield(tr, nil) && yield(&again, nil)
	}
	var all []*replay.Result
	for res, err := range replay.All(context.Background(), seq, cfg, 2) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, res)
	}
	return all
}

// Whoever knows that equal calls are no copies can have them all in the totals; the files are named all the same.
func TestKeptDuplicatesAreCounted(t *testing.T) {
	tr := runs(t)[0]
	cfg := defaults(t)
	cfg.KeepDuplicates = true
	all := twice(t, tr, cfg)
	total, _ := replay.Sum(all)
	if total.Calls != 2*all[0].Calls || total.Copied != 0 || total.Usage.Calls != 2*all[0].Usage.Calls {
		t.Errorf("%d calls in total, %d with usage, %d left out; one run has %d and %d", total.Calls, total.Usage.Calls, total.Copied, all[0].Calls, all[0].Usage.Calls)
	}
	if diff := cmp.Diff([]string{tr.Source}, all[1].CopiesOf); diff != "" {
		t.Errorf("the copy must name its original:\n%s", diff)
	}
}

// A call that two files hold is billed once: totals of forked sessions would be twice too high otherwise.
func TestCopiedCallsAreCountedOnce(t *testing.T) {
	tr := runs(t)[0]
	all := twice(t, tr, defaults(t))
	total, _ := replay.Sum(all)
	if diff := cmp.Diff(all[0].Usage, total.Usage); diff != "" {
		t.Errorf("totals of a run and its copy (-run +total):\n%s", diff)
	}
	if total.Calls != all[0].Calls || total.Copied != all[0].Usage.Calls {
		t.Errorf("%d calls in total and %d copies, want %d and %d", total.Calls, total.Copied, all[0].Calls, all[0].Usage.Calls)
	}
	if diff := cmp.Diff([]string{tr.Source}, all[1].CopiesOf); diff != "" {
		t.Errorf("the copy must name its original:\n%s", diff)
	}
}

// What the recorded agent cleared is cleared in the replay too, and what we cleared before stays so: a body that came
// back would be freed, and counted, twice.
func TestRecordedClearsKeepOurs(t *testing.T) {
	cfg := tightSegments(t)
	cfg.Limit.Tokens = 120_000
	seen := 0
	for _, tr := range runs(t) {
		res := run(t, tr, cfg)
		for _, c := range res.Changes {
			if c.Kind != "clear" || c.Call < 2 {
				continue
			}
			seen++
			before, after := res.Timeline[c.Call-2], res.Timeline[c.Call-1]
			if before.Recorded.N <= transcript.Recorded(before.Ledger) {
				t.Errorf("%s #%d: nothing was cleared before the recorded clear: the test shows nothing", tr.Source, before.Call)
			}
			if after.Ledger > before.Ledger+10_000 {
				t.Errorf("%s #%d: the replayed prompt rose from %d to %d at a recorded clear", tr.Source, c.Call, before.Ledger, after.Ledger)
			}
		}
	}
	if seen == 0 {
		t.Error("no recorded clear: the test shows nothing")
	}
}

// A summary is new text in the middle of the prompt: neither it nor what stands behind it can be read from the cache,
// the second time as little as the first. A user would take summarizing for cheap otherwise.
func TestSummariesBreakTheCache(t *testing.T) {
	most := 0
	for _, tr := range runs(t) {
		res := run(t, tr, tight(t))
		most = max(most, len(res.Summaries))
		for _, s := range res.Summaries {
			c := res.Timeline[s.Call-1]
			if room := c.Ledger - s.SummaryTokens - s.KeptTokens; c.CacheKept > room {
				t.Errorf("%s #%d: %d of %d tokens read from the cache, but only %d stand in front of the summary", tr.Source, s.Call, c.CacheKept, c.Ledger, room)
			}
			if c.Sent < 0 || c.Estimated < 0 {
				t.Errorf("%s #%d: estimates of %d and %d tokens", tr.Source, s.Call, c.Estimated, c.Sent)
			}
		}
	}
	if most < 2 {
		t.Errorf("at most %d summaries in a run: the test shows nothing of a second one", most)
	}
}

// A request the provider refused was over the limit in every lane that holds the same prompt.
func TestRefusedRequestsOverflow(t *testing.T) {
	cfg := defaults(t)
	cfg.Pipeline = pipeline.Pipeline{}
	seen := 0
	for _, tr := range runs(t) {
		res := run(t, tr, cfg)
		seen += res.RecordedOverflows
		if res.Overflows != res.RecordedOverflows || res.NaiveOverflows != res.RecordedOverflows {
			t.Errorf("%s: %d recorded overflows, %d and %d of the same prompts", tr.Source, res.RecordedOverflows, res.Overflows, res.NaiveOverflows)
		}
	}
	if seen == 0 {
		t.Error("no recorded overflow: the test shows nothing")
	}
}
