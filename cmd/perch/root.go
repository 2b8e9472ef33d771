package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpTemplate puts examples first: most questions are answered by one.
const helpTemplate = `{{with or .Long .Short}}{{.}}{{end}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}
Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{if .HasAvailableSubCommands}}
Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}`

// root returns the command tree.
func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use: "perch",
		Long: "perch replays recorded agent transcripts through a context-compaction pipeline and shows where each\n" +
			"step would have fired, how much it would have freed, and whether a prompt would have overflowed.",
		Example: `  perch replay runs/                         every transcript below a folder
  perch replay --preset cache-aware a.jsonl  another pipeline on the same run
  perch replay --set trigger=0.7 'runs/**'   other settings
  perch list                                 the runs agents keep on this machine
  perch estimate runs/                       how far token estimates are from the recorded counts`,
		Version:       build(debug.ReadBuildInfo()),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.shortHelp(c)
			}
			return p.usage(c, fmt.Errorf("unknown command %q%s", args[0], didYouMean(args[0], commandNames(c))))
		},
	}
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(helpTemplate)
	root.SetFlagErrorFunc(p.flagError)
	root.CompletionOptions.DisableNoDescFlag = true
	p.globalFlags(root)
	root.AddCommand(p.replayCommand(), p.estimateCommand(), p.listCommand(), p.formatsCommand(), p.presetsCommand(), p.configCommand(), p.versionCommand())
	for _, c := range root.Commands() {
		c.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return p.checkFlags(c) }
	}
	return root
}

// commandNames lists the names of the commands below c.
func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// flagNames lists the flags of a command as they are typed.
func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}
