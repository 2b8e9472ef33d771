package input

import (
	"bytes"
	"fmt"
	"io"
)

// cutter cuts off what is longer than a line may be, so that no line takes the memory. The record on it is lost; the
// next line begins a new one. It ends a file of too many lines.
type cutter struct {
	r     io.Reader
	most  int // bytes of a line
	lines int // the most of them
	note  func(line int, format string, args ...any)
	line  int // lines that ended
	has   int // bytes of the line under way
}

// Read implements io.Reader.
func (c *cutter) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		n, err := c.r.Read(p)
		n = c.cut(p[:n])
		if c.line > c.lines || c.line == c.lines && c.has > 0 {
			return 0, fmt.Errorf("has more than --max-lines %d; raise it if that is what it should be", c.lines)
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// cut moves what stays of b to its front and returns how much that is.
func (c *cutter) cut(b []byte) int {
	kept := 0
	for rest := b; len(rest) > 0; {
		piece, ended := rest, false
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			piece, ended = rest[:i], true
		}
		room := max(c.most-c.has, 0)
		if len(piece) > room && c.has <= c.most {
			c.note(c.line+1, "the line is longer than --max-line %s and was cut off there: raise it if that is what it should be", Size(c.most))
		}
		c.has += len(piece)
		kept += copy(b[kept:], piece[:min(len(piece), room)])
		rest = rest[len(piece):]
		if ended {
			b[kept] = '\n'
			kept, rest = kept+1, rest[1:]
			c.line, c.has = c.line+1, 0
		}
	}
	return kept
}
