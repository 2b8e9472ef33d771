// Package report turns results into tables and tables into text, Markdown, CSV and JSON, so that every number a
// person reads is a number a script can read too.
//
// A command collects results, calls the function that draws them ([Replay], [Calls], [Skips], ...), and gives the
// tables to a writer:
//
//  1. a drawing function is pure: results in, a [Table] of typed values out; nothing is formatted yet,
//  2. [Text], [Markdown] and [CSV] format a table; only they know about separators, widths and escapes,
//  3. [JSON] and [JSONL] write a [Document]: the result structs themselves, of which the tables are views.
//
// The same results give the same bytes. What was not recorded is n/a (an empty field in CSV, null in JSON), never
// 0, and what is estimated carries a ~.
package report

// Table is a finished answer: what stands in it, not how it looks.
type Table struct {
	Title   string // one line: what was asked, and under which settings
	Columns []Column
	Rows    [][]Cell
	Total   []Cell // a last row that sums the others; nil for none. CSV leaves it out
	Notes   []Note // below the table, in order
}

// Column describes the cells that stand below each other.
type Column struct {
	Title string  // a word or two
	Parts []Part  // the values of each cell
	Join  string  // what a person sees between the values of a cell; a space where it is empty
	Left  bool    // aligned to the left, as names are
	Cut   bool    // its texts may lose their middle where the table is too wide
	Rank  int     // columns of the highest rank are dropped first where the table is too wide; rank 0 stays
	View  Visible // where the column is shown
	Claim Tier    // what its numbers claim; "" for names and settings
}

// Part is one value of the cells of a column.
type Part struct {
	Key  string // its name in CSV: a key of the JSON surface where there is one
	Unit string // stands below the title
}

// Visible says which writers show a column.
type Visible uint8

// The visibilities of a column.
const (
	WhenUsed   Visible = iota // everywhere; for people only where a row has something in it
	Always                    // everywhere, also when every row is blank
	PeopleOnly                // everywhere but in CSV
	DataOnly                  // only in CSV
)

// Note is a line below a table.
type Note struct {
	Label string // what the line is about; the next notes of the same label are set below it
	Text  string
	Warn  bool // something that can make the numbers above wrong
}

// Number returns a column of one number, with its unit.
func Number(title, unit, key string) Column {
	return Column{Title: title, Parts: []Part{{Key: key, Unit: unit}}}
}

// Name returns a column of one text, aligned to the left.
func Name(title, key string) Column {
	return Column{Title: title, Parts: []Part{{Key: key}}, Left: true}
}

// RunName returns the column of the runs' names. Data have their source and thread instead.
func RunName() Column {
	return Column{Title: "run", Parts: []Part{{}}, Left: true, Cut: true, View: PeopleOnly}
}

// Ranked returns the column with a rank.
func (c Column) Ranked(rank int) Column { c.Rank = rank; return c }

// Shown returns the column with a visibility.
func (c Column) Shown(v Visible) Column { c.View = v; return c }

// Claims returns the column with the tier of its claim.
func (c Column) Claims(t Tier) Column { c.Claim = t; return c }

// used returns the indexes of the columns a person is shown: data columns, and those in which every row is blank,
// are left out.
func (t *Table) used() []int {
	var keep []int
	for i, c := range t.Columns {
		if c.View != DataOnly && (c.View != WhenUsed || !t.blank(i)) {
			keep = append(keep, i)
		}
	}
	return keep
}

// blank reports whether no row has anything in column i.
func (t *Table) blank(i int) bool {
	for _, row := range t.Rows {
		if !row[i].blank() {
			return false
		}
	}
	return true
}
