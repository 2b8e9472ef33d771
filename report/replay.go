package report

import (
	"fmt"
	"strings"

	"perch/formats/transcript"
	"perch/replay"
)

// ReplaySettings is what a replay table says about how it was made.
type ReplaySettings struct {
	Pipeline string // the preset, and how many settings were changed
	Counter  string
	From     replay.From
	Partial  bool // it was interrupted: only the runs listed were finished
	Refused  []replay.Refused
}

// Replay draws where each step of the pipeline would have fired in every run, what it would have freed, and
// whether a prompt would have overflowed.
func Replay(runs []*replay.Result, s ReplaySettings) Table {
	total, nested := replay.Sum(runs)
	t := Table{Title: fmt.Sprintf("Where each step would have fired, and the tokens it would have freed: %s, %s",
		several(total.Runs, "run"), several(total.Calls, "call"))}
	steps := total.Steps
	if len(steps) == 0 && len(runs) > 0 {
		steps = runs[0].Steps
	}
	t.Columns = replayColumns(steps)
	for i, name := range rowNames(runs) {
		t.Rows = append(t.Rows, replayRow(runs[i], name, steps))
	}
	if total.Runs > 1 {
		t.Total = totalRow(&total)
	}
	t.Notes = replayNotes(runs, &t, &total, &nested, s)
	return t
}

// replayColumns lays out the table; the order of the columns is that of [replayRow].
func replayColumns(steps []replay.StepTotal) []Column {
	columns := []Column{
		RunName(), Name("source", "source").Shown(DataOnly), Name("thread", "thread").Shown(DataOnly),
		Name("agent", "agent").Ranked(6),
		Name("model", "model").Ranked(8),
		Number("calls", "", "calls").Shown(Always).Claims(Exact),
		{Title: "limit", Parts: []Part{{"limit", "tokens"}, {"limit_from", "from"}}, Rank: 5},
		Name("limit kind", "limit_kind").Shown(DataOnly),
		Number("trigger", "", "trigger").Ranked(7),
		Number("peak", "recorded", "peak_recorded").Shown(Always).Claims(Exact),
	}
	for _, s := range steps {
		columns = append(columns,
			Column{Title: s.ID, Parts: []Part{{s.ID + ".fired", "fired"}, {s.ID + ".freed_tokens", "freed"}}, Claim: Conditional},
			Number("first "+s.ID, "", s.ID+".first_call").Shown(DataOnly),
			Number("freed by "+s.ID, "", s.ID+".freed_estimated").Shown(DataOnly))
	}
	return append(columns,
		Number("peak", "replayed", "peak_replayed").Ranked(2).Claims(Conditional),
		Number("headroom", "smallest", "min_headroom").Ranked(3).Claims(Conditional),
		Column{Title: "overflows", View: Always, Join: "/", Claim: Conditional, Parts: []Part{
			{"recorded_overflows", "rec"}, {"overflows", "ours"}, {"naive_overflows", "naive"}}},
		Number("impossible", "", "impossible").Ranked(1).Claims(Conditional),
		Number("over limit", "calls", "over_limit").Shown(DataOnly),
		Number("tokens", "change", "prompt_tokens_change_pct").Ranked(4).Claims(Conditional),
		Number("cost", "change", "cost_change_pct").Ranked(4).Claims(Conditional),
		Column{Title: "cache breaks", Rank: 5, Join: "/", Claim: Conditional, Parts: []Part{
			{"cache_breaks_recorded", "rec"}, {"cache_breaks", "ours"}}},
		Number("prompt tokens", "recorded", "prompt_tokens_recorded").Shown(DataOnly),
		Number("prompt tokens", "replayed", "prompt_tokens_replayed").Shown(DataOnly),
		Number("cost", "recorded", "cost_milli_recorded").Shown(DataOnly),
		Number("cost", "replayed", "cost_milli_replayed").Shown(DataOnly),
		Number("summarizer", "tokens", "summarizer_tokens").Shown(DataOnly),
		Number("diverges", "at", "first_divergence").Shown(DataOnly),
		Number("ledger", "exact", "ledger_exact_pct").Shown(DataOnly),
		Number("ledger", "shared", "ledger_shared_pct").Shown(DataOnly),
		Number("ledger", "guessed", "ledger_guessed_pct").Shown(DataOnly),
	)
}

