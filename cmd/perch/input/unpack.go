package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

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

// unpack puts an unpacker before a stream where its first bytes ask for one; done lets go of it.
func unpack(r io.Reader, limit Size) (plain io.Reader, done func(), err error) {
	done = func() {}
	head := bufio.NewReader(r)
	magic, err := head.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte(gzipMagic)):
		z, err := gzip.NewReader(head)
		if err != nil {
			return nil, nil, torn("gzip", err)
		}
		return &bounded{r: z, left: int64(limit), limit: limit, kind: "gzip"}, done, nil
	case bytes.HasPrefix(magic, []byte(zstdMagic)):
		z, err := zstd.NewReader(head, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, torn("zstd", err)
		}
		return &bounded{r: z, left: int64(limit), limit: limit, kind: "zstd"}, z.Close, nil
	}
	return head, done, nil
}

// bounded ends a packed stream that grows too large, and says what is wrong with one that is damaged.
type bounded struct {
	r     io.Reader
	left  int64
	limit Size
	kind  string
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("unpacks to more than --max-unpacked %s; raise it if that is what it should be", b.limit)
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
