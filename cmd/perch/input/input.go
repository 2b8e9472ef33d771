// Package input opens what is named on a command line: files, folders, patterns with **, standard input, packed
// or not.
//
// [Open] turns the arguments into a list of files; nothing is read yet. [Input.Transcripts] then reads them one
// after the other and yields what they hold, in order:
//
//  1. an argument is a file, a folder (walked in sorted order), a pattern, or - for standard input; label=path
//     gives it another name in the results,
//  2. gzip and zstd are recognised by their first bytes and unpacked while reading, up to a limit,
//  3. the format is recognised by content, unless it is given,
//  4. what gives no transcript is a [Problem] at its place in the sequence: an error where it was named, a remark
//     where it merely lay in a folder.
//
// Nothing of a recording is kept once the next one is asked for.
package input

import (
	"errors"
	"io"
	"io/fs"
	"iter"

	"perch/formats"
	"perch/formats/transcript"
)

// Options says how files are read.
type Options struct {
	Format   *formats.Format // reads every file as this format; nil recognises it by content
	MaxBytes int64           // the most a packed file, or standard input, may unpack to
}

// DefaultOptions recognises formats by content and unpacks up to 4 GiB.
func DefaultOptions() Options { return Options{MaxBytes: 4 << 30} }

// Input is what the arguments name, in their order.
type Input struct {
	targets []target
	options Options
}

// target is one argument and the files it stands for.
type target struct {
	name  string // as it stands in messages
	files []file
	err   error // why the argument names nothing
	many  bool  // a folder or a pattern: its files were not named one by one
}

// file is one file to read.
type file struct {
	source string
	fsys   fs.FS
	name   string
	err    error // why it is not opened
}

// Open finds the files the arguments name. What cannot be found or opened is not an error here: it becomes a
// [Problem] of the sequence, so that the other arguments are still read. stdin is read when its turn comes.
func Open(args []string, stdin io.Reader, o Options) *Input {
	in := &Input{options: o}
	for _, arg := range args {
		in.targets = append(in.targets, find(arg, stdin, o.MaxBytes))
	}
	return in
}

// Len is the number of files to look at.
func (in *Input) Len() int {
	n := 0
	for i := range in.targets {
		n += len(in.targets[i].files)
	}
	return n
}

// Transcripts reads the files in order. An error is always a [*Problem]; the sequence goes on after it. It can be
// ranged over once: an input that was read is let go.
func (in *Input) Transcripts() iter.Seq2[*transcript.Transcript, error] {
	return func(yield func(*transcript.Transcript, error) bool) {
		for i := range in.targets {
			if !in.targets[i].read(in.options.Format, yield) {
				return
			}
		}
	}
}

// read yields what one argument holds and reports whether to go on.
func (t *target) read(as *formats.Format, yield func(*transcript.Transcript, error) bool) bool {
	if t.err != nil {
		return yield(nil, &Problem{Source: t.name, Named: true, Err: t.err})
	}
	defer func() { t.files = nil }()
	found := 0
	for i := range t.files {
		f := &t.files[i]
		for tr, err := range f.read(as) {
			if err != nil {
				named := !t.many && found == 0
				if !yield(nil, &Problem{Source: f.source, Named: named, Err: err}) {
					return false
				}
				continue
			}
			found++
			tr.Source = f.source
			if !yield(tr, nil) {
				return false
			}
		}
	}
	if t.many && found == 0 {
		return yield(nil, &Problem{Source: t.name, Named: true, Err: ErrNothing})
	}
	return true
}

// read yields the transcripts of one file.
func (f *file) read(as *formats.Format) iter.Seq2[*transcript.Transcript, error] {
	return func(yield func(*transcript.Transcript, error) bool) {
		format, err := f.detect(as)
		if err != nil {
			yield(nil, err)
			return
		}
		found := false
		for tr, err := range format.Read(f.fsys, f.name) {
			found = true
			if !yield(tr, plainReason(err)) {
				return
			}
		}
		if !found {
			yield(nil, ErrNothing)
		}
	}
}

// plainReason takes the operation and the path from an error of the file system: the problem names the file.
func plainReason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
