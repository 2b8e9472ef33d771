package input

import (
	"fmt"
	"io"
	"io/fs"
	"slices"

	"perch/formats/transcript"
)

// guarded is the file system through which one file is read: it unpacks, keeps to the limits, and notes what a
// reader of the results must know.
//
// A file's bytes pass, in this order: its size when it was opened (grow.go), the unpacker (unpack.go), the meter of
// all that is read, and the longest line (cut.go).
type guarded struct {
	disk   fs.FS
	limits Limits
	total  *meter
	notes  []transcript.Warning
}

// Open implements fs.FS.
func (g *guarded) Open(name string) (fs.File, error) {
	f, err := g.disk.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = ErrSpecial
	case info.Size() > int64(g.limits.File):
		err = fmt.Errorf("has %d bytes, more than --max-file %s; raise it if that is what it should be", info.Size(), g.limits.File)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	plain, done, err := unpack(&settled{f: f, left: info.Size(), size: info.Size(), note: g.note}, g.limits.Unpacked)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	metered := &metered{r: plain, meter: g.total}
	return &stream{File: f, r: &cutter{r: metered, most: int(g.limits.Line), lines: g.limits.Lines, note: g.note}, close: done}, nil
}

// note keeps a remark about a line; 0 is the whole file.
func (g *guarded) note(line int, format string, args ...any) {
	g.notes = append(g.notes, transcript.Warning{Line: line, Message: fmt.Sprintf(format, args...)})
}

// tell puts what was noted before the warnings of a transcript: it is the cause of others. Where a reader has a remark
// about the same line, the note stands for it.
func (g *guarded) tell(t *transcript.Transcript) {
	if len(g.notes) == 0 {
		return
	}
	said := map[int]bool{}
	for _, n := range g.notes {
		said[n.Line] = n.Line > 0
	}
	rest := slices.DeleteFunc(t.Warnings, func(w transcript.Warning) bool { return said[w.Line] })
	t.Warnings = append(g.notes, rest...)
	g.notes = nil
}

// explain adds what was noted to an error.
func (g *guarded) explain(err error) error {
	for _, n := range g.notes {
		if n.Line > 0 {
			err = fmt.Errorf("%w (line %d: %s)", err, n.Line, n.Message)
		} else {
			err = fmt.Errorf("%w (%s)", err, n.Message)
		}
	}
	g.notes = nil
	return err
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

// metered counts what passes.
type metered struct {
	r     io.Reader
	meter *meter
}

// Read implements io.Reader.
func (m *metered) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if over := m.meter.add(n); over != nil {
		return 0, over
	}
	return n, err
}
