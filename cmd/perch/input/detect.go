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
func (in *Input) detect(f *file) (format formats.Format, err error) {
	if f.err != nil {
		return format, f.err
	}
	head, err := in.head(f)
	switch {
	case err != nil:
		return format, err
	case len(bytes.TrimSpace(head)) == 0:
		return format, ErrEmpty
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return format, ErrUTF16
	case in.options.Format != nil:
		return *in.options.Format, nil
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

// head reads the beginning of a file. It is read again later, so it does not count.
func (in *Input) head(f *file) ([]byte, error) {
	disk := &guarded{disk: f.disk, limits: in.options.Limits}
	r, err := disk.Open(f.name)
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
