// Package input opens what is named on a command line: files, folders, patterns with **, standard input, runs in the
// agents' own folders, packed or not.
//
// [Open] turns the arguments into a list of files; of those nothing is read yet. [Input.Transcripts] then reads them
// one after the other and yields what they hold, in order; [Survey] looks at all of them in parallel.
//
//  1. an argument is a file, a folder (walked in sorted order), a pattern, - for standard input, or the number or
//     the id of a run that `perch list` shows; label=path gives it another name in the results,
//  2. a file is read through a guard, which unpacks gzip and zstd and keeps to the [Limits],
//  3. the format is recognised by content, unless it is given,
//  4. what gives no transcript is a [Problem] at its place in the sequence: an error where it was named, a remark
//     where it merely lay in a folder.
//
// Nothing of a recording is kept once the next one is asked for.
package input

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"

	"perch/formats"
	"perch/formats/transcript"
)

// Options says how files are found and read.
type Options struct {
	Format  *formats.Format // reads every file as this format; nil recognises it by content
	Limits  Limits
	Homes   []Home // where runs are looked up by number or id
	Workers int    // files that are looked at in parallel to find a run
}

// DefaultOptions recognises formats by content, within [DefaultLimits], and knows no homes.
func DefaultOptions() Options { return Options{Limits: DefaultLimits(), Workers: 1} }

// Input is what the arguments name, in their order.
type Input struct {
	targets []target
	options Options
	total   *meter
}

// target is one argument and the files it stands for.
type target struct {
	name  string // as it stands in messages
	files []file
	err   error // why the argument names nothing
	many  bool  // a folder or a pattern: its files were not named one by one
	home  bool  // an agent's folder, which nobody named: it may hold nothing
}

// file is one file to read.
type file struct {
	source string
	disk   fs.FS
	name   string
	err    error                             // why it is not opened
	only   func(*transcript.Transcript) bool // the transcripts that are meant; nil for all
}

// Open finds the files the arguments name. What cannot be found or opened is not an error here: it becomes a
// [Problem] of the sequence, so that the other arguments are still read. stdin is read when its turn comes. Where an
// argument is the number or the id of a run, the agents' folders are read for it, until ctx ends.
func Open(ctx context.Context, args []string, stdin io.Reader, o Options) *Input {
	in := newInput(o)
	names := &names{args: args, options: o}
	for _, arg := range args {
		in.targets = append(in.targets, find(ctx, arg, stdin, o.Limits.File, names))
	}
	return in
}

// newInput returns an input of no files.
func newInput(o Options) *Input {
	return &Input{options: o, total: &meter{limit: o.Limits.Total}}
}

// Len is the number of files to look at.
func (in *Input) Len() int {
	n := 0
	for i := range in.targets {
		n += len(in.targets[i].files)
	}
	return n
}

// Transcripts reads the files in order. An error is always a [*Problem]; the sequence goes on after it, unless too
// much was read in all. It can be ranged over once: an input that was read is let go.
func (in *Input) Transcripts() iter.Seq2[*transcript.Transcript, error] {
	return func(yield func(*transcript.Transcript, error) bool) {
		for i := range in.targets {
			if !in.read(&in.targets[i], yield) {
				return
			}
		}
	}
}

// read yields what one argument holds and reports whether to go on.
func (in *Input) read(t *target, yield func(*transcript.Transcript, error) bool) bool {
	if t.err != nil {
		return yield(nil, &Problem{Source: t.name, Named: true, Err: t.err})
	}
	defer func() { t.files = nil }()
	found := 0
	for i := range t.files {
		f := &t.files[i]
		for tr, err := range in.open(f) {
			if err != nil {
				over := errors.Is(err, errTotal)
				if !yield(nil, &Problem{Source: f.source, Named: over || !t.many && found == 0, Err: err}) || over {
					return false
				}
				continue
			}
			found++
			if !yield(tr, nil) {
				return false
			}
		}
	}
	if t.many && !t.home && found == 0 {
		return yield(nil, &Problem{Source: t.name, Named: true, Err: ErrVoid})
	}
	return true
}

// open yields the transcripts of one file that are meant.
func (in *Input) open(f *file) iter.Seq2[*transcript.Transcript, error] {
	return func(yield func(*transcript.Transcript, error) bool) {
		format, err := in.detect(f)
		if err != nil {
			yield(nil, err)
			return
		}
		disk := &guarded{disk: f.disk, limits: in.options.Limits, total: in.total}
		found := false
		for tr, err := range format.Read(disk, f.name) {
			switch {
			case err != nil:
				err = disk.explain(plainReason(err))
			case f.only != nil && !f.only(tr):
				continue
			default:
				tr.Source = f.source
				disk.tell(tr)
			}
			found = true
			if !yield(tr, err) {
				return
			}
		}
		if !found {
			yield(nil, disk.explain(ErrNothing))
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
