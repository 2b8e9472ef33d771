package main

import (
	"context"
	"runtime/debug"

	"github.com/spf13/cobra"

	"perch/replay"
	"perch/replay/config"
	"perch/report"
)

// replayCommand returns `perch replay`.
func (p *program) replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "replay T...",
		Long: "Replay recorded transcripts through a compaction pipeline: where each step would have fired, what it\n" +
			"would have freed, and whether a prompt would have overflowed. T is a file, a folder, a pattern with **,\n" +
			"- for standard input, packed with gzip or zstd or not, or what `perch list` shows: @1, @2, ..., or the\n" +
			"beginning of an id; label=T names it.",
		Short: "where each step would have fired, and what it would have freed",
		Example: `  perch replay runs/
  perch replay --limit 128000 --set micro.keep_last=5 a.jsonl
  perch replay --preset none --calls a.jsonl       the timeline as recorded
  perch replay --skips a.jsonl                     why a step did not fire
  perch replay --latest                            the newest run on this machine
  perch replay --fail-on overflows --fail-on 'summarize.fired>2' runs/
  perch replay --output json runs/ | jq '.runs[] | {source, overflows}'
  zstd -dc a.jsonl.zst | perch replay run-a=-`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && !p.flags.latest {
				return p.shortHelp(c)
			}
			return p.replay(c.Context(), c, args)
		},
	}
	p.settingFlags(c)
	p.inputFlags(c)
	p.runFlags(c)
	p.outputFlags(c)
	c.Flags().BoolVar(&p.flags.calls, "calls", false, "the timeline too: every call with its sizes and what fired before it")
	c.Flags().BoolVar(&p.flags.skips, "skips", false, "why each step did not fire, too")
	c.Flags().StringArrayVar(&p.flags.failOn, "fail-on", nil, "exit 1 where a `metric[>N]` of any run is above N (default 0); may be repeated")
	p.completes(c, "fail-on", func() []string {
		usual := config.Default()
		return report.MetricNames(stepIDs(&usual))
	})
	return c
}

// replay replays the inputs and reports on them.
func (p *program) replay(ctx context.Context, c *cobra.Command, args []string) error {
	settings, err := p.settings()
	if err != nil {
		return err
	}
	gates, err := parseGates(p.flags.failOn, stepIDs(&settings))
	if err != nil {
		return p.usage(c, err)
	}
	cfg, err := engine(&settings)
	if err != nil {
		return err
	}
	cfg.Timeline, cfg.KeepDuplicates = p.flags.calls, p.flags.keepDuplicates
	f, err := p.collect(ctx, c, args, cfg)
	if err != nil {
		return err
	}
	if err := p.write(p.replayAnswer(&f, &settings)); err != nil {
		return err
	}
	return p.judge(gates, f)
}

// replayAnswer lays out what a replay found.
func (p *program) replayAnswer(f *found, settings *config.Config) answer {
	total, nested := replay.Sum(f.runs)
	a := answer{
		nothing: len(f.runs)+len(f.refused) == 0,
		document: &report.Document{
			Schema: report.Schema, Runs: []any{}, Command: "replay", Version: build(debug.ReadBuildInfo()), Config: p.document(settings),
			Claims: report.ReplayClaims(), Partial: f.partial, Refused: f.refused, Totals: total, Nested: nested,
		},
		tables: []report.Table{report.Replay(f.runs, report.ReplaySettings{
			Pipeline: described(settings), Counter: settings.Counter, From: settings.From, Partial: f.partial, Refused: f.refused,
		})},
	}
	for _, r := range f.runs {
		a.document.Runs = append(a.document.Runs, r)
		a.document.Calls = append(a.document.Calls, r.Timeline...)
	}
	if p.flags.calls {
		a.tables = append(a.tables, report.Calls(f.runs))
	}
	if p.flags.skips {
		a.tables = append(a.tables, report.Skips(f.runs))
	}
	a.detail = a.tables[len(a.tables)-1]
	return a
}
