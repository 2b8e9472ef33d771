// Package main writes the project's recorded runs for tests and examples: made-up agent work in the shape in which
// Claude Code and perch record it, under testdata/transcripts.
//
// Run it from the project's root with "go run ./scripts/gentranscripts", or name another folder as its argument.
// Every byte follows from fixed seeds, so a change of the generator is a change of the data and shows in a diff;
// a test compares what is committed with what the generator writes.
//
//  1. A run_*.go file tells one run as a story: what a person asks, what the agent calls, what comes back.
//  2. The text of it comes from the grammars in words.go, code.go, logs.go, tables.go and pages.go.
//  3. A [session] writes each step as the records the agent would have left, and keeps the prompt as the model
//     would have seen it, hidden overhead included. The recorded usage follows from that prompt: see meter.go.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// defaultFolder is where the data of the project stands, seen from its root.
const defaultFolder = "testdata/transcripts"

// file is one recording: a slash-separated name below the folder, and its bytes.
type file struct {
	name string
	data []byte
}

// run tells one or more recordings.
type run func() []file

// runs lists every run, in the order their files are written.
var runs = [...]run{
	codingLong,
	browser,
	forensic,
	financial,
	overflow,
	compacted,
	subagents,
	forks,
	damaged,
	canonical,
}

func main() {
	if err := write(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gentranscripts:", err)
		os.Exit(1)
	}
}

// write writes every recording below the folder named in args and lists them on out.
func write(args []string, out io.Writer) error {
	folder := defaultFolder
	if len(args) > 0 {
		folder = args[0]
	}
	for _, tell := range runs {
		for _, f := range tell() {
			path := filepath.Join(folder, filepath.FromSlash(f.name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, f.data, 0o644); err != nil {
				return err
			}
			fmt.Fprintf(out, "%8d %s\n", len(f.data), f.name)
		}
	}
	return nil
}
