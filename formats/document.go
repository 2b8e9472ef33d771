package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tidwall/gjson"
)

// document is a file that holds a single JSON value, over as many lines as it likes.
type document struct {
	root gjson.Result
	text []byte
	at   int // how far the lines are counted
	line int // the line there
}

// readDocument reads a whole file of at most max bytes. A file that ends in the middle, as a run leaves it that was
// killed while it wrote, is read up to the last whole element of a list.
func readDocument(r io.Reader, max int, n *notes) (*document, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(max)+1))
	if err != nil {
		return nil, err
	}
	if len(b) > max {
		return nil, fmt.Errorf("the file holds one JSON value of more than %d MiB: record JSON lines, one message a line", max>>20)
	}
	if err := refuse(b[:min(len(b), lookBytes)]); err != nil {
		return nil, err
	}
	blank := len(b) - len(bytes.TrimLeft(b, " \t\r\n"))
	d := &document{line: 1 + bytes.Count(b[:blank], []byte("\n"))}
	d.text = (&lineReader{line: 1}).clean(b, n)
	if d.text, err = d.whole(n); err != nil {
		return nil, err
	}
	d.root = gjson.ParseBytes(d.text)
	return d, nil
}

// whole returns the first value of the text, closed if it was cut off.
func (d *document) whole(n *notes) ([]byte, error) {
	end, mended, err := valueEnd(d.text)
	if err != nil {
		return nil, err
	}
	text := d.text[:end]
	switch {
	case mended != nil:
		text = slices.Concat(text, mended)
		n.damage(d.line+bytes.Count(d.text, []byte("\n")), "the file ends in the middle; it was read up to the last whole element")
	case len(bytes.TrimSpace(d.text[end:])) > 0:
		n.warn(d.line+bytes.Count(text, []byte("\n")), "what follows the end of the JSON value was skipped")
	}
	if gjson.ValidBytes(text) {
		return text, nil
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, new(json.RawMessage)); errors.As(err, &syntax) {
		at := min(int(syntax.Offset), len(text))
		return nil, fmt.Errorf("it is not valid JSON from line %d on: %w", d.line+bytes.Count(text[:at], []byte("\n")), err)
	}
	return nil, errors.New("it is not valid JSON")
}

// errDeep refuses what would take the validator's recursion too far.
var errDeep = fmt.Errorf("the JSON value is nested deeper than %d levels", maxDepth)

// valueEnd finds the end of the object or list that b begins with, by its brackets alone. Where b ends before it, the
// end is that of the last whole element of a list, and mended what closes the brackets that are open there.
func valueEnd(b []byte) (end int, mended []byte, err error) {
	var open, openAtEnd []byte // the closing brackets that are due
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			n := stringEnd(b[i+1:])
			if n < 0 {
				i = len(b)
				continue
			}
			i += n
		case '{', '[':
			if len(open) == maxDepth {
				return 0, nil, errDeep
			}
			open = append(open, b[i]+2) // in ASCII, each closing bracket stands two behind its opening one
		case '}', ']':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
			if len(open) == 0 {
				return i + 1, nil, nil
			}
			if open[len(open)-1] == ']' {
				end, openAtEnd = i+1, append(openAtEnd[:0], open...)
			}
		}
	}
	if end == 0 {
		return 0, nil, errors.New("it is cut off before anything in it is whole")
	}
	slices.Reverse(openAtEnd)
	return end, openAtEnd, nil
}

// lineOf returns the line a value of the document begins on. It is quick for values in the order of the file.
func (d *document) lineOf(v gjson.Result) int {
	at := min(v.Index, len(d.text))
	if at < d.at {
		return d.line - bytes.Count(d.text[at:d.at], []byte("\n"))
	}
	d.line += bytes.Count(d.text[d.at:at], []byte("\n"))
	d.at = at
	return d.line
}

// embedded parses a JSON object that a recording holds as a text, such as the input of a tool call.
func embedded(text string) (gjson.Result, bool) {
	if !isObject(text) {
		return gjson.Result{}, false
	}
	return gjson.Parse(text), true
}
