package formats

import (
	"io"
	"io/fs"
	"iter"

	"perch/formats/transcript"
)

// parser turns the bytes of one file into its transcripts; what it returns beside an error came before the fault.
// The name is the file's, for those formats that keep something in it.
type parser func(r io.Reader, name string) ([]*transcript.Transcript, error)

// whole is the Read of a format that has a parser: it opens the file, parses it, and names every transcript after
// it.
func whole(parse parser) func(fs.FS, string) iter.Seq2[*transcript.Transcript, error] {
	return func(fsys fs.FS, name string) iter.Seq2[*transcript.Transcript, error] {
		return func(yield func(*transcript.Transcript, error) bool) {
			list, err := parseFile(fsys, name, parse)
			for _, t := range list {
				t.Source = name
				if !yield(t, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
		}
	}
}

// parseFile opens a file for its parser.
func parseFile(fsys fs.FS, name string, parse parser) ([]*transcript.Transcript, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parse(f, name)
}

// eachRecord hands every record to add, in order.
func eachRecord(r io.Reader, n *notes, add func(record)) error {
	for rec, err := range records(r, MaxLine, n) {
		if err != nil {
			return err
		}
		add(rec)
	}
	return nil
}
