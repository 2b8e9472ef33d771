package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxDepth is how deep the JSON of a record may be nested. Real records reach about 20; the validator recurses
// without a limit of its own, so a line of nothing but brackets would end the process.
const maxDepth = 1000

// maxTokens is where token counts saturate: far above any real one, far below an overflow of their sums.
const maxTokens = 1 << 40

// record is one validated JSON object of a recording.
type record struct {
	line int
	obj  gjson.Result
}

// records yields every JSON object of a file in order. What is damaged is noted and skipped; an error ends the
// sequence.
func records(r io.Reader, max int, n *notes) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		lines, err := newLineReader(r, max)
		if err != nil {
			yield(record{}, err)
			return
		}
		for {
			line, tooLong, err := lines.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(record{}, err)
				return
			}
			if tooLong {
				n.damage(lines.line, fmt.Sprintf("a line of more than %d MiB was skipped", max>>20))
				continue
			}
			for obj := range values(lines.clean(line, n), lines.line, n) {
				if !yield(record{lines.line, obj}, nil) {
					return
				}
			}
		}
	}
}

// values yields the JSON objects that stand on a line: one as a rule, several where the writer lost a line break.
func values(line []byte, number int, n *notes) iter.Seq[gjson.Result] {
	return func(yield func(gjson.Result) bool) {
		for len(line) > 0 {
			end, fault := objectEnd(line)
			if fault != "" {
				n.damage(number, fault)
				return
			}
			value := line[:end]
			line = bytes.TrimLeft(line[end:], " \t\r\n,")
			if !gjson.ValidBytes(value) {
				n.damage(number, "a record that is not valid JSON was skipped")
				continue
			}
			if !yield(gjson.ParseBytes(value)) {
				return
			}
		}
	}
}

// objectEnd finds the end of the object that b begins with, by its brackets alone, or says what is wrong with it.
func objectEnd(b []byte) (end int, fault string) {
	if b[0] != '{' {
		return 0, "a line that is no JSON object was skipped"
	}
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			n := stringEnd(b[i+1:])
			if n < 0 {
				return 0, "a record that is cut off was skipped"
			}
			i += n
		case '{', '[':
			if depth++; depth > maxDepth {
				return 0, fmt.Sprintf("a record nested deeper than %d levels was skipped", maxDepth)
			}
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, ""
			}
		}
	}
	return 0, "a record that is cut off was skipped"
}

// stringEnd returns the length of the string whose content b begins with, its closing quote included, or -1.
func stringEnd(b []byte) int {
	for from := 0; ; {
		q := bytes.IndexByte(b[from:], '"')
		if q < 0 {
			return -1
		}
		q += from
		slashes := 0
		for slashes < q && b[q-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return q + 1
		}
		from = q + 1
	}
}

// own returns a string value as memory of its own, so that it does not keep the whole record alive; "" for a
// value of another type.
func own(v gjson.Result) string {
	if v.Type != gjson.String {
		return ""
	}
	if len(v.Raw) != len(v.Str)+2 { // it had escapes, so it is a copy already
		return v.Str
	}
	return strings.Clone(v.Str)
}

// cut returns at most n bytes of a text, whole characters only.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

// isTrue reports whether a value is true.
func isTrue(v gjson.Result) bool { return v.Type == gjson.True }

// tokens reads a token count. It is not ok where the value is no number or is negative.
func tokens(v gjson.Result) (n int, ok bool) {
	if v.Type != gjson.Number || v.Num < 0 || math.IsNaN(v.Num) {
		return 0, false
	}
	if v.Num >= maxTokens {
		return maxTokens, true
	}
	return int(v.Num), true
}

// instant reads a time stamp, in UTC; the zero time where there is none that JSON could hold.
func instant(v gjson.Result) time.Time {
	t, err := time.Parse(time.RFC3339Nano, v.Str)
	if t = t.UTC(); err != nil || v.Type != gjson.String || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}
