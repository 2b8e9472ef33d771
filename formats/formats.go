// Package formats reads recordings of agent runs into transcripts, and writes transcripts in perch's own form.
//
// Use [Detect] on the beginning of a file, then the [Format]'s Read:
//
//	format, ok := formats.Detect(head, name)
//	for t, err := range format.Read(fsys, name) { ... }
//
// Bytes become transcripts in four steps, and only the last two differ between formats:
//
//  1. lines.go cuts the bytes into lines of any length and refuses what is not UTF-8 text,
//  2. record.go cuts a line into JSON values and validates each; what is damaged becomes a warning with its line,
//  3. the format's reader decodes a value, keeping only what can stand in a prompt,
//  4. and orders what it decoded into messages, calls and changes that keep the invariants of
//     [transcript.Check], whatever the file holds.
//
// The package opens nothing but the file it is given, through [fs.FS]: packed files and standard input are the
// caller's file systems.
package formats

import (
	"bytes"
	"io/fs"
	"iter"

	"perch/formats/transcript"
)

// Format is one way in which agents record their runs.
type Format struct {
	Name  string // as given to --format
	About string // one line: what records it, in which versions
	Gives Gives
	Homes []Home

	// Sniff reports whether a file is of this format, given its first bytes (64 KiB are plenty; the last line
	// may be cut) and its name.
	Sniff func(head []byte, name string) bool

	// Read yields every transcript of one file: its main thread first, then the threads of sub-agents. Source is
	// the name it was given. Damage is a warning of a transcript; an error means that the file could not be read
	// or is not what it should be, and ends the sequence. A file that holds no message and no call yields nothing.
	//
	// Read opens no other file: where sub-agents have files of their own, a walk over the folder finds those, and
	// none is read twice.
	Read func(fsys fs.FS, name string) iter.Seq2[*transcript.Transcript, error]
}

// Gives says what recordings of a format tell beside the messages.
type Gives struct {
	Usage       bool // the provider's token counts, call by call
	Window      bool // the window or the input limit
	Compactions bool // what the agent did to its context
	Images      bool // pictures with their data
	Agents      bool // threads of sub-agents
}

// Home is a folder in which an agent keeps its runs.
type Home struct {
	Env     string // environment variable that names the folder instead of Dir; empty where there is none
	Dir     string // slash-separated; a leading ~ is the user's home
	Pattern string // the runs in it: slash-separated, ** for any depth
}

// All lists every format, in the order in which [Detect] asks them.
var All = [...]Format{claudeCode(), claudeStream(), codex(), pi(), anthropicLog(), miniSWE(), openAIChat(), canonical()}

// Detect finds the format of a file by its first bytes and its name.
func Detect(head []byte, name string) (Format, bool) {
	head = bytes.TrimPrefix(head, []byte(bom))
	if !mostlyJSON(head) {
		return Format{}, false
	}
	for _, f := range All {
		if f.Sniff(head, name) {
			return f, true
		}
	}
	return Format{}, false
}

// mostlyJSON reports whether text begins as JSON does, or holds more lines that do than others: a source file or a
// document that quotes a few records is no recording.
func mostlyJSON(head []byte) bool {
	json, other := 0, 0
	for line := range bytes.Lines(head) {
		switch line = bytes.TrimLeft(line, " \t\r\n\x00"); {
		case len(line) == 0:
		case line[0] == '{' || line[0] == '[':
			if other == 0 {
				return true
			}
			json++
		default:
			other++
		}
	}
	return json > other
}

// Lookup returns the format with a name.
func Lookup(name string) (Format, bool) {
	for _, f := range All {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}