// replayRow fills the columns for one run. Where no call has a recorded prompt nothing was replayed, and all that
// would have been measured is n/a.
func replayRow(r *replay.Result, name string, steps []replay.StepTotal) []Cell {
	row := []Cell{
		One(Words(name)), One(Words(r.Source)), One(Words(r.Thread)), One(Words(r.Agent)), One(Words(r.Model)), One(Int(r.Calls)),
		{Int(r.Limit.Tokens).Approx(r.Guessed), Named(string(r.Limit.From), provenance(r.Limit))},
		One(Words(string(r.Limit.Kind))), One(Int(r.Trigger).Approx(r.Guessed)),
	}
	measured := append(sumCells(&r.Sums, steps),
		One(CallNumber(r.FirstDivergence)), One(Percent(r.ExactPct, 0)), One(Percent(r.SharedPct, 0)), One(Percent(r.GuessedPct, 0)))
	if !counted(r) {
		for i := range measured {
			measured[i] = unknown(measured[i])
		}
	}
	return append(row, measured...)
}

// counted reports whether the recording tells anything a replay could be held against.
func counted(r *replay.Result) bool { return r.Calls > 0 || r.RecordedOverflows > 0 }

// totalRow fills the columns for all runs together.
func totalRow(total *replay.Totals) []Cell {
	none := One(Blank())
	row := []Cell{One(Words("total")), none, none, none, none, One(Int(total.Calls)), {Blank(), Blank()}, none, none}
	return append(append(row, sumCells(&total.Sums, total.Steps)...), none, none, none, none)
}

// sumCells fills the columns that add up.
func sumCells(s *replay.Sums, steps []replay.StepTotal) []Cell {
	row := []Cell{One(Tokens(s.PeakRecorded.N))}
	for _, step := range steps {
		done := find(s.Steps, step.ID)
		never := done.Fired == 0
		row = append(row, Cell{Int(done.Fired).Dashed(never), Freed(done.FreedTokens).Dashed(never)},
			One(CallNumber(done.FirstCall)), One(Tokens(done.FreedEstimated)))
	}
	headroom := NA()
	if s.MinHeadroom != nil {
		headroom = Tokens(*s.MinHeadroom).Alarm(*s.MinHeadroom < 0)
	}
	return append(row,
		One(Tokens(s.PeakReplayed.N)), One(headroom),
		Cell{Int(s.RecordedOverflows), Int(s.Overflows).Alarm(s.Overflows > 0), Int(s.NaiveOverflows)},
		One(Int(s.Impossible).Dashed(s.Impossible == 0).Alarm(s.Impossible > 0)),
		One(Int(s.OverLimit)),
		One(change(int64(s.PromptRecorded.N), int64(s.PromptReplayed.N))),
		One(change(s.CostRecorded.N, s.CostReplayed.N)),
		Cell{Int(s.CacheBreaksRecorded), Int(s.CacheBreaks)},
		One(Tokens(s.PromptRecorded.N)), One(Tokens(s.PromptReplayed.N)), One(Int(s.CostRecorded.N)), One(Int(s.CostReplayed.N)),
		One(Tokens(s.SummarizerTokens)))
}

// unknown is a cell of the same shape in which nothing is known.
func unknown(c Cell) Cell {
	none := make(Cell, len(c))
	for i := range none {
		none[i] = NA()
	}
	return none
}

// find returns the totals of a step.
func find(steps []replay.StepTotal, id string) replay.StepTotal {
	for _, s := range steps {
		if s.ID == id {
			return s
		}
	}
	return replay.StepTotal{ID: id}
}

// change is how much b differs from a, in percent; n/a where a is nothing.
func change(a, b int64) Value {
	if a == 0 {
		return NA()
	}
	return Percent(100*float64(b-a)/float64(a), 1).Signed().Dashed(a == b)
}

// provenance says in a word where a limit comes from; one that bounds the input alone says so.
func provenance(l transcript.Limit) string {
	if l.Kind == transcript.Input {
		return string(l.From) + " input"
	}
	return string(l.From)
}

// several is a number with its noun.
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		return Grouped(n) + " " + noun + "es"
	}
	return Grouped(n) + " " + noun + "s"
}
