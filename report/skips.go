package report

import (
	"maps"
	"slices"

	"perch/pipeline"
	"perch/replay"
)

// skipReason is a reason for which a step does nothing, as a column.
type skipReason struct {
	reason  pipeline.SkipReason
	title   string
	meaning string
}

// skipReasons are the reasons of the pipeline itself, in the order of their columns.
var skipReasons = [...]skipReason{
	{pipeline.UnderTrigger, "under trigger", "the gate was closed: the prompt was still small enough"},
	{pipeline.NothingEligible, "nothing eligible", "everything was protected or reduced already"},
	{pipeline.MinFreed, "min freed", "could not free the least amount that is worth a change"},
	{pipeline.NotSmaller, "not smaller", "what would take the place is no smaller"},
	{pipeline.Batching, "batch", "waits until more can be reduced at once"},
	{pipeline.NotRearmed, "rearm", "fired just before, and too little is new"},
	{pipeline.BreakerOpen, "breaker", "stopped after fires without lasting effect"},
	{pipeline.TargetUnreachable, "unreachable", "overhead and what is protected exceed the budget"},
	{pipeline.Failed, "failed", "its own request failed"},
	{pipeline.Disabled, "disabled", "switched off"},
}

// Skips draws for every run and step how often its gate was open, how often it fired, and why it did not.
func Skips(runs []*replay.Result) Table {
	t := Table{Title: "Why a step did not fire, in calls", Columns: []Column{
		RunName(), Name("source", "source").Shown(DataOnly), Name("thread", "thread").Shown(DataOnly),
		Name("step", "step").Shown(Always), Name("use", "use").Ranked(2),
		Number("ran", "", "ran").Shown(Always), Number("fired", "", "fired").Shown(Always).Claims(Conditional),
	}}
	reasons := metReasons(runs)
	for _, k := range reasons {
		t.Columns = append(t.Columns, Number(k.title, "", "skipped."+string(k.reason)).Claims(Conditional))
		t.Notes = append(t.Notes, Note{Label: k.title, Text: k.meaning})
	}
	short := names(runs)
	for i, r := range runs {
		for _, s := range r.Steps {
			row := []Cell{
				One(Words(short[i])), One(Words(r.Source)), One(Words(r.Thread)), One(Words(s.ID)), One(Words(s.Use)),
				One(Int(s.Ran)), One(Int(s.Fired)),
			}
			for _, k := range reasons {
				n := s.Skipped[k.reason]
				row = append(row, One(Int(n).Dashed(n == 0)))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// metReasons are the reasons that occur in the runs: the pipeline's own, then those a stage brought along.
func metReasons(runs []*replay.Result) []skipReason {
	met := map[pipeline.SkipReason]bool{}
	for _, r := range runs {
		for _, s := range r.Steps {
			for reason, n := range s.Skipped {
				met[reason] = met[reason] || n > 0
			}
		}
	}
	var list []skipReason
	for _, k := range skipReasons {
		if met[k.reason] {
			list = append(list, k)
			delete(met, k.reason)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(met)) {
		if met[reason] {
			list = append(list, skipReason{reason, string(reason), "the stage's own reason"})
		}
	}
	return list
}
