package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The commands of README.md run from the project's root and print what it shows: a newcomer's first minute.
func TestREADMECommands(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	t.Setenv("COLUMNS", "112")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := readmeCommands(string(text))
	if len(commands) < 5 {
		t.Fatalf("README.md has %d commands: the test shows nothing", len(commands))
	}
	for _, c := range commands {
		t.Run(c.line, func(t *testing.T) { c.check(t) })
	}
}

// readmeCommand is a line "$ ..." of a code block with the output shown under it. An output that ends with "..." is
// the beginning of what is printed.
type readmeCommand struct {
	line   string
	output string
}

// readmeCommands finds the commands of the code blocks.
func readmeCommands(text string) []readmeCommand {
	var all []readmeCommand
	fenced := false
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced && ok:
			all = append(all, readmeCommand{line: strings.TrimSpace(command)})
		case fenced && len(all) > 0:
			all[len(all)-1].output += line
		}
	}
	return all
}

// check runs the command in this process, and the tests' own command not at all: .ci/run has to call it.
func (c readmeCommand) check(t *testing.T) {
	args, ok := strings.CutPrefix(strings.TrimPrefix(c.line, "go run ./cmd/"), "perch ")
	if !ok {
		script, err := os.ReadFile(filepath.Join(".ci", "run"))
		if err != nil {
			t.Fatal(err)
		}
		if c.line != "go test ./..." || !bytes.Contains(script, []byte("\n"+c.line+" ")) {
			t.Fatalf("%q is neither a perch command nor the test command .ci/run calls", c.line)
		}
		return
	}
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), words(args), strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	want, got := strings.Split(c.output, "\n"), strings.Split(stdout.String(), "\n")
	want = want[:len(want)-1] // behind the last line break
	if len(want) == 0 {
		return
	}
	if last := len(want) - 1; want[last] == "..." {
		want, got = want[:last], got[:min(last, len(got))]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("README.md shows something else (-README +perch):\n%s", diff)
	}
}

// words splits a command line at its spaces, with single quotes around a word.
func words(line string) []string {
	var list []string
	for _, w := range strings.Fields(line) {
		list = append(list, strings.Trim(w, "'"))
	}
	return list
}
