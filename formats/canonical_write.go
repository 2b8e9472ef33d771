package formats

import (
	"bufio"
	"encoding/json"
	"io"

	"perch/formats/transcript"
)

// canonicalVersion is the version of the canonical form. It rises when a reader of the old one would misread.
const canonicalVersion = 1

// The first field of every line says what the line is.
const (
	lineRun     = "run"
	lineMessage = "message"
	lineCall    = "call"
	lineChange  = "change"
	lineWarning = "warning"
)

// runLine begins a transcript. Where it was read from, and as which format, is not part of a recording.
type runLine struct {
	T       string         `json:"t"`
	V       int            `json:"v"`
	ID      string         `json:"id"`
	Thread  string         `json:"thread"`
	Agent   string         `json:"agent"`
	Version string         `json:"version,omitempty"`
	Project string         `json:"project,omitempty"`
	Nested  bool           `json:"nested,omitempty"`
	Damaged int            `json:"damaged,omitempty"`
	Unknown map[string]int `json:"unknown,omitempty"`
}

// messageLine is a message with its index, by which calls and changes name it.
type messageLine struct {
	T string `json:"t"`
	I *int   `json:"i"`
	*transcript.Message
}

// callLine is a call. Its prompt is what the lines above it leave in the context.
type callLine struct {
	T string `json:"t"`
	*transcript.Call
}

// changeLine is a change of the context.
type changeLine struct {
	T string `json:"t"`
	*transcript.Change
}

// warningLine is a warning.
type warningLine struct {
	T string `json:"t"`
	*transcript.Warning
}

// WriteCanonical writes a transcript in perch's own form: one JSON object a line, the run first, then its messages,
// calls and changes in the order in which they happened, then its warnings. Several transcripts may follow each
// other in one file. Everything but Source and Format comes back from reading it, and what was read from it is
// written with the same bytes.
func WriteCanonical(w io.Writer, t *transcript.Transcript) error {
	b := bufio.NewWriter(w)
	c := canonicalWriter{t: t, json: json.NewEncoder(b)}
	c.json.SetEscapeHTML(false)
	c.put(runLine{lineRun, canonicalVersion, t.ID, t.Thread, t.Agent, t.Version, t.Project, t.Nested, t.Damaged, t.Unknown})
	for e := range t.Walk() {
		switch e.Kind {
		case transcript.Append:
			c.messages(e.Index + 1)
		case transcript.Alter:
			c.messages(t.Changes[e.Index].At)
			c.put(changeLine{lineChange, &t.Changes[e.Index]})
		case transcript.Send:
			c.messages(t.Calls[e.Index].At)
			c.put(callLine{lineCall, &t.Calls[e.Index]})
		}
	}
	c.messages(len(t.Messages))
	for i := range t.Warnings {
		c.put(warningLine{lineWarning, &t.Warnings[i]})
	}
	if c.err != nil {
		return c.err
	}
	return b.Flush()
}

// canonicalWriter writes lines until one fails.
type canonicalWriter struct {
	t       *transcript.Transcript
	json    *json.Encoder
	written int // messages
	err     error
}

// messages writes all messages before an index that are not written yet, sent or not.
func (c *canonicalWriter) messages(before int) {
	for ; c.written < before; c.written++ {
		i := c.written
		c.put(messageLine{lineMessage, &i, &c.t.Messages[i]})
	}
}

// put writes one line.
func (c *canonicalWriter) put(line any) {
	if c.err == nil {
		c.err = c.json.Encode(line)
	}
}
