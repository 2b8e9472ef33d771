package input

import (
	"bytes"
	"errors"
	"io"

	"perch/formats"
)

// headBytes is how much of a file is looked at to recognise its format.
const headBytes = 64 << 10

// detect opens a file and finds its format: the given one, or the one its content shows.
func (f *file) detect(as *formats.Format) (format formats.Format, err error) {
	if f.err != nil {
		return format, f.err
	}
	head, err := f.head()
	switch {
	case err != nil:
		return format, err
	case len(bytes.TrimSpace(head)) == 0:
		return format, ErrEmpty
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return format, ErrUTF16
	case as != nil:
		return *as, nil
	}
	format, ok := formats.Detect(head, stem(f.name))
	switch {
	case ok:
		return format, nil
	case bytes.IndexByte(head, 0) >= 0:
		return format, ErrBinary
	}
	return format, ErrUnknown
}

// head reads the beginning of a file.
func (f *file) head() ([]byte, error) {
	r, err := f.fsys.Open(f.name)
	if err != nil {
		return nil, plainReason(err)
	}
	head := make([]byte, headBytes)
	n, err := io.ReadFull(r, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], errors.Join(plainReason(err), r.Close())
}
