package input

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// once is a file system of one file that comes from a stream. It is read whole when it is first opened, since a
// format is recognised before it is read.
type once struct {
	r     io.Reader
	limit Size
	data  []byte
	err   error
	done  bool
}

// Open implements fs.FS.
func (o *once) Open(name string) (fs.File, error) {
	if !o.done {
		o.done = true
		if o.data, o.err = io.ReadAll(io.LimitReader(o.r, int64(o.limit)+1)); o.err == nil && len(o.data) > int(o.limit) {
			o.data, o.err = nil, fmt.Errorf("has more than --max-file %s; raise it if that is what it should be", o.limit)
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
