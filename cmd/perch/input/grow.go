package input

import (
	"io"
	"io/fs"
)

// settled is a file up to the size it had when it was opened. An agent may still be writing it: what comes later is
// not read, so that reading ends and the same moment is seen everywhere in it.
type settled struct {
	f          fs.File
	left, size int64
	note       func(line int, format string, args ...any)
	told       bool
}

// Read implements io.Reader.
func (s *settled) Read(p []byte) (int, error) {
	if s.left <= 0 {
		s.end()
		return 0, io.EOF
	}
	n, err := s.f.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	return n, err
}

// end notes, once, that the file has grown.
func (s *settled) end() {
	if s.told {
		return
	}
	s.told = true
	if info, err := s.f.Stat(); err == nil && info.Size() > s.size {
		s.note(0, "the file grew while it was read: what stood behind its first %d bytes was not read", s.size)
	}
}
