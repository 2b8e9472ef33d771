package report

import (
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// gap is the space between two columns, in terminal cells.
const gap = 2

// How short a name may be cut to fit a terminal, in terminal cells: first, so that columns can stay, and at last.
const (
	shortName    = 24
	shortestName = 12
)

// squeeze is what is done to cells so that a table fits.
type squeeze struct {
	name    int  // names are cut to so many terminal cells; 0 for none
	compact bool // no units, and large numbers in thousands
}

// layout is a table formatted for people: one string a cell, the parts of a cell set below each other.
type layout struct {
	columns []int // of the table
	titles  []string
	units   []string
	rows    [][]string
	total   []string
	alarms  map[[2]int]bool // row and column of cells set off in red
	compact bool            // no units, and large numbers in thousands
}

// fit formats a table so that it is at most width terminal cells wide: it shortens names, then drops the columns of
// the highest rank, then shortens large numbers, then names again. A width of 0 is unlimited. It returns the columns
// it dropped.
func fit(t *Table, width int) (layout, []int) {
	columns := t.used()
	l := format(t, columns, squeeze{})
	if width == 0 || l.width() <= width {
		return l, nil
	}
	var dropped []int
	for l = format(t, columns, squeeze{name: shortName}); l.width() > width; {
		worst := -1
		for i, c := range columns {
			if rank := t.Columns[c].Rank; rank > 0 && (worst < 0 || rank >= t.Columns[columns[worst]].Rank) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		dropped = append(dropped, columns[worst])
		columns = slices.Delete(columns, worst, worst+1)
		l = format(t, columns, squeeze{name: shortName})
	}
	for name := shortName; l.width() > width && name >= shortestName; name -= 2 {
		l = format(t, columns, squeeze{name: name, compact: true})
	}
	slices.Sort(dropped)
	return l, dropped
}

// format lays out the given columns.
func format(t *Table, columns []int, sq squeeze) layout {
	l := layout{columns: columns, compact: sq.compact, rows: make([][]string, len(t.Rows)), alarms: map[[2]int]bool{}}
	for at, c := range columns {
		col := &t.Columns[c]
		widths := col.widths(t, c, sq)
		l.titles = append(l.titles, col.Title)
		if sq.compact {
			l.units = append(l.units, "")
		} else {
			l.units = append(l.units, col.join(col.units(), widths))
		}
		for r, row := range t.Rows {
			l.rows[r] = append(l.rows[r], col.text(row[c], widths, sq))
			if slices.ContainsFunc(row[c], func(v Value) bool { return v.alarm }) {
				l.alarms[[2]int{r, at}] = true
			}
		}
		if t.Total != nil {
			l.total = append(l.total, col.text(t.Total[c], widths, sq))
		}
	}
	return l
}

// units are the units of the parts of a column.
func (c *Column) units() []string {
	units := make([]string, len(c.Parts))
	for i, p := range c.Parts {
		units[i] = p.Unit
	}
	return units
}

// heading names a column in a sentence.
func (c *Column) heading() string {
	if len(c.Parts) > 1 {
		return c.Title
	}
	return strings.TrimSpace(c.Title + " " + c.Parts[0].Unit)
}

// widths is how wide each part of a column is over all its rows.
func (c *Column) widths(t *Table, at int, sq squeeze) []int {
	widths := make([]int, len(c.Parts))
	if !sq.compact {
		for i, unit := range c.units() {
			widths[i] = twwidth.Width(unit)
		}
	}
	rows := t.Rows
	if t.Total != nil {
		rows = append(slices.Clip(rows), t.Total)
	}
	for _, row := range rows {
		if row[at].blank() {
			continue
		}
		for i, v := range row[at] {
			widths[i] = max(widths[i], twwidth.Width(v.human(sq.compact)))
		}
	}
	return widths
}

// text formats a cell; one in which nothing happened is a single dash.
func (c *Column) text(cell Cell, widths []int, sq squeeze) string {
	if cell.blank() {
		return cell[0].human(sq.compact)
	}
	parts := make([]string, len(cell))
	for i, v := range cell {
		parts[i] = v.human(sq.compact)
	}
	text := c.join(parts, widths)
	if c.Cut && sq.name > 0 {
		return middle(text, sq.name)
	}
	return text
}

// join puts the parts of a cell together: with the column's own joint, or padded so that each part is aligned
// with the one above.
func (c *Column) join(parts []string, widths []int) string {
	if strings.TrimSpace(strings.Join(parts, "")) == "" {
		return ""
	}
	if len(parts) == 1 {
		return parts[0]
	}
	if c.Join != "" {
		return strings.Join(parts, c.Join)
	}
	for i := range parts {
		pad := strings.Repeat(" ", max(0, widths[i]-twwidth.Width(parts[i])))
		if c.Left {
			parts[i] += pad
		} else {
			parts[i] = pad + parts[i]
		}
	}
	return strings.Join(parts, " ")
}

// width is how wide the table is.
func (l *layout) width() int {
	sum := 0
	for i := range l.columns {
		sum += l.columnWidth(i) + gap
	}
	return sum - gap
}

// columnWidth is the width of the widest string in column i.
func (l *layout) columnWidth(i int) int {
	w := max(twwidth.Width(l.titles[i]), twwidth.Width(l.units[i]))
	for _, row := range l.rows {
		w = max(w, twwidth.Width(row[i]))
	}
	if l.total != nil {
		w = max(w, twwidth.Width(l.total[i]))
	}
	return w
}

// middle cuts a text to a width by taking out its middle: names of recordings often differ at the end only.
func middle(s string, width int) string {
	if twwidth.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	head, tail := 0, len(runes)
	for used, front := 1, true; head < tail; front = !front {
		r := runes[head]
		if !front {
			r = runes[tail-1]
		}
		if used += twwidth.Width(string(r)); used > width {
			break
		}
		if front {
			head++
		} else {
			tail--
		}
	}
	return string(runes[:head]) + "…" + string(runes[tail:])
}
