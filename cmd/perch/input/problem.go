package input

import "errors"

// Problem is something that was asked for, or found in a folder, and gave no transcript. It stands in the sequence
// of transcripts at its place.
type Problem struct {
	Source string // the path as given, joined with the path below it
	Named  bool   // it was named on the command line, so its absence is an error and not a remark
	Err    error
}

// Error says what was not read, why, and what to do.
func (p *Problem) Error() string { return p.Source + ": " + p.Err.Error() }

// Unwrap returns the reason.
func (p *Problem) Unwrap() error { return p.Err }

// The reasons for which a file gives no transcript.
var (
	ErrEmpty   = errors.New("is empty: nothing was recorded in it")
	ErrUTF16   = errors.New("is UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8")
	ErrBinary  = errors.New("is a binary file, no transcript")
	ErrUnknown = errors.New("is in no format perch knows; `perch formats` lists those it reads, --format NAME names one of them")
	ErrNothing = errors.New("holds no transcript")
	ErrVoid    = errors.New("holds no transcript") // a folder or a pattern as such: its files have reasons of their own
	ErrMissing = errors.New("no such file or folder, and no pattern that matches one")
	ErrSpecial = errors.New("is a pipe, socket or device, not a file; give - to read standard input")
	ErrLink    = errors.New("is a link to a folder and was not followed; name the folder itself")
)

// errTotal ends the reading of everything.
var errTotal = errors.New("more was read than --max-total allows, so neither it nor what follows was read; name fewer files, or raise it")
