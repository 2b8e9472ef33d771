package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"perch/estimate"
	"perch/formats/transcript"
	"perch/replay"
)

// EstimateRun is a run's entry of `perch estimate --output json`.
type EstimateRun struct {
	Source string `json:"source"`
	Thread string `json:"thread"`
	ID     string `json:"id"`
	Format string `json:"format"`
	Agent  string `json:"agent"`
	Model  string `json:"model"`
	Nested bool   `json:"nested,omitempty"`

	estimate.Accuracy
	Overhead replay.Total[transcript.Ledger] `json:"overhead_tokens"`
	Identity estimate.Identity               `json:"identity"`
	Usage    replay.UsageTotals              `json:"usage"`
}

// EstimateTotals scores all runs together, nested threads apart.
type EstimateTotals struct {
	Runs int `json:"runs"`
	estimate.Accuracy
	Identity estimate.Identity  `json:"identity"`
	Usage    replay.UsageTotals `json:"usage"`
}

// EstimateRuns takes the accuracy out of replayed runs.
func EstimateRuns(runs []*replay.Result) []EstimateRun {
	out := make([]EstimateRun, len(runs))
	for i, r := range runs {
		out[i] = EstimateRun{
			Source: r.Source, Thread: r.Thread, ID: r.ID, Format: r.Format, Agent: r.Agent, Model: r.Model, Nested: r.Nested,
			Accuracy: r.Accuracy, Overhead: r.Overhead, Identity: r.Identity, Usage: r.Usage,
		}
	}
	return out
}

// EstimateTotal scores all runs together. Percentiles are taken anew over all calls, never averaged.
func EstimateTotal(runs []*replay.Result) EstimateTotals {
	all := merged(runs)
	total, _ := replay.Sum(runs)
	return EstimateTotals{Runs: total.Runs, Accuracy: all.Accuracy(), Identity: all.Identity(), Usage: total.Usage}
}

// merged gathers the samples of all runs that count in totals.
func merged(runs []*replay.Result) *estimate.Samples {
	all := &estimate.Samples{}
	for _, r := range runs {
		if !r.Nested && r.Samples != nil {
			all.Merge(r.Samples)
		}
	}
	return all
}

// methodName is a way to estimate, with what it is.
type methodName struct {
	name, meaning string
	of            func(*estimate.MethodScores) *estimate.Scores
}

// methodNames are the methods in the order in which they are shown.
var methodNames = [...]methodName{
	{"naive", "characters / 4 of the visible prompt", func(m *estimate.MethodScores) *estimate.Scores { return &m.Naive }},
	{"local", "the counter's tokens of the visible prompt", func(m *estimate.MethodScores) *estimate.Scores { return &m.Local }},
	{"previous", "the last recorded count", func(m *estimate.MethodScores) *estimate.Scores { return &m.Previous }},
	{"anchored", "the last recorded count + characters / 4 of what is new", func(m *estimate.MethodScores) *estimate.Scores { return &m.Anchored }},
	{"calibrated", "the last recorded count + what is new at ratios learnt in the run", func(m *estimate.MethodScores) *estimate.Scores { return &m.Calibrated }},
	{"upper", "the same, kept on the safe side: what a trigger uses", func(m *estimate.MethodScores) *estimate.Scores { return &m.Upper }},
}

// scoreColumns are the columns of one method's scores; their order is that of [scoreCells].
func scoreColumns() []Column {
	return []Column{
		Number("error", "median", "median_ape_pct").Claims(Exact),
		Number("error", "p95", "p95_ape_pct").Ranked(3).Claims(Exact),
		Number("error", "p99", "p99_ape_pct").Claims(Exact),
		Number("bias", "mean", "bias_pct").Ranked(2).Claims(Exact),
		Number("step error", "median", "delta_median_ape_pct").Ranked(4).Claims(Exact),
		Number("step error", "p95", "delta_p95_ape_pct").Ranked(6).Claims(Exact),
		Number("too low", "by > 1 %", "under_1pct_share_pct").Ranked(1).Claims(Exact),
		Number("too low", "worst", "worst_under_pct").Claims(Exact),
		Number("too high", "median", "over_median_pct").Ranked(7).Claims(Exact),
		Number("missed", "crossings", "missed_crossings_pct").Ranked(3).Claims(Exact),
		Number("missed", "by > 2 %", "missed_guard2_pct").Ranked(5).Claims(Exact),
		Number("late", "calls", "late_calls").Claims(Exact),
	}
}

