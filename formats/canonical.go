package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// canonical is perch's own form of a transcript, as [WriteCanonical] writes it.
func canonical() Format {
	return Format{
		Name:  "canonical",
		About: "perch's own JSON lines, for agents and scripts that write their runs themselves",
		Gives: Gives{Usage: true, Window: true, Compactions: true, Images: true, Agents: true},
		Sniff: sniffCanonical,
		Read:  whole(parseCanonical),
	}
}

// sniffCanonical looks for a first line that begins a run.
func sniffCanonical(head []byte, _ string) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	first := gjson.ParseBytes(line)
	return first.Get("t").Str == lineRun && first.Get("v").Exists()
}

// parseCanonical reads a file of one or more transcripts.
func parseCanonical(r io.Reader, name string) ([]*transcript.Transcript, error) {
	var list []*transcript.Transcript
	var run *canonicalRun
	var damaged error // a run line that cannot begin a run ends the file
	lines := notes{}
	end := func() {
		if run != nil {
			list = append(list, run.finish(&lines))
		}
	}
	err := eachRecord(r, &lines, func(rec record) {
		switch {
		case damaged != nil:
		case rec.obj.Get("t").Str == lineRun:
			end()
			run, damaged = beginRun(rec, name)
		case run == nil:
			lines.damage(rec.line, "a line that stands before any run was skipped")
		default:
			if err := run.add(rec, &lines); err != nil {
				lines.damage(rec.line, fmt.Sprintf("a line that does not fit was skipped: %v", err))
			}
		}
	})
	if err == nil {
		err = damaged
	}
	if err != nil {
		return list, err
	}
	end()
	if run == nil && lines.damaged > 0 {
		w := lines.list[0]
		return nil, fmt.Errorf("no run begins in it; line %d: %s", w.Line, w.Message)
	}
	return list, nil
}

// canonicalRun is a transcript that is being read.
type canonicalRun struct {
	t        *transcript.Transcript
	warnings []transcript.Warning
	padded   int // messages that stand for damaged lines
}

// beginRun reads the line that begins a run.
func beginRun(rec record, name string) (*canonicalRun, error) {
	var l runLine
	if err := fill(&l, rec); err != nil {
		return nil, fmt.Errorf("line %d does not begin a run: %w", rec.line, err)
	}
	if l.V != canonicalVersion {
		return nil, fmt.Errorf("line %d begins a run in version %d of the canonical form, and this perch reads version %d: use the perch that wrote it, or convert the recording again",
			rec.line, l.V, canonicalVersion)
	}
	t := &transcript.Transcript{
		ID: l.ID, Thread: l.Thread, Source: name, Format: "canonical", Agent: l.Agent, Version: l.Version, Project: l.Project,
		Nested: l.Nested, Damaged: max(0, l.Damaged),
	}
	if len(l.Unknown) > 0 {
		t.Unknown = l.Unknown
	}
	return &canonicalRun{t: t}, nil
}

// add reads one line of the run.
func (r *canonicalRun) add(rec record, lines *notes) error {
	switch kind := rec.obj.Get("t").Str; kind {
	case lineMessage:
		l := messageLine{Message: &transcript.Message{}}
		if err := fill(&l, rec); err != nil {
			return err
		}
		if l.I != nil {
			if err := r.reach(*l.I, lines); err != nil {
				return err
			}
		}
		r.t.Messages = append(r.t.Messages, *l.Message)
	case lineCall:
		l := callLine{Call: &transcript.Call{}}
		if err := fill(&l, rec); err != nil {
			return err
		}
		if err := r.reach(l.At, lines); err != nil {
			return err
		}
		r.t.Calls = append(r.t.Calls, *l.Call)
	case lineChange:
		l := changeLine{Change: &transcript.Change{}}
		if err := fill(&l, rec); err != nil {
			return err
		}
		if err := r.reach(l.At, lines); err != nil {
			return err
		}
		l.tidy()
		r.t.Changes = append(r.t.Changes, *l.Change)
	case lineWarning:
		l := warningLine{Warning: &transcript.Warning{}}
		if err := fill(&l, rec); err != nil {
			return err
		}
		r.warnings = append(r.warnings, *l.Warning)
	default:
		lines.strange("line/" + orName(kind, "without a kind"))
	}
	return nil
}

// errValue stands for the decoder's errors, which speak of Go types. The syntax was checked before.
var errValue = errors.New("a value in it has a wrong type")

// fill decodes a line.
func fill(line any, rec record) error {
	if json.Unmarshal([]byte(rec.obj.Raw), line) != nil {
		return errValue
	}
	return nil
}

// reach brings the run to a message index. Where damaged lines held the messages before it, empty ones that were
// never sent take their place, so that every later index still names the same message.
func (r *canonicalRun) reach(index int, lines *notes) error {
	gap := index - len(r.t.Messages)
	if gap < 0 || gap > lines.damaged-r.padded {
		return fmt.Errorf("it stands at message %d, but %d messages precede it", index, len(r.t.Messages))
	}
	for range gap {
		r.t.Messages = append(r.t.Messages, transcript.Message{Role: transcript.User, Origin: transcript.Injected, NotSent: true})
	}
	r.padded += gap
	return nil
}

// tidy gives a change the one shape that an empty prompt, or no prompt, has.
func (l *changeLine) tidy() {
	rewrites := l.Kind == transcript.Compact || l.Kind == transcript.Rewind
	if len(l.Prompt) == 0 {
		if l.Prompt = nil; rewrites {
			l.Prompt = []transcript.Span{}
		}
	}
	if len(l.Reduce) == 0 {
		l.Reduce = nil
	}
}

// finish makes the run whole: warnings in their order, and nothing left that breaks the invariants.
func (r *canonicalRun) finish(lines *notes) *transcript.Transcript {
	mend(r.t, lines)
	r.t.Warnings = r.warnings
	lines.into(r.t)
	*lines = notes{}
	return r.t
}
