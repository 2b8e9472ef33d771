package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/google/renameio/v2"
	"golang.org/x/term"

	"perch/report"
)

// The values of --output.
const (
	asText     = "text"
	asMarkdown = "markdown"
	asCSV      = "csv"
	asJSON     = "json"
	asJSONL    = "jsonl"
)

// outputs lists the values of --output.
var outputs = []string{asText, asMarkdown, asCSV, asJSON, asJSONL}

// answer is what a command found: a document for scripts, and the tables that are views of it. detail is the table
// CSV holds.
type answer struct {
	document *report.Document
	tables   []report.Table
	detail   report.Table
	nothing  bool // no input gave anything to answer with
}

// write formats an answer as the flags say and puts it where they say. A table of nothing is not worth a line.
func (p *program) write(a answer) error {
	if a.nothing && (p.flags.output == asText || p.flags.output == asMarkdown) {
		return nil
	}
	var out bytes.Buffer
	if err := p.format(&out, a); err != nil {
		return err
	}
	if p.flags.file == "" {
		return quiet(p.stdout, out.Bytes())
	}
	if err := replaceFile(p.flags.file, out.Bytes()); err != nil {
		return fmt.Errorf("writing %s: %w", p.flags.file, err)
	}
	return nil
}

// format writes an answer in the form of --output.
func (p *program) format(w io.Writer, a answer) error {
	switch p.flags.output {
	case asJSON:
		return report.JSON(w, a.document)
	case asJSONL:
		return report.JSONL(w, a.document)
	case asCSV:
		return report.CSV(w, &a.detail)
	}
	between := ""
	for i := range a.tables {
		t := &a.tables[i]
		if len(t.Rows)+len(t.Notes) == 0 {
			continue
		}
		if _, err := io.WriteString(w, between); err != nil {
			return err
		}
		between = "\n"
		if err := p.draw(w, t); err != nil {
			return err
		}
	}
	return nil
}

// draw writes one table for people.
func (p *program) draw(w io.Writer, t *report.Table) error {
	if p.flags.output == asMarkdown {
		return report.Markdown(w, t)
	}
	return report.Text(w, t, p.paper())
}

// paper is what text is drawn on: a file has no width and no colour. Behind a pipe the width is that of the exported
// variable COLUMNS, if there is one.
func (p *program) paper() report.TextOptions {
	o := report.TextOptions{Color: p.flags.color == "always"}
	if p.flags.file != "" {
		return o
	}
	if !isTerminal(p.stdout) {
		o.Width, _ = strconv.Atoi(p.getenv("COLUMNS"))
		return o
	}
	o.Width = width(p.stdout)
	if p.flags.color == "auto" {
		o.Color = p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
	}
	return o
}

// isTerminal reports whether a stream ends at a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is how wide a terminal is; one that does not say is taken to be 80 cells wide.
func width(stream any) int {
	const usual = 80
	if f, ok := stream.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return usual
}

// quiet writes to a stream whose reader may have gone away, as `head` does when it has seen enough.
func quiet(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// replaceFile puts a whole new file in the place of an old one, so that no reader ever sees half of it. What is no
// regular file (/dev/null, a pipe) is written to.
func replaceFile(name string, b []byte) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(quiet(f, b), f.Close())
	case err == nil:
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	return renameio.WriteFile(name, b, 0o644, renameio.WithExistingPermissions())
}
