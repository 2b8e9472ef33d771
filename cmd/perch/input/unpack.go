package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The first bytes of packed files.
const (
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// maxWindow bounds the memory one zstd stream may ask for: that of `zstd --long=27`.
const maxWindow = 128 << 20

// unpacked is a file system in which packed files read as what they hold.
type unpacked struct {
	fsys  fs.FS
	limit int64 // the most a packed file may unpack to
}

// Open opens a file and puts an unpacker before it where its first bytes ask for one.
func (u *unpacked) Open(name string) (fs.File, error) {
	f, err := u.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return f, err
	}
	head := bufio.NewReader(f)
	magic, err := head.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, f.Close())
	}
	stream := &stream{File: f, r: head, close: func() {}}
	switch {
	case bytes.HasPrefix(magic, []byte(gzipMagic)):
		z, err := gzip.NewReader(head)
		if err != nil {
			return nil, errors.Join(torn("gzip", err), f.Close())
		}
		stream.r = &bounded{r: z, left: u.limit, limit: u.limit, kind: "gzip"}
	case bytes.HasPrefix(magic, []byte(zstdMagic)):
		z, err := zstd.NewReader(head, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, errors.Join(torn("zstd", err), f.Close())
		}
		stream.r, stream.close = &bounded{r: z, left: u.limit, limit: u.limit, kind: "zstd"}, z.Close
	}
	return stream, nil
}

// stream is a file whose bytes come from a reader put before it.
type stream struct {
	fs.File
	r     io.Reader
	close func()
}

// Read implements fs.File.
func (s *stream) Read(p []byte) (int, error) { return s.r.Read(p) }

// Close implements fs.File.
func (s *stream) Close() error {
	s.close()
	return s.File.Close()
}

// bounded ends a packed stream that grows too large, and says what is wrong with one that is damaged.
type bounded struct {
	r           io.Reader
	left, limit int64
	kind        string
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, tooLarge(b.limit)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = torn(b.kind, err)
	}
	return n, err
}

// torn words the error of an archive that cannot be unpacked to its end.
func torn(kind string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the %s archive is cut off: copy it again, or unpack what is there", kind)
	}
	return fmt.Errorf("the %s archive is damaged: %w", kind, err)
}

// stem is a file's name without the ending that says how it is packed.
func stem(name string) string {
	for _, ending := range []string{".gz", ".zst"} {
		if s, ok := strings.CutSuffix(name, ending); ok {
			return s
		}
	}
	return name
}

// once is a file system of one file that comes from a stream. It is read whole when it is first opened, since a
// format is recognised before it is read.
type once struct {
	r     io.Reader
	limit int64
	data  []byte
	err   error
	done  bool
}

// Open implements fs.FS.
func (o *once) Open(name string) (fs.File, error) {
	if !o.done {
		o.done = true
		if o.data, o.err = io.ReadAll(io.LimitReader(o.r, o.limit+1)); o.err == nil && int64(len(o.data)) > o.limit {
			o.data, o.err = nil, tooLarge(o.limit)
		}
	}
	if o.err != nil {
		return nil, o.err
	}
	return &memory{Reader: bytes.NewReader(o.data), name: name, size: int64(len(o.data))}, nil
}

// memory is an open file of bytes held in memory.
type memory struct {
	*bytes.Reader
	name string
	size int64
}

// Stat implements fs.File.
func (m *memory) Stat() (fs.FileInfo, error) { return memoryInfo{m.name, m.size}, nil }

// Close implements fs.File.
func (m *memory) Close() error { return nil }

// memoryInfo describes a file held in memory.
type memoryInfo struct {
	name string
	size int64
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) Mode() fs.FileMode  { return 0o400 }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return false }
func (i memoryInfo) Sys() any           { return nil }
