package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perch/estimate"
	"perch/formats/transcript"
	"perch/replay"
)

// The most lines a note about single runs takes below a table, the most moments and names in one line, and the most
// terminal cells of a name there. What is left out is counted, and the JSON has it.
const (
	maxLines   = 20
	maxMoments = 6
	maxNames   = 3
	maxName    = 40
)

// replayNotes is what stands below the replay table.
func replayNotes(runs []*replay.Result, t *Table, total *replay.Totals, nested *replay.Nested, s ReplaySettings) []Note {
	short, samples := names(runs), merged(runs)
	for i := range short {
		short[i] = middle(short[i], maxName)
	}
	notes := slices.Concat(
		[]Note{{Label: "settings", Text: fmt.Sprintf("pipeline %s, counter %s, from %s", s.Pipeline, s.Counter, fromWords(s.From))}},
		quietSteps(t, total),
		perRun("compactions", runs, short, moments),
		limitNotes(runs),
		summaryNotes(runs, short),
		overflowNotes(total),
		estimateNotes(samples),
		ledgerNotes(samples, total),
		claimNotes(t),
		divergenceNotes(runs, short),
		nestedNotes(nested),
		copiedNotes(runs, short, total),
		windowNotes(runs, short),
		uncountedNotes(runs, short),
		warningNotes(runs, short),
	)
	for _, r := range s.Refused {
		notes = append(notes, Note{Warn: true, Text: r.Source + " was not replayed: " + r.Reason})
	}
	if s.Partial {
		notes = append(notes, PartialNote(len(runs)))
	}
	return notes
}

// fromWords explains a starting point.
func fromWords(f replay.From) string {
	if f == replay.Raw {
		return "raw (as if nothing had been compacted)"
	}
	return "segments (what was compacted when recorded stays so)"
}

// PartialNote marks a report that was interrupted.
func PartialNote(runs int) Note {
	return Note{Warn: true, Text: fmt.Sprintf("PARTIAL: interrupted after %s; what was not finished is missing above", several(runs, "run"))}
}

// quietSteps names the steps that have no column because they never fired.
func quietSteps(t *Table, total *replay.Totals) []Note {
	var quiet []string
	for _, s := range total.Steps {
		if s.Fired == 0 {
			quiet = append(quiet, s.ID)
		}
	}
	if len(quiet) == 0 || len(t.Rows) == 0 {
		return nil
	}
	return []Note{{Label: "never fired", Text: strings.Join(quiet, ", ") + " (--skips says why)"}}
}

// perRun is one line for each run about which describe has something to say.
func perRun(label string, runs []*replay.Result, short []string, describe func(*replay.Result) string) []Note {
	var notes []Note
	more := 0
	for i, r := range runs {
		text := describe(r)
		switch {
		case text == "":
		case len(notes) == maxLines:
			more++
		default:
			notes = append(notes, Note{Label: label, Text: short[i] + ": " + text})
		}
	}
	if more > 0 {
		notes = append(notes, Note{Label: label, Text: fmt.Sprintf("and %s more; --output json has all", several(more, "run"))})
	}
	return notes
}

// limitNotes says what headroom and overflows are measured against: two limits, where an answer shares the window.
func limitNotes(runs []*replay.Result) []Note {
	for _, r := range runs {
		if counted(r) && r.Limit.Kind == transcript.Window {
			return []Note{{Label: "limits", Text: fmt.Sprintf("trigger and headroom are of the input limit, which is the window less room for the answer (%s of %s in the first run); "+
				"overflows are of the window itself, and of requests the provider refused", Grouped(int(r.H)), Grouped(r.Limit.Tokens))}}
		}
	}
	return nil
}

// summaryNotes tells of each summary how much was freed, how much was summarized, how large the summary is, and how
// much recent history was kept.
func summaryNotes(runs []*replay.Result, short []string) []Note {
	var notes []Note
	more := 0
	for i, r := range runs {
		for _, s := range r.Summaries {
			if len(notes) == maxLines {
				more++
				continue
			}
			notes = append(notes, Note{Label: "summaries", Text: fmt.Sprintf("%s #%d freed %s: %s (%s tokens) into a summary of %s%s; kept the newest %s (%s tokens) word for word",
				short[i], s.Call, Grouped(s.Freed), several(s.Messages, "message"), Grouped(s.SummarizedTokens),
				Tokens(s.SummaryTokens).Approx(s.Simulated).human(false), summaryKind(s), several(s.KeptMessages, "message"), Grouped(s.KeptTokens))})
		}
	}
	if more > 0 {
		notes = append(notes, Note{Label: "summaries", Text: fmt.Sprintf("and %d more; --output json has all", more)})
	}
	return notes
}

