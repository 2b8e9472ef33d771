package report

import (
	"fmt"
	"strings"

	"perch/formats/transcript"
	"perch/replay"
)

// Calls draws the timeline: every call with what was recorded, estimated and priced, and what happened before it.
func Calls(runs []*replay.Result) Table {
	steps := stepIDs(runs)
	t := Table{Title: "Every call, in tokens of its prompt", Columns: callColumns(steps)}
	short := names(runs)
	for i, r := range runs {
		recorded := map[int][]string{}
		for _, c := range r.Changes {
			recorded[c.Call] = append(recorded[c.Call], "recorded "+changeWords(c))
		}
		for k := range r.Timeline {
			c := &r.Timeline[k]
			row := []Cell{One(Words(short[i])), One(Words(r.Source)), One(Words(r.Thread))}
			t.Rows = append(t.Rows, append(row, callCells(c, steps, recorded[c.Call])...))
		}
	}
	t.Notes = claimNotes(&t)
	return t
}

// stepIDs are the ids of the steps of all runs, in order.
func stepIDs(runs []*replay.Result) []string {
	var ids []string
	if len(runs) > 0 { // all runs of one report went through the same pipeline
		for _, s := range runs[0].Steps {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// callColumns lays out the timeline; the order of the columns is that of [callCells].
func callColumns(steps []string) []Column {
	columns := []Column{
		RunName(), Name("source", "source").Shown(DataOnly), Name("thread", "thread").Shown(DataOnly),
		Number("call", "", "call").Shown(Always), Number("line", "", "line").Ranked(4), Name("model", "model").Ranked(7),
		Number("recorded", "", "recorded").Shown(Always).Claims(Exact),
		Number("naive", "chars/4", "naive").Ranked(6).Claims(Conditional),
		Number("estimate", "before", "estimated").Ranked(3).Claims(Conditional),
		Number("estimate", "sent", "estimated_sent").Ranked(5).Claims(Conditional),
		Number("replayed", "ledger", "ledger").Shown(Always).Claims(Conditional),
		Number("headroom", "", "headroom").Ranked(2).Claims(Conditional),
		Number("cache", "kept", "cache_kept").Ranked(5).Claims(Conditional),
		Name("what happened before it", "").Shown(PeopleOnly),
		Number("overflow", "", "overflow").Shown(DataOnly),
		Name("recorded change", "recorded_change").Shown(DataOnly),
	}
	for _, id := range steps {
		columns = append(columns, Number(id, "freed", id+".freed_tokens").Shown(DataOnly))
	}
	return columns
}

// callCells fills the columns for one call.
func callCells(c *replay.CallResult, steps []string, recorded []string) []Cell {
	happened := recorded
	freed := map[string]transcript.Ledger{}
	for i := range c.Outcomes {
		o := &c.Outcomes[i]
		freed[o.Step] += o.Freed
		switch {
		case o.Impossible != "":
			happened = append(happened, o.Step+" impossible: "+o.Impossible)
		case o.Fired():
			happened = append(happened, fmt.Sprintf("%s %s", o.Step, Freed(o.Freed).human(false)))
		}
	}
	over := 0
	if c.Overflow {
		over, happened = 1, append(happened, "OVERFLOW")
	}
	cells := []Cell{
		One(CallNumber(c.Call)), One(Int(c.Line)), One(Words(c.Model)), One(Recorded(c.Recorded)),
		One(Tokens(c.Naive)), One(Tokens(c.Estimated)), One(Tokens(c.Sent)),
		One(Tokens(c.Ledger).Alarm(c.Overflow)), One(Tokens(c.Headroom)), One(Tokens(c.CacheKept)),
		One(Words(strings.Join(happened, ", ")).Alarm(c.Overflow)), One(Int(over)), One(Words(strings.Join(recorded, ", "))),
	}
	for _, id := range steps {
		cells = append(cells, One(Int(freed[id])))
	}
	return cells
}
