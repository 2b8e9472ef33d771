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
	tally   input.Tally
}

// collect replays every transcript the arguments name, in order. What went wrong beside the results is told on
// standard error when the work is done, so that it does not run into the progress bar.
func (p *program) collect(ctx context.Context, c *cobra.Command, args []string, cfg replay.Config) (found, error) {
	options, err := p.inputOptions(c)
	if err != nil {
		return found{}, err
	}
	if p.flags.latest {
		args = append(args, input.Latest)
	}
	in := input.Open(ctx, args, p.stdin, options)
	bar := newProgress(p.stderr, in.Len(), p.animated())
	f := found{refused: []replay.Refused{}}
	var told []string
	for r, err := range replay.All(ctx, in.Transcripts(), cfg, p.flags.workers) {
		if err == nil {
			f.runs = append(f.runs, r)
			f.tally.Found(r.Source)
			bar.step(r.Source)
			continue
		}
		if text := p.place(&f, err); text != "" {
			told = append(told, text)
		}
	}
	bar.finish()
	p.tell(told, &f.tally)
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
		f.tally.Found(refused.Source)
		return ""
	case errors.As(err, &problem):
		return p.failed(&f.tally, problem)
	}
	p.codes = append(p.codes, exitUsage)
	return err.Error()
}

// failed counts what gave no transcript, notes its exit code, and returns what is to be said about it.
func (p *program) failed(tally *input.Tally, problem *input.Problem) string {
	tally.Failed(problem)
	if !problem.Named {
		return ""
	}
	p.codes = append(p.codes, exitNoTranscript)
	return problem.Error()
}

// tell says what was not read: what was named by itself, what lay in folders by reason, and all of it in one line.
func (p *program) tell(told []string, tally *input.Tally) {
	for _, text := range told {
		p.say("%s", text)
	}
	for _, line := range tally.Lines() {
		p.warn("%s", line)
	}
	if sum := tally.Sum(); sum != "" && !p.flags.quiet {
		p.say("%s", sum)
	}
}

// animated reports whether a progress bar may be drawn.
func (p *program) animated() bool {
	return !p.flags.quiet && isTerminal(p.stderr) && p.getenv("CI") == "" && p.getenv("TERM") != "dumb"
}
