package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// TextOptions says what a table is drawn on.
type TextOptions struct {
	Width int  // of the terminal, in cells; 0 for a file or a pipe, where nothing is cut or wrapped
	Color bool // whether escape sequences may be written
}

// The escape sequences of the three things colour is used for.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// Text writes a table for a person: the title, the table, its total, and the notes.
func Text(w io.Writer, t *Table, o TextOptions) error {
	var out bytes.Buffer
	for _, line := range wrap(Clean(t.Title), o.Width) {
		out.WriteString(o.paint(bold, line) + "\n")
	}
	notes := t.Notes
	if len(t.Rows) > 0 {
		l, dropped := fit(t, o.Width)
		out.WriteByte('\n')
		if err := o.draw(&out, t, &l); err != nil {
			return fmt.Errorf("drawing the table %q: %w", t.Title, err)
		}
		notes = append(narrowed(t, &l, dropped), notes...)
	}
	if len(notes) > 0 {
		out.WriteByte('\n')
		o.notes(&out, notes)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// narrowed says what a narrow terminal does not show, and what the numbers are whose units it does not.
func narrowed(t *Table, l *layout, dropped []int) []Note {
	var notes []Note
	if l.compact {
		var units []string
		for _, c := range l.columns {
			col := &t.Columns[c]
			if unit := col.loose(col.units()); unit != "" {
				units = append(units, col.Title+" "+unit)
			}
		}
		notes = append(notes, Note{Label: "units", Text: strings.Join(append(units, "k = 1,000 tokens"), ", ")})
	}
	if len(dropped) > 0 {
		names := make([]string, len(dropped))
		for i, c := range dropped {
			names[i] = t.Columns[c].heading()
		}
		notes = append(notes, Note{Label: "left out", Text: strings.Join(names, ", ") + " (a wider terminal or -o FILE shows them)"})
	}
	return notes
}

// draw writes the grid.
func (o TextOptions) draw(out *bytes.Buffer, t *Table, l *layout) error {
	var grid bytes.Buffer
	table := tablewriter.NewTable(&grid, tablewriter.WithRenderer(borderless()), tablewriter.WithConfig(gridConfig(t, l)))
	head := make([]string, len(l.titles))
	lines := 1
	for i := range head {
		head[i] = l.titles[i]
		if strings.Join(l.units, "") != "" {
			head[i] += "\n" + l.units[i]
			lines = 2
		}
	}
	table.Header(head)
	for r, row := range l.rows {
		for i := range row {
			if l.alarms[[2]int{r, i}] {
				row[i] = o.paint(red, row[i])
			}
		}
		if err := table.Append(row); err != nil {
			return err
		}
	}
	if l.total != nil {
		table.Footer(l.total)
	}
	if err := table.Render(); err != nil {
		return err
	}
	for i, line := range strings.SplitAfter(grid.String(), "\n") {
		line = strings.TrimRight(line, " \n")
		switch {
		case i < lines:
			line = o.paint(bold, line)
		case line == "":
			continue
		}
		out.WriteString(line + "\n")
	}
	return nil
}

// borderless draws no frame, only a rule below the titles and one above the total.
func borderless() tw.Renderer {
	return renderer.NewBlueprint(tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleLight),
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
			Lines:      tw.Lines{ShowHeaderLine: tw.On, ShowFooterLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off},
		},
	})
}

// gridConfig turns off everything a table library does to texts on its own.
func gridConfig(t *Table, l *layout) tablewriter.Config {
	align := make([]tw.Align, len(l.columns))
	pad := make([]tw.Padding, len(l.columns))
	for i, c := range l.columns {
		align[i] = tw.AlignRight
		if t.Columns[c].Left {
			align[i] = tw.AlignLeft
		}
		pad[i] = tw.Padding{Right: strings.Repeat(" ", gap), Overwrite: true}
		if i == len(l.columns)-1 {
			pad[i].Right = ""
		}
	}
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Padding:    tw.CellPadding{Global: tw.Padding{Overwrite: true}, PerColumn: pad},
		Alignment:  tw.CellAlignment{PerColumn: align},
	}
	return tablewriter.Config{Header: cells, Row: cells, Footer: cells, Behavior: tw.Behavior{TrimSpace: tw.Off, TrimLine: tw.Off}}
}

// notes writes the lines below a table: labels in a column of their own, texts wrapped beside them.
func (o TextOptions) notes(out *bytes.Buffer, notes []Note) {
	indent := 0
	for _, n := range notes {
		if !n.Warn {
			indent = max(indent, twwidth.Width(n.Label)+gap)
		}
	}
	last := ""
	for _, n := range notes {
		label, margin := n.Label, indent
		if n.Warn {
			label, margin = "!", gap
		} else if label == last {
			label = ""
		}
		last = n.Label
		for i, line := range wrap(Clean(n.Text), max(o.Width-margin, 0)) {
			if i > 0 {
				label = ""
			}
			line = label + strings.Repeat(" ", margin-twwidth.Width(label)) + line
			if n.Warn {
				line = o.paint(yellow, line)
			}
			out.WriteString(line + "\n")
		}
	}
}

// paint sets off a text where there is colour.
func (o TextOptions) paint(escape, s string) string {
	if !o.Color || s == "" {
		return s
	}
	return escape + s + plain
}

// wrap breaks a text at its spaces into lines of at most width terminal cells; 0 is unlimited.
func wrap(s string, width int) []string {
	if width == 0 {
		return []string{s}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && twwidth.Width(line)+1+twwidth.Width(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
