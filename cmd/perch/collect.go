package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"perch/cmd/perch/input"
	"perch/replay"
)

// found is what became of the inputs.
type found struct {
	runs    []*replay.Result
	refused []replay.Refused
	partial bool
	junk    input.Tally
}

// collect replays every transcript the arguments name, in order. What went wrong beside the results is told on
// standard error when the work is done, so that it does not run into the progress bar.
func (p *program) collect(ctx context.Context, c *cobra.Command, args []string, cfg replay.Config) (found, error) {
	options, err := p.inputOptions(c)
	if err != nil {
		return found{}, err
	}
	in := input.Open(args, p.stdin, options)
	bar := newProgress(p.stderr, in.Len(), p.animated())
	f := found{refused: []replay.Refused{}}
	var told []string
	for r, err := range replay.All(ctx, in.Transcripts(), cfg, p.flags.workers) {
		if err == nil {
			f.runs = append(f.runs, r)
			bar.step(r.Source)
			continue
		}
		if text := p.place(&f, err); text != "" {
			told = append(told, text)
		}
	}
	bar.finish()
	for _, text := range told {
		p.say("%s", text)
	}
	for _, line := range f.junk.Lines() {
		p.warn("%s", line)
	}
	if f.partial {
		p.codes = append(p.codes, exitInterrupted)
		p.say("interrupted: what is written is partial")
	}
	return f, nil
}

// place puts an error where it belongs, notes its exit code, and returns what is to be said about it.
func (p *program) place(f *found, err error) string {
	var problem *input.Problem
	var refused replay.Refused
	switch {
	case errors.Is(err, context.Canceled):
		f.partial = true
		return ""
	case errors.As(err, &refused):
		f.refused = append(f.refused, refused)
		return ""
	case errors.As(err, &problem):
		if !problem.Named {
			f.junk.Add(problem)
			return ""
		}
		p.codes = append(p.codes, exitNoTranscript)
	default:
		p.codes = append(p.codes, exitUsage)
	}
	return err.Error()
}

// animated reports whether a progress bar may be drawn.
func (p *program) animated() bool {
	return !p.flags.quiet && isTerminal(p.stderr) && p.getenv("CI") == "" && p.getenv("TERM") != "dumb"
}
