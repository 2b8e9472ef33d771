package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"perch/estimate"
	"perch/replay/config"
	"perch/report"
)

// presetsCommand returns `perch presets`.
func (p *program) presetsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "presets",
		Short:   "named settings of the pipeline to start from",
		Long:    "List the presets: named settings of the pipeline to start from.",
		Example: "  perch presets\n  perch presets show cache-aware > mine.yaml\n  perch replay --config mine.yaml runs/",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			presets, err := config.Presets()
			if err != nil {
				return err
			}
			return p.list(report.Presets(presets), report.Document{Command: "presets", Presets: presets})
		},
	}
	p.outputFlags(c)
	c.AddCommand(&cobra.Command{
		Use:   "show NAME",
		Short: "print a preset as a file to start your own from",
		Args:  cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return presetNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := config.PresetText(args[0])
			if err != nil {
				return err
			}
			return quiet(p.stdout, text)
		},
	})
	return c
}

// configCommand returns `perch config`.
func (p *program) configCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "config",
		Short:   "show or check settings",
		Long:    "Show the settings in force, or check a file of settings.",
		Example: "  perch config show --preset cache-aware --set trigger=0.7\n  perch config validate perch.yaml",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.shortHelp(c)
			}
			return p.usage(c, fmt.Errorf("unknown command %q%s", args[0], didYouMean(args[0], commandNames(c))))
		},
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "the settings in force, each with its origin",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			settings, err := p.settings()
			if err != nil {
				return err
			}
			entries := settings.Effective()
			return p.list(report.Settings(entries, settings.Keys()), report.Document{Command: "config show", Settings: report.SettingList(entries)})
		},
	}
	p.settingFlags(show)
	p.outputFlags(show)
	validate := &cobra.Command{
		Use:     "validate FILE...",
		Short:   "check files of settings; every mistake with its line and column",
		Example: "  perch config validate perch.yaml",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return p.validate(args) },
	}
	c.AddCommand(show, validate)
	return c
}

// validate checks files of settings, each by itself.
func (p *program) validate(files []string) error {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			_, err = config.Load(config.Sources{File: file, Text: text})
		}
		if err != nil {
			p.complain(err)
			continue
		}
		if _, err := fmt.Fprintf(p.stdout, "%s: valid\n", file); err != nil {
			return err
		}
	}
	return nil
}

// list writes a listing: a table for people, a document for scripts.
func (p *program) list(t report.Table, d report.Document) error {
	d.Schema, d.Version = report.Schema, build(debug.ReadBuildInfo())
	return p.write(answer{document: &d, tables: []report.Table{t}, detail: t})
}

// presetNames lists the presets, for completion.
func presetNames() []string { return config.PresetNames() }

// counterNames lists the counters, for completion.
func counterNames() []string { return estimate.CounterNames() }
