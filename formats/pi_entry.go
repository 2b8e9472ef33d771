package formats

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// piSession is a session file as it is read.
type piSession struct {
	notes   notes
	entries []*piEntry // with the headers: version 1 counts them too
	byID    map[string]*piEntry
	byCall  map[string]*piEntry // OpenClaw may hang a result on the id of its call
	callers callers

	id      string
	version int // of the format; 1 where none is recorded
	agent   string
	model   string // in use, as the last change of model says
}

// piEntry is what one record of a session says.
type piEntry struct {
	line   int
	seq    int
	kind   string
	custom string // type of an extension's record
	id     string
	parent string
	linked bool // a parent, or none, is recorded
	time   time.Time

	message transcript.Message
	call    *transcript.Call
	failed  bool // the request failed or was aborted
	compact *piCompact

	up      *piEntry             // what it hangs on; nil for the root
	results []transcript.Message // of the response's calls, in their order
	taken   bool                 // a result that stands with its response
	span    transcript.Span      // its own messages in the transcript
	trail   *trail               // the prompt up to and with it
}

// add decodes a record. Fields of a wrong type read as if they were missing.
func (s *piSession) add(r record) {
	e := &piEntry{line: r.line, seq: len(s.entries)}
	var body, content gjson.Result
	r.obj.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "type":
			e.kind = own(v)
		case "customType":
			e.custom = own(v)
		case "id":
			e.id = own(v)
		case "parentId":
			e.parent, e.linked = own(v), true
		case "timestamp":
			e.time = instant(v)
		case "message":
			body = v
		case "content":
			content = v
		}
		return true
	})
	if e.kind != "session" && s.byID[e.id] != nil {
		s.notes.once(e.line, "records with the id of an earlier one were skipped here and further on")
		return
	}
	if strings.HasPrefix(e.custom, "openclaw") || e.custom == "model-snapshot" {
		s.agent = "openclaw"
	}
	s.decode(e, r.obj, body, content)
	s.link(e)
	s.entries = append(s.entries, e)
}

// decode reads what the record holds by its type.
func (s *piSession) decode(e *piEntry, obj, body, content gjson.Result) {
	switch e.kind {
	case "session":
		s.header(e, obj)
	case "message":
		s.message(e, body)
	case "custom_message": // an extension's, sent as a user's
		s.input(e, transcript.Injected, content)
	case "branch_summary": // of the branch the thread came back from
		s.summary(e, own(obj.Get("summary")))
		e.call = s.ownCall(e, obj.Get("usage"))
	case "compaction":
		e.compact = decodePiCompact(obj)
		s.summary(e, own(obj.Get("summary")))
		e.call = s.ownCall(e, obj.Get("usage"))
	case "model_change":
		s.model = own(obj.Get("modelId"))
	case "thinking_level_change", "custom", "label", "session_info": // for the client
	default:
		s.notes.strange(orName(e.kind, "record without a type"))
	}
}

// header reads the head of a session. Another one further down is a copy, or of a session that was joined to it.
func (s *piSession) header(e *piEntry, obj gjson.Result) {
	if s.id != "" {
		if s.id != e.id {
			s.notes.once(e.line, "records of another session follow, as in a file that two were joined in")
		}
		return
	}
	s.id, s.version, s.model = e.id, 1, own(obj.Get("modelId"))
	if v, ok := tokens(obj.Get("version")); ok {
		s.version = v
	}
}

// link finds the entry that an entry hangs on: by its id, or that of a call in it; the session's own id stands for
// the root. Version 1 has no ids: each record follows the one before it.
func (s *piSession) link(e *piEntry) {
	if s.byID == nil {
		s.byID, s.byCall = map[string]*piEntry{}, map[string]*piEntry{}
	}
	last := func() *piEntry {
		if len(s.entries) == 0 {
			return nil
		}
		return s.entries[len(s.entries)-1]
	}
	switch {
	case e.kind == "session" && e.id != s.id: // another one, joined to the file
	case !e.linked:
		e.up = last()
	case e.parent == "" || e.parent == s.id:
	case s.byID[e.parent] != nil:
		e.up = s.byID[e.parent]
	case s.byCall[e.parent] != nil:
		e.up = s.byCall[e.parent]
	default:
		s.notes.warn(e.line, "the record before this one is not in the file; the thread goes on in the order of the file")
		e.up = last()
	}
	if e.id != "" && e.kind != "session" {
		s.byID[e.id] = e
	}
	s.pair(e)
}

// pair finds the response whose call a result answers, so that results stand with it, in whatever order and with
// whatever between they were written.
func (s *piSession) pair(e *piEntry) {
	switch {
	case e.message.NotSent:
	case e.message.Role == transcript.Assistant:
		s.callers.response(e.seq, &e.message)
		for i := range e.message.Parts {
			if id := e.message.Parts[i].CallID; id != "" {
				s.byCall[id] = e
			}
		}
	case e.message.Role == transcript.Tool:
		response, why := s.callers.answer(&e.message)
		if why != "" {
			s.notes.warn(e.line, why)
			return
		}
		caller := s.entries[response]
		caller.results = append(caller.results, e.message)
		e.taken = true
	}
}
