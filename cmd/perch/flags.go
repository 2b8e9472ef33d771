package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perch/cmd/perch/input"
)

// flags are the flags of all commands. Those that change numbers are settings of package config, too: see
// settings.go.
type flags struct {
	config, preset string
	set            []string
	limit          string
	tier, counter  string
	from           string

	format         string
	workers        int
	limits         input.Limits
	latest         bool
	keepDuplicates bool

	agent, project string
	since, until   string
	minCalls       int

	output, file string
	color        string
	quiet        bool

	calls, skips bool
	failOn       []string
}

// settingFlags binds the flags that change numbers.
func (p *program) settingFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.flags.config, "config", "", "read settings from this YAML `file`")
	f.StringVar(&p.flags.preset, "preset", "", "start from a `preset`: perch presets lists them (default perch)")
	f.StringArrayVar(&p.flags.set, "set", nil, "set one `key=value`, as in micro.keep_last=5; may be repeated")
	f.StringVar(&p.flags.limit, "limit", "", "limit in tokens, `N[:window|:input]`: of prompt and output together, or of the prompt alone")
	f.StringVar(&p.flags.tier, "tier", "", "`name` of the tier whose larger window applied, as in 1M")
	p.counterFlag(c)
	f.StringVar(&p.flags.from, "from", "", "where replays start: `segments` keeps what was compacted when recorded, raw undoes it (default segments)")
	p.completes(c, "preset", presetNames)
	p.completes(c, "set", settingKeys)
	p.completes(c, "from", func() []string { return []string{"segments", "raw"} })
}

// counterFlag binds the flag that says how visible text is counted.
func (p *program) counterFlag(c *cobra.Command) {
	c.Flags().StringVar(&p.flags.counter, "counter", "", "`how` visible text is counted: "+strings.Join(counterNames(), ", ")+" (default o200k)")
	p.completes(c, "counter", counterNames)
}

// inputFlags binds the flags that say how inputs are read.
func (p *program) inputFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.flags.format, "format", "", "read every input as this `format` (default: recognised by content)")
	f.IntVar(&p.flags.workers, "workers", runtime.GOMAXPROCS(0), "how many transcripts are in work at a time; no result depends on it")
	p.completes(c, "format", formatNames)
	p.flags.limits = input.DefaultLimits()
	f.Var(&p.flags.limits.Line, "max-line", "cut off what is longer on a line than this `size`, as in 256MB or 64MiB; that costs the record")
	f.IntVar(&p.flags.limits.Lines, "max-lines", p.flags.limits.Lines, "read no file of more than `N` lines")
	f.Var(&p.flags.limits.File, "max-file", "read no file above this `size`, and no more of standard input")
	f.Var(&p.flags.limits.Unpacked, "max-unpacked", "unpack a .gz or .zst to no more than this `size`")
	f.Var(&p.flags.limits.Total, "max-total", "read no more than this `size` in all, after unpacking; memory does not grow with it")
}

// runFlags binds the flags that say which recorded runs count, for commands that take T.
func (p *program) runFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&p.flags.latest, "latest", false, "the newest run of `perch list`, too: the same as @1")
	f.BoolVar(&p.flags.keepDuplicates, "keep-duplicates", false, "count calls that several files hold every time, and not once")
}

// outputFlags binds the flags that say what becomes of results.
func (p *program) outputFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.flags.output, "output", asText, "`form` of the results: "+strings.Join(outputs, ", "))
	f.StringVarP(&p.flags.file, "out", "o", "", "write results to this `file`, whole or not at all")
	p.completes(c, "output", func() []string { return outputs })
}

// globalFlags binds the flags every command has.
func (p *program) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&p.flags.color, "color", "auto", "`when` to use colour: auto, always, never; auto heeds NO_COLOR")
	f.BoolVar(&p.flags.quiet, "quiet", false, "no warnings and no progress on standard error")
	_ = root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
}

// completes offers the values of a flag to a shell.
func (p *program) completes(c *cobra.Command, flag string, values func() []string) {
	_ = c.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var fit []string
		for _, v := range values() {
			if strings.HasPrefix(v, typed) {
				fit = append(fit, v)
			}
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if flag == "set" {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return fit, directive
	})
}

// checkFlags refuses values that cannot work before any work is done.
func (p *program) checkFlags(c *cobra.Command) error {
	for _, check := range []struct {
		flag, value string
		known       []string
	}{
		{"output", p.flags.output, outputs},
		{"color", p.flags.color, []string{"auto", "always", "never"}},
	} {
		if c.Flags().Lookup(check.flag) != nil && !slices.Contains(check.known, check.value) {
			return p.usage(c, fmt.Errorf("--%s %s: want %s%s", check.flag, check.value, strings.Join(check.known, ", "), didYouMean(check.value, check.known)))
		}
	}
	if p.flags.workers < 1 && c.Flags().Lookup("workers") != nil {
		return p.usage(c, fmt.Errorf("--workers %d: want at least 1", p.flags.workers))
	}
	if p.flags.limits.Lines < 1 && c.Flags().Lookup("max-lines") != nil {
		return p.usage(c, fmt.Errorf("--max-lines %d: want at least 1", p.flags.limits.Lines))
	}
	if p.flags.limits.Line > input.MostLine {
		return p.usage(c, fmt.Errorf("--max-line %s: the most is %s", p.flags.limits.Line, input.MostLine))
	}
	if dir := filepath.Dir(p.flags.file); p.flags.file != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return p.usage(c, fmt.Errorf("-o %s: there is no folder %s", p.flags.file, dir))
		}
	}
	if p.flags.calls && p.flags.skips && p.flags.output == asCSV {
		return p.usage(c, errors.New("csv holds one table: give --calls or --skips, not both"))
	}
	return nil
}

// usage wraps a mistake on the command line of c.
func (p *program) usage(c *cobra.Command, err error) error {
	return &usageError{err: err, help: c.CommandPath()}
}

// flagError words a mistake in a flag, with the flag that was probably meant.
func (p *program) flagError(c *cobra.Command, err error) error {
	var named interface{ GetSpecifiedName() string }
	if errors.As(err, &named) && c.Flag(named.GetSpecifiedName()) == nil && len(named.GetSpecifiedName()) > 1 {
		err = fmt.Errorf("%w%s", err, didYouMean("--"+named.GetSpecifiedName(), flagNames(c)))
	}
	return p.usage(c, err)
}

// didYouMean suggests the known name that is nearest to a mistyped one.
func didYouMean(typed string, known []string) string {
	names := &cobra.Command{}
	for _, k := range known {
		names.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	for names.SuggestionsMinimumDistance = range 3 {
		if near := names.SuggestionsFor(typed); len(near) > 0 {
			return "; did you mean " + near[0] + "?"
		}
	}
	return ""
}

// errShownHelp ends a command that printed its help because it was given nothing to work on.
var errShownHelp = errors.New("nothing to work on")

// shortHelp prints how a command is used, for one that was given nothing.
func (p *program) shortHelp(c *cobra.Command) error {
	fmt.Fprintf(p.stderr, "%s\n\n%s\n\nRun `%s --help` for everything it can do.\n", c.Long, c.Example, c.CommandPath())
	return errShownHelp
}
