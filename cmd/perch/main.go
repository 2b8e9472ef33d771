// Command perch replays recorded agent transcripts through a context-compaction pipeline and reports where each
// step would have fired and how much it would have freed.
//
// This package is wiring: flags become settings, inputs become transcripts, results become a report. [run] is the
// whole program; the exit codes stand in exit.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"perch/report"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// program is one invocation.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	environ        []string
	flags          flags
	codes          []int // every exit code that applies so far
}

// run is the whole program: it carries out the arguments and returns the exit code. An interrupt ends the work in
// hand and still writes what is finished; a second one ends the program.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	signal.Ignore(syscall.SIGPIPE) // a reader that goes away is an error of the write, see quiet

	p := &program{stdin: stdin, stdout: stdout, stderr: stderr, getenv: os.Getenv, environ: os.Environ()}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		p.complain(err)
	}
	return worst(p.codes...)
}

// usageError is a mistake on the command line, with where its help is.
type usageError struct {
	err  error
	help string // the command whose --help has the answer
}

// Error implements error.
func (e *usageError) Error() string { return e.err.Error() }

// Unwrap returns the mistake.
func (e *usageError) Unwrap() error { return e.err }

// complain prints an error that ended a command and notes its exit code.
func (p *program) complain(err error) {
	p.codes = append(p.codes, exitUsage)
	if errors.Is(err, errShownHelp) {
		return
	}
	for line := range strings.Lines(err.Error()) {
		p.say("%s", strings.TrimSuffix(line, "\n"))
	}
	var usage *usageError
	if errors.As(err, &usage) {
		p.say("run `%s --help` for its flags", usage.help)
	}
}

// warn prints what a person should know about the results, unless they asked for quiet.
func (p *program) warn(format string, args ...any) {
	if !p.flags.quiet {
		p.say("warning: "+format, args...)
	}
}

// say prints one message line.
func (p *program) say(format string, args ...any) {
	fmt.Fprintln(p.stderr, "perch: "+report.Clean(fmt.Sprintf(format, args...)))
}
