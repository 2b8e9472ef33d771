package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"perch/cmd/perch/input"
	"perch/formats"
	"perch/report"
)

// formatsCommand returns `perch formats`.
func (p *program) formatsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "formats",
		Short:   "the recordings perch reads",
		Long:    "List the formats of recordings perch reads. They are recognised by content.",
		Example: "  perch formats\n  perch replay --format claude-code a.jsonl",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var list []report.Format
			for _, f := range formats.All {
				list = append(list, report.Format{Name: f.Name, About: f.About, Gives: report.Gives(f.Gives)})
			}
			return p.list(report.Formats(list), report.Document{Command: "formats", Formats: list})
		},
	}
	p.outputFlags(c)
	return c
}

// inputOptions says how inputs are read.
func (p *program) inputOptions(c *cobra.Command) (input.Options, error) {
	user, _ := os.UserHomeDir() // without one, only the homes that variables name are known
	o := input.Options{Limits: p.flags.limits, Homes: input.Homes(p.getenv, user), Workers: p.flags.workers}
	if p.flags.format == "" {
		return o, nil
	}
	if f, ok := formats.Lookup(p.flags.format); ok {
		o.Format = &f
		return o, nil
	}
	names := formatNames()
	suggestion := didYouMean(p.flags.format, names)
	if suggestion == "" {
		suggestion = "; the formats are " + strings.Join(names, ", ")
	}
	return o, p.usage(c, fmt.Errorf("--format: no format %q%s", p.flags.format, suggestion))
}

// formatNames lists the formats, for completion.
func formatNames() []string {
	var names []string
	for _, f := range formats.All {
		names = append(names, f.Name)
	}
	return names
}
