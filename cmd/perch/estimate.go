package main

import (
	"context"
	"runtime/debug"

	"github.com/spf13/cobra"

	"perch/pipeline"
	"perch/replay"
	"perch/report"
)

// estimateCommand returns `perch estimate`.
func (p *program) estimateCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "estimate T...",
		Long: "Compare token estimates that could have been made before each call with the prompt tokens the provider\n" +
			"recorded: by method, by run, and by kind of content.",
		Short: "how far token estimates are from the recorded counts",
		Example: `  perch estimate runs/
  perch estimate --counter chars/3 a.jsonl
  perch estimate @1 @2                             the two newest runs of ` + "`perch list`" + `
  perch estimate --output json runs/ | jq .totals.methods.calibrated.all`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && !p.flags.latest {
				return p.shortHelp(c)
			}
			return p.estimate(c.Context(), c, args)
		},
	}
	p.counterFlag(c)
	p.inputFlags(c)
	p.runFlags(c)
	p.outputFlags(c)
	return c
}

// estimate scores the inputs. Nothing is compacted: what is scored is the recording's own prompts.
func (p *program) estimate(ctx context.Context, c *cobra.Command, args []string) error {
	settings, err := p.settings()
	if err != nil {
		return err
	}
	cfg, err := engine(&settings)
	if err != nil {
		return err
	}
	cfg.Pipeline, cfg.From, cfg.KeepDuplicates = pipeline.Pipeline{}, replay.Segments, p.flags.keepDuplicates
	f, err := p.collect(ctx, c, args, cfg)
	if err != nil {
		return err
	}
	total := report.EstimateTotal(f.runs)
	_, nested := replay.Sum(f.runs)
	a := answer{
		nothing: len(f.runs)+len(f.refused) == 0,
		document: &report.Document{
			Schema: report.Schema, Runs: []any{}, Command: "estimate", Version: build(debug.ReadBuildInfo()),
			Config: p.withDuplicates(map[string]any{"counter": settings.Counter}), Claims: report.EstimateClaims(),
			Partial: f.partial, Refused: f.refused, Totals: total, Nested: nested, Classes: total.Classes,
		},
		tables: []report.Table{report.Estimate(&total, settings.Counter), report.EstimateByRun(f.runs), report.EstimateByClass(&total)},
		detail: report.EstimateData(f.runs),
	}
	a.tables[0].Notes = append(a.tables[0].Notes, report.CopiedNotes(f.runs)...)
	if f.partial {
		a.tables[0].Notes = append(a.tables[0].Notes, report.PartialNote(len(f.runs)))
	}
	for _, r := range report.EstimateRuns(f.runs) {
		a.document.Runs = append(a.document.Runs, r)
	}
	return p.write(a)
}