// scoreCells fills them.
func scoreCells(s *estimate.Score) []Cell {
	pct := func(f estimate.Figure) Cell { return One(figure(f, 2)) }
	return []Cell{
		pct(s.MedianAPE), pct(s.P95APE), pct(s.P99APE), One(figure(s.Bias, 2).Signed()), pct(s.DeltaMedianAPE), pct(s.DeltaP95APE),
		pct(s.Under1), pct(s.Worst), pct(s.OverMore), pct(s.MissedCrossings), pct(s.MissedGuard2), late(s),
	}
}

// late is how many calls would have triggered late; of no calls that is not known.
func late(s *estimate.Score) Cell {
	if !s.MedianAPE.Known() {
		return One(NA())
	}
	return One(Int(s.Late))
}

// figure is a percentage that may not exist.
func figure(f estimate.Figure, digits int) Value {
	if !f.Known() {
		return NA()
	}
	return Percent(float64(f), digits)
}

// Estimate draws how far each way to estimate was from the recorded counts, over all runs together.
func Estimate(total *EstimateTotals, counter string) Table {
	t := Table{
		Title: fmt.Sprintf("How far estimates made before each call were from the recorded prompt: %s, %s, %s predicted, counter %s",
			several(total.Runs, "run"), several(total.Calls, "recorded call"), Grouped(total.Predicted), counter),
		Columns: append([]Column{Name("method", "method").Shown(Always)}, scoreColumns()...),
	}
	if total.Predicted == 0 {
		t.Notes = []Note{{Warn: true, Text: "no call can be scored: that takes two calls with a recorded prompt size in one run"}}
		return t
	}
	for _, m := range methodNames {
		t.Rows = append(t.Rows, append([]Cell{One(Words(m.name))}, scoreCells(&m.of(&total.Methods).All)...))
		t.Notes = append(t.Notes, Note{Label: m.name, Text: m.meaning})
	}
	t.Notes = append(t.Notes,
		Note{Label: "predicted", Text: "calls an earlier one anchors; the first of a run and the first after a compaction are not scored"},
		Note{Label: "step error", Text: "of what a call added alone; most of a prompt is known from the call before, which flatters the error of the whole"},
		Note{Label: "missed", Text: "calls that passed a threshold while the estimate was still below it, of all that passed one"},
		Note{Label: "late", Text: "calls sent above 80 % of their run's peak while the estimate was below it: where a trigger there would have come late"},
		Note{Label: "gaps", Text: gapWords(&total.Accuracy)},
		Note{Label: "identity", Text: "replaying the recording itself is off by " + identityWords(total.Identity)})
	t.Notes = append(t.Notes, claimNotes(&t)...)
	return t
}

// gapWords lists why estimates were more than 500 tokens off.
func gapWords(a *estimate.Accuracy) string {
	n := 0
	causes := slices.Collect(maps.Keys(a.Gaps))
	slices.SortFunc(causes, func(x, y estimate.Cause) int {
		return cmp.Or(cmp.Compare(a.Gaps[y], a.Gaps[x]), cmp.Compare(x, y))
	})
	words := make([]string, len(causes))
	for i, c := range causes {
		n += a.Gaps[c]
		words[i] = fmt.Sprintf("%s %d", c, a.Gaps[c])
	}
	text := fmt.Sprintf("%s more than 500 tokens off", several(n, "call"))
	if n > 0 {
		text += ": " + strings.Join(words, ", ")
	}
	return text + fmt.Sprintf("; unexplained: %s of the predicted calls", figure(a.Unexplained, 2).human(false))
}

// identityWords is the residual of replaying what the recorded agent itself did.
func identityWords(id estimate.Identity) string {
	tokens := func(f estimate.Figure) string {
		if !f.Known() {
			return "n/a"
		}
		return Grouped(int(float64(f) + 0.5))
	}
	return fmt.Sprintf("%s tokens one call ahead (median), %s running free between recorded changes (worst %s)",
		tokens(id.AheadMedian), figure(id.FreePct, 2).human(false), figure(id.FreeWorstPct, 1).human(false))
}

