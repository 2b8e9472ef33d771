package report

import (
	"path"
	"strconv"
	"strings"
	"time"

	"perch/formats/transcript"
)

// ListRun is a run's entry of `perch list --output json`.
type ListRun struct {
	Name   string `json:"name,omitempty"` // what other commands take for it: @1 is the newest run in the agents' folders
	Agent  string `json:"agent"`
	Format string `json:"format"`

	Project *string `json:"project"` // the folder the agent worked in; null where that is not known
	ID      string  `json:"id"`
	Thread  string  `json:"thread"`
	Source  string  `json:"source"`

	Started *time.Time `json:"started"` // null where no time was recorded
	Ended   *time.Time `json:"ended"`

	Calls       int                  `json:"calls"` // with a recorded prompt above 0
	Peak        *transcript.Recorded `json:"peak_prompt_tokens"`
	Limit       transcript.Limit     `json:"limit"`
	Compactions int                  `json:"compactions"`
}

// Listed sums a run up for a list, under the limit that applies to it.
func Listed(t *transcript.Transcript, limit transcript.Limit) ListRun {
	r := ListRun{Agent: t.Agent, Format: t.Format, ID: t.ID, Thread: t.Thread, Source: t.Source, Limit: limit}
	if p := project(t); p != "" {
		r.Project = &p
	}
	if first, last := t.Times(); !first.IsZero() {
		r.Started, r.Ended = &first, &last
	}
	var peak transcript.Recorded
	for i := range t.Calls {
		if prompt := t.Calls[i].Usage.Prompt; prompt.From == transcript.Provider && prompt.N > 0 {
			r.Calls++
			peak = max(peak, prompt.N)
		}
	}
	if r.Calls > 0 {
		r.Peak = &peak
	}
	for i := range t.Changes {
		if t.Changes[i].Kind == transcript.Compact {
			r.Compactions++
		}
	}
	return r
}

// project is the folder an agent worked in. Where it was not recorded, it is read from a folder of the recording's
// own path that is named after it, as Claude Code and pi do: -srv-shop stands for /srv/shop. Such a name has the same
// dash for every character that is no letter or digit.
func project(t *transcript.Transcript) string {
	if t.Project != "" {
		return t.Project
	}
	for dir := path.Dir(strings.ReplaceAll(t.Source, `\`, "/")); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if name := path.Base(dir); strings.HasPrefix(name, "-") && strings.Trim(name, "-") != "" {
			return "/" + strings.ReplaceAll(strings.Trim(name, "-"), "-", "/")
		}
	}
	return ""
}

// How much a list shows of a project's folder, in terminal cells, and at least of an id, in characters.
const (
	shortProject = 28
	shortID      = 8
)

// List draws runs, in their order. Names are shown where there are any; without them, ids take their place.
func List(runs []ListRun) Table {
	t := Table{Title: "Runs, newest first: " + several(len(runs), "run") + ", times in UTC", Columns: []Column{
		Name("name", "name"), Name("agent", "agent").Shown(Always), {Title: "project", Parts: []Part{{Key: "project"}}, Left: true, Cut: true, Rank: 1},
		{Title: "id", Parts: []Part{{Key: "id"}}, Left: true, Rank: 4, View: Always}, Name("thread", "thread").Shown(DataOnly), Name("source", "source").Shown(DataOnly),
		Name("started", "started").Shown(DataOnly), Name("last call", "ended").Shown(Always),
		Number("calls", "", "calls").Shown(Always), Number("peak", "tokens", "peak_prompt_tokens").Shown(Always),
		{Title: "window", Parts: []Part{{Key: "limit", Unit: "tokens"}}, Rank: 2, View: Always},
		Name("limit kind", "limit_kind").Shown(DataOnly), Name("limit from", "limit_from").Shown(DataOnly),
		Number("compactions", "", "compactions").Shown(Always).Ranked(3),
	}}
	length, guessed := idLength(runs), false
	for i := range runs {
		r := &runs[i]
		guess := r.Limit.From == transcript.FromTable || r.Limit.From == transcript.FromFallback
		guessed = guessed || guess
		t.Rows = append(t.Rows, []Cell{
			One(Words(r.Name)), One(Words(r.Agent)), projectCell(r.Project), One(Named(r.ID, shortRun(r, length))), One(Words(r.Thread)), One(Words(r.Source)),
			moment(r.Started), moment(r.Ended), One(Int(r.Calls)), peakCell(r.Peak), One(Int(r.Limit.Tokens).Approx(guess)),
			One(Words(string(r.Limit.Kind))), One(Words(string(r.Limit.From))), One(Int(r.Compactions).Dashed(r.Compactions == 0)),
		})
	}
	if len(runs) == 0 {
		return t
	}
	t.Notes = append(t.Notes, Note{Label: "next", Text: "perch replay " + argument(&runs[0]) + " replays the first of them"})
	if guessed {
		t.Notes = append(t.Notes, Note{Label: "window", Text: "~ is what a table says of the model, or 200,000 for one it does not know: the recording does not tell"})
	}
	return t
}

// argument is what a person types for a run.
func argument(r *ListRun) string {
	switch {
	case r.Name != "":
		return r.Name
	case strings.ContainsAny(r.Source, " '\"\\$&;()*?[]"):
		return strconv.Quote(r.Source)
	}
	return r.Source
}

// idLength is how much of the ids tells them apart, so that what a list shows names one run.
func idLength(runs []ListRun) int {
	for n := shortID; ; n++ {
		ids := map[string]string{} // by beginning
		clash := false
		for i := range runs {
			id := runs[i].ID
			start := id[:min(n, len(id))]
			clash = clash || ids[start] != "" && ids[start] != id
			ids[start] = id
		}
		if !clash {
			return n
		}
	}
}

// shortRun is the beginning of a run's id, and its thread where that is not the main one.
func shortRun(r *ListRun, length int) string {
	short := strings.ToValidUTF8(r.ID[:min(length, len(r.ID))], "")
	if r.Thread != "" && r.Thread != "main" && r.Thread != r.ID {
		short += " " + middle(r.Thread, threadName)
	}
	return short
}

// projectCell shows the end of a project's folder.
func projectCell(p *string) Cell {
	if p == nil {
		return One(NA())
	}
	return One(Named(*p, middle(*p, shortProject)))
}

// peakCell is the largest recorded prompt.
func peakCell(n *transcript.Recorded) Cell {
	if n == nil {
		return One(NA())
	}
	return One(Tokens(*n))
}

// moment is a time: data have it in full, people to the minute.
func moment(at *time.Time) Cell {
	if at == nil {
		return One(NA())
	}
	utc := at.UTC()
	return One(Named(utc.Format(time.RFC3339), utc.Format("2006-01-02 15:04")))
}
