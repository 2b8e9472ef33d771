package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Markdown writes a table in GitHub's dialect: a heading, the table with its total in bold, the notes as a list.
func Markdown(w io.Writer, t *Table) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "### %s\n", escape(Clean(t.Title)))
	if len(t.Rows) > 0 {
		out.WriteByte('\n')
		if err := markdownGrid(&out, t); err != nil {
			return fmt.Errorf("drawing the table %q: %w", t.Title, err)
		}
	}
	if len(t.Notes) > 0 {
		out.WriteByte('\n')
	}
	for _, n := range t.Notes {
		label := n.Label
		if n.Warn {
			label = "warning"
		}
		fmt.Fprintf(&out, "- **%s**: %s\n", escape(Clean(label)), escape(Clean(n.Text)))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// markdownGrid writes the table itself.
func markdownGrid(out *bytes.Buffer, t *Table) error {
	columns := t.used()
	head := make([]string, len(columns))
	align := make([]tw.Align, len(columns))
	for i, c := range columns {
		col := &t.Columns[c]
		head[i] = escape(col.Title)
		if unit := col.loose(col.units()); unit != "" {
			head[i] += " (" + escape(unit) + ")"
		}
		align[i] = tw.AlignRight
		if col.Left {
			align[i] = tw.AlignLeft
		}
	}
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{PerColumn: align},
	}
	table := tablewriter.NewTable(out, tablewriter.WithRenderer(renderer.NewMarkdown()),
		tablewriter.WithConfig(tablewriter.Config{Header: cells, Row: cells, Behavior: tw.Behavior{TrimSpace: tw.Off, TrimLine: tw.Off}}))
	table.Header(head)
	rows := t.Rows
	if t.Total != nil {
		rows = append(rows[:len(rows):len(rows)], t.Total)
	}
	for r, row := range rows {
		texts := make([]string, len(columns))
		for i, c := range columns {
			texts[i] = t.Columns[c].markdown(row[c])
			if r == len(t.Rows) && texts[i] != "" {
				texts[i] = "**" + texts[i] + "**"
			}
		}
		if err := table.Append(texts); err != nil {
			return err
		}
	}
	return table.Render()
}

// markdown formats a cell.
func (c *Column) markdown(cell Cell) string {
	if cell.blank() {
		return cell[0].human(false)
	}
	parts := make([]string, len(cell))
	for i, v := range cell {
		parts[i] = v.human(false)
	}
	return escape(c.loose(parts))
}

// loose joins the parts of a cell without padding.
func (c *Column) loose(parts []string) string {
	join := c.Join
	if join == "" {
		join = " "
	}
	return strings.Trim(strings.Join(parts, join), " ")
}

// markdownEscapes takes the meaning of Markdown and HTML from a text.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "<", "&lt;", "&", "&amp;")

// escape makes a text of one line stand for itself in Markdown.
func escape(s string) string { return markdownEscapes.Replace(s) }
