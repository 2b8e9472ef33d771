package report

import (
	"encoding/csv"
	"io"
	"strings"
)

// CSV writes the rows of a table for a spreadsheet or a data frame: a row of keys, then plain integers and
// decimals, an empty field for what was not recorded. Titles, totals and notes are left out. A text that a
// spreadsheet would run as a formula gets an apostrophe in front.
func CSV(w io.Writer, t *Table) error {
	out := csv.NewWriter(w)
	var record []string
	for _, c := range t.Columns {
		if c.View == PeopleOnly {
			continue
		}
		for _, p := range c.Parts {
			record = append(record, p.Key)
		}
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, row := range t.Rows {
		record = record[:0]
		for i, cell := range row {
			if t.Columns[i].View == PeopleOnly {
				continue
			}
			for _, v := range cell {
				s := v.data()
				if v.kind == words {
					s = inert(s)
				}
				record = append(record, s)
			}
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// inert takes the meaning of a formula from a text.
func inert(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + Clean(s)
	}
	return Clean(s)
}
