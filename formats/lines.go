package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxLine is the longest line that is read, in bytes. A longer one is skipped with a warning. The longest record
// seen in real recordings has 2 MB; one with a few full-size pictures has some tens.
const MaxLine = 256 << 20

const (
	bom       = "\xef\xbb\xbf" // some editors put it before UTF-8 text
	bufBytes  = 256 << 10
	lookBytes = 512 // of the beginning, to tell text from other things
)

// The reasons for which a file is not read at all.
var (
	errUTF16  = errors.New("this is UTF-16 text, not UTF-8: convert it first, for example with iconv -f UTF-16 -t UTF-8")
	errGzip   = errors.New("this is gzip data: unpack it first, or give the .gz file by its name")
	errZstd   = errors.New("this is zstd data: unpack it first, or give the .zst file by its name")
	errBinary = errors.New("this is binary data, not a recording in JSON lines: give the session file itself")
)

// lineReader reads lines of any length.
type lineReader struct {
	r    *bufio.Reader
	line int    // number of the line last read, from 1
	max  int    // bytes
	long []byte // holds a line that does not fit the buffer
}

// newLineReader looks at the first bytes and refuses what cannot be lines of UTF-8 text.
func newLineReader(r io.Reader, max int) (*lineReader, error) {
	b := bufio.NewReaderSize(r, bufBytes)
	head, _ := b.Peek(lookBytes) // an error comes again with the line it concerns
	if err := refuse(head); err != nil {
		return nil, err
	}
	return &lineReader{r: b, max: max}, nil
}

// refuse says what the beginning of a file looks like when it is no UTF-8 text.
func refuse(head []byte) error {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), wide(head):
		return errUTF16
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return errGzip
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return errZstd
	case bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(bytes.TrimLeft(head, "\x00 \t\r\n"), []byte("{")):
		return errBinary
	}
	return nil
}

// wide reports whether every other byte is 0, as in UTF-16 without a mark.
func wide(head []byte) bool {
	for odd := range 2 {
		zeros := 0
		for i := odd; i < len(head); i += 2 {
			if head[i] == 0 {
				zeros++
			}
		}
		if zeros > 0 && zeros*20 >= len(head)*9 && bytes.Count(head, []byte{0}) == zeros {
			return true
		}
	}
	return false
}

// next returns the next line without its end, and whether it was too long to be kept. The bytes are valid until
// the next call.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	l.long = l.long[:0]
	n := 0
	for {
		piece, err := l.r.ReadSlice('\n')
		if n += len(piece); n > l.max {
			tooLong = true
		}
		whole := err == nil || errors.Is(err, io.EOF)
		switch {
		case err != nil && !whole && !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, fmt.Errorf("reading line %d: %w", l.line+1, err)
		case whole && n == 0:
			return nil, false, io.EOF
		case whole && tooLong:
			l.line++
			return nil, true, nil
		case whole && n == len(piece):
			l.line++
			return piece, false, nil
		case !tooLong:
			l.long = append(l.long, piece...)
		}
		if whole {
			l.line++
			return l.long, false, nil
		}
	}
}

// clean takes from a line what is not part of its JSON: white space, NULs that a crash left, a byte order mark. It
// repairs what is not UTF-8.
func (l *lineReader) clean(line []byte, n *notes) []byte {
	line = bytes.TrimSpace(line)
	if trimmed := bytes.Trim(line, "\x00 \t\r\n"); len(trimmed) < len(line) {
		n.once(l.line, "NUL bytes around a record were skipped here and in every later line that had them")
		line = trimmed
	}
	line = bytes.TrimPrefix(line, []byte(bom))
	if !utf8.Valid(line) {
		n.once(l.line, "text that is not UTF-8 was repaired here and in every later line that needed it")
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	return line
}
