package report

import (
	"math"
	"strconv"
	"strings"

	"perch/formats/transcript"
)

// Cell is what stands in one row of one column: one value for each part of the column.
type Cell []Value

// Value is one number or text, kept with what it is until a writer formats it. The zero value is "not recorded".
type Value struct {
	kind   kind
	n      int64
	f      float64
	digits int    // of a percentage or a factor, behind the point
	text   string // as it stands in data
	short  string // as a person sees it; "" for the same
	approx bool   // estimated, or of an assumed size
	alarm  bool   // shown in red where there is colour
	dash   bool   // a person sees "-"
	signed bool   // a plus stands before what is not negative
	minus  bool   // a person sees what was taken away with a minus
}

// kind is how a value is written.
type kind uint8

const (
	missing kind = iota
	empty        // a place where no value belongs, as in a row of totals
	words
	whole
	percent
	factor
	call
)

// Tokens returns a number of tokens. An estimated number is marked as such by its type.
func Tokens[T transcript.Local | transcript.Estimated | transcript.Ledger | transcript.Recorded](n T) Value {
	_, estimated := any(n).(transcript.Estimated)
	return Value{kind: whole, n: int64(n), approx: estimated}
}

// Recorded returns a recorded count: n/a where nothing was recorded, with a ~ where the provider did not count it.
func Recorded(c transcript.Count) Value {
	if !c.Known() {
		return NA()
	}
	return Value{kind: whole, n: int64(c.N), approx: c.From != transcript.Provider}
}

// Int returns a number of things.
func Int[T ~int | ~int64](n T) Value { return Value{kind: whole, n: int64(n)} }

// Freed returns a number of tokens that were taken away: data hold how many, people see a minus before it.
func Freed(n transcript.Ledger) Value { return Value{kind: whole, n: int64(n), minus: true} }

// Percent returns a share or a change in percent, with so many digits behind the point.
func Percent(f float64, digits int) Value { return Value{kind: percent, f: f, digits: digits} }

// Factor returns a plain ratio, with so many digits behind the point.
func Factor(f float64, digits int) Value { return Value{kind: factor, f: f, digits: digits} }

// CallNumber returns the 1-based number of a call; 0, which is no call, is n/a.
func CallNumber(n int) Value {
	if n == 0 {
		return NA()
	}
	return Value{kind: call, n: int64(n)}
}

// Words returns a text. Writers make it harmless: see [Clean].
func Words(s string) Value {
	if s == "" {
		return Blank()
	}
	return Value{kind: words, text: s}
}

// Named returns a text that data hold in full and people see as a short name.
func Named(full, short string) Value { return Value{kind: words, text: full, short: short} }

// NA returns what was not recorded, or cannot be known.
func NA() Value { return Value{kind: missing} }

// Blank returns a place that holds nothing.
func Blank() Value { return Value{kind: empty} }

// One returns a cell of one value.
func One(v Value) Cell { return Cell{v} }

// Approx returns the value marked as approximate if so is true.
func (v Value) Approx(so bool) Value { v.approx = v.approx || so; return v }

// Alarm returns the value set off in red if so is true.
func (v Value) Alarm(so bool) Value { v.alarm = so; return v }

// Dashed returns the value drawn as "-" if so is true: nothing happened, and its zeros would only distract.
func (v Value) Dashed(so bool) Value { v.dash = so; return v }

// Signed returns the value drawn with its sign, as a change.
func (v Value) Signed() Value { v.signed = true; return v }

// blank reports whether a person would learn nothing from the cell.
func (c Cell) blank() bool {
	for _, v := range c {
		if !v.dash && v.kind != missing && v.kind != empty {
			return false
		}
	}
	return true
}

// human formats a value for a person; compact shortens large numbers to thousands.
func (v Value) human(compact bool) string {
	if v.dash {
		return "-"
	}
	s := ""
	switch v.kind {
	case missing:
		return "n/a"
	case empty:
		return ""
	case words:
		if s = v.text; v.short != "" {
			s = v.short
		}
		return Clean(s)
	case whole:
		n := v.n
		if v.minus {
			n = -n
		}
		if s = Grouped(n); compact {
			s = thousands(n)
		}
	case percent:
		s = v.percentage() + " %"
	case factor:
		s = decimal(v.f, v.digits)
	case call:
		s = "#" + strconv.FormatInt(v.n, 10)
	}
	if v.approx {
		s = "~" + s
	}
	return s
}

// percentage writes a share or a change. A share that is there but rounds to nothing is said to be smaller than the
// smallest number shown.
func (v Value) percentage() string {
	s := decimal(v.f, v.digits)
	switch none := s == decimal(0, v.digits); {
	case none && v.f > 0 && !v.signed:
		return "<" + decimal(math.Pow10(-v.digits), v.digits)
	case !none && v.f > 0 && v.signed:
		return "+" + s
	}
	return s
}

// decimal writes a number with so many digits behind the point; what rounds to nothing has no sign.
func decimal(f float64, digits int) string {
	s := strconv.FormatFloat(f, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// data formats a value for a machine: plain integers, decimals of two more
// digits than a person sees, nothing for what was not recorded.
func (v Value) data() string {
	switch v.kind {
	case words:
		return v.text
	case whole, call:
		return strconv.FormatInt(v.n, 10)
	case percent, factor:
		return strconv.FormatFloat(v.f, 'f', v.digits+2, 64)
	}
	return ""
}

// Grouped writes an integer with a comma between its thousands.
func Grouped[T ~int | ~int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	for i, d := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// thousands shortens an integer of five digits and more to thousands or millions.
func thousands(n int64) string {
	switch abs := max(n, -n); {
	case abs >= 10_000_000:
		return Grouped((n+sign(n)*500_000)/1_000_000) + "M"
	case abs >= 10_000:
		return Grouped((n+sign(n)*500)/1_000) + "k"
	}
	return Grouped(n)
}

func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}