// EstimateByRun draws the error of every method for each run: which runs the numbers above come from.
func EstimateByRun(runs []*replay.Result) Table {
	t := Table{Title: "By run, median error", Columns: []Column{
		RunName(), Name("model", "model").Ranked(4),
		Number("calls", "", "calls").Shown(Always), Number("calls", "predicted", "predicted_calls").Ranked(2), Number("calls", "clean", "clean_calls").Ranked(5),
		Number("hidden", "overhead", "overhead_tokens").Ranked(2),
	}}
	for _, m := range methodNames {
		t.Columns = append(t.Columns, Number(m.name, "", m.name))
	}
	t.Columns = append(t.Columns,
		Number("upper", "worst low", "upper_worst_under").Ranked(1), Number("late", "naive", "naive_late").Ranked(3), Number("late", "upper", "upper_late").Ranked(3))
	for i, name := range rowNames(runs) {
		a := &runs[i].Accuracy
		row := []Cell{One(Words(name)), One(Words(runs[i].Model)), One(Int(a.Calls)), One(Int(a.Predicted)), One(Int(a.Clean)), One(overhead(runs[i]))}
		for _, m := range methodNames {
			row = append(row, One(figure(m.of(&a.Methods).All.MedianAPE, 2)))
		}
		t.Rows = append(t.Rows, append(row, One(figure(a.Methods.Upper.All.Worst, 2)), late(&a.Methods.Naive.All), late(&a.Methods.Upper.All)))
	}
	_, nested := replay.Sum(runs)
	t.Notes = append(nestedNotes(&nested),
		Note{Label: "clean", Text: "predicted calls with nothing but fully logged content since their anchor"},
		Note{Label: "overhead", Text: "tokens of the first recorded prompt that the recording does not show: system prompt, tool schemas, reminders"})
	return t
}

// overhead is what a run's recording does not show of its first prompt.
func overhead(r *replay.Result) Value {
	if !r.Overhead.Known {
		return NA()
	}
	return Tokens(r.Overhead.N)
}

// EstimateByClass draws what each kind of content costs.
func EstimateByClass(total *EstimateTotals) Table {
	t := Table{Title: "By kind of content", Columns: []Column{
		Name("content", "class").Shown(Always), Number("share", "of tokens", "tokens_share_pct").Claims(Exact),
		Number("real tokens", "per local one", "ratio").Claims(Exact), Number("characters", "per real token", "chars_per_token").Claims(Exact),
	}}
	for _, c := range total.Classes {
		t.Rows = append(t.Rows, []Cell{
			One(Words(string(c.Class))), One(figure(c.TokensShare, 1)), One(plainFigure(c.Ratio)), One(plainFigure(c.CharsPerToken)),
		})
	}
	return t
}

// plainFigure is a ratio that may not exist.
func plainFigure(f estimate.Figure) Value {
	if !f.Known() {
		return NA()
	}
	return Factor(float64(f), 2)
}

// EstimateData is the table CSV holds: every run, every method, every score.
func EstimateData(runs []*replay.Result) Table {
	t := Table{Title: "Scores by run and method", Columns: append([]Column{
		Name("source", "source"), Name("thread", "thread"), Name("model", "model"), Name("method", "method"), Name("set", "set"),
		Number("calls", "", "calls"),
	}, scoreColumns()...)}
	for _, r := range runs {
		for _, m := range methodNames {
			scores := m.of(&r.Accuracy.Methods)
			for _, set := range []struct {
				name  string
				calls int
				score *estimate.Score
			}{{"all", r.Accuracy.Predicted, &scores.All}, {"clean", r.Accuracy.Clean, &scores.Clean}} {
				row := []Cell{One(Words(r.Source)), One(Words(r.Thread)), One(Words(r.Model)), One(Words(m.name)), One(Words(set.name)), One(Int(set.calls))}
				t.Rows = append(t.Rows, append(row, scoreCells(set.score)...))
			}
		}
	}
	return t
}