// summaryKind says in brackets what is special about a summary.
func summaryKind(s replay.Summary) string {
	var words []string
	if s.Simulated {
		words = append(words, "simulated")
	}
	if s.Folded {
		words = append(words, "with the earlier one folded in")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// overflowNotes explains overflows that no estimate could have seen coming.
func overflowNotes(total *replay.Totals) []Note {
	if total.Overflows == 0 {
		return nil
	}
	text := fmt.Sprintf("%s would have exceeded the limit", several(total.Overflows, "replayed prompt"))
	if total.UnrecordedGrowth > 0 {
		text += fmt.Sprintf("; %s tokens in them came from nothing the recording shows", Grouped(total.UnrecordedGrowth))
	}
	return []Note{{Label: "overflows", Text: text}}
}

// estimateNotes says how good the estimates were on which the steps decided.
func estimateNotes(samples *estimate.Samples) []Note {
	a := samples.Accuracy()
	if a.Predicted == 0 {
		return nil
	}
	return []Note{{Label: "estimate", Text: fmt.Sprintf("median error %s of the prompt (naive %s), %s predicted",
		figure(a.Methods.Calibrated.All.MedianAPE, 2).human(false), figure(a.Methods.Naive.All.MedianAPE, 0).human(false), several(a.Predicted, "call"))}}
}

// ledgerNotes says how firmly the prices above are supported.
func ledgerNotes(samples *estimate.Samples, total *replay.Totals) []Note {
	var notes []Note
	if total.ExactPct+total.SharedPct+total.GuessedPct > 0 {
		notes = append(notes, Note{Label: "ledger", Text: fmt.Sprintf("%.0f %% of the tokens exact, %.0f %% shared between items, %.0f %% guessed",
			total.ExactPct, total.SharedPct, total.GuessedPct)})
	}
	if id := samples.Identity(); id.Calls > 0 {
		notes = append(notes, Note{Label: "identity", Text: "replaying the recording itself is off by " + identityWords(id)})
	}
	return notes
}

// divergenceNotes says from which call on numbers are conditional, and how many calls that is.
func divergenceNotes(runs []*replay.Result, short []string) []Note {
	var first []string
	all, conditional := 0, 0
	for i, r := range runs {
		all += r.Calls
		if r.FirstDivergence > 0 {
			first = append(first, fmt.Sprintf("%s #%d", short[i], r.FirstDivergence))
			conditional += r.Calls - r.FirstDivergence + 1
		}
	}
	if len(first) == 0 {
		return nil
	}
	return []Note{{Label: "claims", Text: fmt.Sprintf("what is conditional is exact before the first diverging call: %s; %.0f %% of all calls come after it",
		listed(first, maxNames), 100*float64(conditional)/float64(max(all, 1)))}}
}

// nestedNotes says what the total leaves out, so that nothing is counted twice.
func nestedNotes(nested *replay.Nested) []Note {
	if nested.Runs == 0 {
		return nil
	}
	return []Note{{Label: "total", Text: fmt.Sprintf("without %s (%s) recorded inside others", several(nested.Runs, "thread"), several(nested.Calls, "call"))}}
}

// CopiedNotes says which runs repeat calls of earlier ones, as resumed and forked sessions do, and whether the
// totals count those calls once.
func CopiedNotes(runs []*replay.Result) []Note {
	total, _ := replay.Sum(runs)
	return copiedNotes(runs, names(runs), &total)
}

// copiedNotes is [CopiedNotes] for runs whose short names and totals are known.
func copiedNotes(runs []*replay.Result, short []string, total *replay.Totals) []Note {
	name := map[string]string{}
	for i, r := range runs {
		if name[r.Source] == "" {
			name[r.Source] = short[i]
		}
	}
	var pairs []string
	for i, r := range runs {
		for _, of := range r.CopiesOf {
			pairs = append(pairs, short[i]+" repeats "+cmp.Or(name[of], of))
		}
	}
	if total.Copied+len(pairs) == 0 {
		return nil
	}
	text := "without copies of calls that an earlier recording holds too, " + Grouped(total.Copied) + " in all"
	if total.Copied == 0 {
		text = "with copies of calls that an earlier recording holds too, as --keep-duplicates asks"
	}
	if len(pairs) > 0 {
		text += ": " + listed(pairs, maxNames)
	}
	return []Note{{Label: "total", Text: text}}
}

// windowNotes warns of limits nobody recorded or gave.
func windowNotes(runs []*replay.Result, short []string) []Note {
	var table, fallback []string
	for i, r := range runs {
		switch r.Limit.From {
		case transcript.FromTable:
			table = append(table, short[i])
		case transcript.FromFallback:
			fallback = append(fallback, short[i])
		}
	}
	var notes []Note
	if len(table) > 0 {
		notes = append(notes, Note{Warn: true, Text: "the limit of " + listed(table, maxNames) + " is a guess from the model table; give --limit or --tier if another one applied"})
	}
	if len(fallback) > 0 {
		notes = append(notes, Note{Warn: true, Text: "the limit of " + listed(fallback, maxNames) + " is not known at all (no model the table has): 200,000 is assumed; give --limit"})
	}
	return notes
}

// uncountedNotes names the runs that hold no usage, so that their n/a is understood.
func uncountedNotes(runs []*replay.Result, short []string) []Note {
	var list []string
	for i, r := range runs {
		if !counted(r) {
			list = append(list, short[i])
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []Note{{Warn: true, Text: "no call of " + listed(list, maxNames) + " has a recorded prompt size, so there is nothing to replay against"}}
}

// warningNotes counts what readers warned about, with the first of each run.
func warningNotes(runs []*replay.Result, short []string) []Note {
	notes := perRun("", runs, short, func(r *replay.Result) string {
		if len(r.Warnings) == 0 {
			return ""
		}
		first := r.Warnings[0]
		text := first.Message
		if first.Line > 0 {
			text = fmt.Sprintf("line %d: %s", first.Line, text)
		}
		if more := len(r.Warnings) - 1; more > 0 {
			text += fmt.Sprintf(" (and %s more)", several(more, "warning"))
		}
		return text
	})
	for i := range notes {
		notes[i].Warn = true
	}
	return notes
}
