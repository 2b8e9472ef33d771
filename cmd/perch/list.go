package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perch/cmd/perch/input"
	"perch/estimate/models"
	"perch/formats"
	"perch/formats/transcript"
	"perch/report"
)

// listCommand returns `perch list`.
func (p *program) listCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "list [T...]",
		Short: "which runs are on this machine, newest first",
		Long: "List recorded runs, newest first: those in the folders where agents keep them, or those of the files and\n" +
			"folders that are given. What stands under name, or the beginning of an id, is what replay and estimate take\n" +
			"for a run. @1 is always the newest run, filters or not. Dates are in UTC.",
		Example: `  perch list
  perch list --agent claude-code --since 7d --min-calls 20
  perch list --project shop --since 2026-01-31 --until 2026-02-28
  perch list runs/                           the runs of a folder of your own
  perch replay @1                            replay the newest one
  perch list --output json | jq -r '.runs[] | select(.compactions > 0) | .source'`,
		RunE: func(c *cobra.Command, args []string) error { return p.listRuns(c.Context(), c, args) },
	}
	f := c.Flags()
	f.StringVar(&p.flags.agent, "agent", "", "only runs of this `agent`")
	f.StringVar(&p.flags.project, "project", "", "only runs whose folder has this `text` in its path")
	f.StringVar(&p.flags.since, "since", "", "only runs that went on at this `time` or later: 2026-01-31, 2026-01-31T08:00:00Z, or 12h, 7d ago")
	f.StringVar(&p.flags.until, "until", "", "only runs that ended by this `time`; a day is meant to its end")
	f.IntVar(&p.flags.minCalls, "min-calls", 0, "only runs of at least `N` calls with a recorded prompt")
	p.completes(c, "agent", agentNames)
	p.inputFlags(c)
	p.outputFlags(c)
	return c
}

// listRuns lists the runs of the arguments, or of the agents' folders.
func (p *program) listRuns(ctx context.Context, c *cobra.Command, args []string) error {
	keep, err := p.listFilter(time.Now())
	if err != nil {
		return p.usage(c, err)
	}
	options, err := p.inputOptions(c)
	if err != nil {
		return err
	}
	in := input.Agents(options)
	if len(args) > 0 {
		in = input.Open(ctx, args, p.stdin, options)
	}
	runs := p.survey(ctx, in, keep.since, len(args) == 0)
	if len(runs) == 0 && len(args) == 0 {
		p.say("no runs found; looked in %s", strings.Join(folders(options.Homes), ", "))
	}
	document := &report.Document{Schema: report.Schema, Command: "list", Version: build(debug.ReadBuildInfo()), Runs: []any{}, Partial: ctx.Err() != nil}
	var kept []report.ListRun
	for i := range runs {
		if keep.fits(&runs[i]) {
			kept = append(kept, runs[i])
			document.Runs = append(document.Runs, runs[i])
		}
	}
	if len(kept) == 0 && len(runs) > 0 {
		p.say("none of the %d runs passes the filters", len(runs))
	}
	table := report.List(kept)
	return p.write(answer{document: document, tables: []report.Table{table}, detail: table, nothing: len(runs) == 0})
}

// survey looks at all runs of an input, newest first, and gives those of the agents' folders their names.
func (p *program) survey(ctx context.Context, in *input.Input, since time.Time, named bool) []report.ListRun {
	bar := newProgress(p.stderr, in.Len(), p.animated())
	found, problems := input.Survey(ctx, in, input.SurveyOptions{Since: since, Step: bar.step}, func(t *transcript.Transcript) report.ListRun {
		return report.Listed(t, models.Limit(models.Default(), models.Asked{}, t))
	})
	bar.finish()
	var tally input.Tally
	runs := make([]report.ListRun, len(found))
	for i := range found {
		tally.Found(found[i].Source)
		if runs[i] = found[i].Run; named {
			runs[i].Name = fmt.Sprintf("@%d", i+1)
		}
	}
	var told []string
	for _, problem := range problems {
		if text := p.failed(&tally, problem); text != "" {
			told = append(told, text)
		}
	}
	p.tell(told, &tally)
	if ctx.Err() != nil {
		p.codes = append(p.codes, exitInterrupted)
		p.say("interrupted: the list is partial")
	}
	return runs
}

// filter is which runs are listed.
type filter struct {
	agent, project string
	since, until   time.Time // zero for any
	calls          int
}

// listFilter reads the filters. Times are relative to now.
func (p *program) listFilter(now time.Time) (filter, error) {
	since, _, err := when("--since", p.flags.since, now)
	if err != nil {
		return filter{}, err
	}
	_, until, err := when("--until", p.flags.until, now)
	if err != nil {
		return filter{}, err
	}
	if p.flags.minCalls < 0 {
		return filter{}, errors.New("--min-calls: want 0 or more")
	}
	return filter{p.flags.agent, p.flags.project, since, until, p.flags.minCalls}, nil
}

// fits reports whether a run is listed. One that records no time is not of any time.
func (f *filter) fits(r *report.ListRun) bool {
	switch {
	case f.agent != "" && !strings.EqualFold(f.agent, r.Agent),
		f.project != "" && (r.Project == nil || !strings.Contains(*r.Project, f.project)),
		r.Calls < f.calls,
		!f.since.IsZero() && (r.Ended == nil || r.Ended.Before(f.since)),
		!f.until.IsZero() && (r.Ended == nil || !r.Ended.Before(f.until)):
		return false
	}
	return true
}

// folders are the places where homes keep runs, each once.
func folders(homes []input.Home) []string {
	var list []string
	seen := map[string]bool{}
	for _, h := range homes {
		if f := h.Folder(); !seen[f] {
			seen[f] = true
			list = append(list, f)
		}
	}
	return list
}

// agentNames lists the agents whose folders are known, for completion.
func agentNames() []string {
	var names []string
	for _, f := range formats.All {
		if len(f.Homes) > 0 {
			names = append(names, f.Name)
		}
	}
	return names
}
