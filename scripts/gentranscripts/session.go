package main

import (
	"bytes"
	"strings"
	"time"

	"perch/formats/transcript"
)

// profile is what stays the same over a recorded run.
type profile struct {
	seed     uint64
	version  string
	model    string
	cwd      string
	branch   string
	start    time.Time
	overhead int    // tokens of the prompt that no recording shows: system prompt, tool schemas, project memory
	system   int    // the part of the overhead that stays cached whatever the thread does
	final    bool   // the client records output counts once the response has ended, not at its start
	drops    bool   // the model forgets the thinking of earlier turns
	agent    string // id of the sub-agent whose file it is, "" in a main thread
}

// session writes one run as the client would have recorded it. It keeps the prompt as the provider saw it, so that
// the recorded usage follows from the content.
type session struct {
	profile
	text  source
	ids   source
	meter meter

	id     string
	out    bytes.Buffer
	sink   func(record) // where a sub-agent's records go instead of out
	now    time.Time
	parent string // the record the next one hangs off; "" before the first

	prompt  []charge
	cached  int // tokens at the front of the prompt that the provider holds
	last    int // prompt and output of the last response, as the client knows them
	tail    int // characters the client has added since
	dropped int // tokens compactions have taken so far
}

// charge is one part of the prompt with its true size.
type charge struct {
	tokens int
	chars  int
	result string // id of the call whose result it is
	think  bool
}

// newSession starts a run.
func newSession(p profile) *session {
	s := &session{profile: p, text: newSource(p.seed, 1), ids: newSource(p.seed, 2), meter: meter{newSource(p.seed, 3)}, now: p.start, cached: p.system}
	s.id = s.ids.uuid()
	return s
}

// bytes returns the file.
func (s *session) bytes() []byte { return s.out.Bytes() }

// emit writes a record behind the last one and returns its id.
func (s *session) emit(r record) string { return s.emitAfter(s.parent, r) }

// emitAfter writes a record behind another one.
func (s *session) emitAfter(parent string, r record) string {
	if parent != "" {
		r.ParentUUID = &parent
	}
	r.IsSidechain, r.AgentID = s.agent != "", s.agent
	r.UserType, r.Cwd, r.SessionID, r.Version, r.GitBranch = "external", s.cwd, s.id, s.version, s.branch
	if r.UUID == "" {
		r.UUID = s.ids.uuid()
	}
	r.Timestamp = s.stamp()
	s.parent = r.UUID
	if s.sink != nil {
		s.sink(r)
	} else {
		s.line(r)
	}
	return r.UUID
}

// line writes any record, also one outside the chain.
func (s *session) line(v any) {
	s.out.Write(marshal(v))
	s.out.WriteByte('\n')
}

// stamp is the time as records write it.
func (s *session) stamp() string { return s.now.Format("2006-01-02T15:04:05.000Z") }

// wait lets time pass. The provider's cache forgets a thread after five minutes without a call, all but the system
// prompt, which other threads keep warm.
func (s *session) wait(d time.Duration) {
	s.now = s.now.Add(d)
	if d >= 5*time.Minute {
		s.cached = min(s.cached, s.system)
	}
}

// size is the true size of the prompt.
func (s *session) size() int {
	n := s.overhead
	for _, c := range s.prompt {
		n += c.tokens
	}
	return n
}

// known is the prompt as the client sizes it: the last count it was given, and four characters a token since.
func (s *session) known() int { return s.last + s.tail/4 }

// charge adds a part to the prompt.
func (s *session) charge(tokens int, text string) {
	s.prompt = append(s.prompt, charge{tokens: tokens, chars: len(text)})
	s.tail += len(text)
}

// hide adds tokens to the prompt that no record shows: a reminder the client slips in.
func (s *session) hide(tokens int) { s.prompt = append(s.prompt, charge{tokens: tokens}) }

// say records what a person typed, with the snapshot of files the client keeps for each such message.
func (s *session) say(text string) { s.show(transcript.Prose, text) }

// show is say for any kind of content.
func (s *session) show(class transcript.Class, text string) {
	id := s.emit(record{Type: "user", Message: &message{Role: "user", Content: text}})
	s.line(snapshotOf(id, s.stamp()))
	s.newTurn()
	s.charge(messageTokens+s.meter.text(class, text), text)
}

// newTurn drops the thinking of earlier turns, with a model that forgets it.
func (s *session) newTurn() {
	front := s.overhead
	for i, c := range s.prompt {
		if c.think && s.drops {
			s.cached = min(s.cached, front)
			s.prompt[i] = charge{}
		}
		front += s.prompt[i].tokens
	}
}

// attach records a message of a person with an image or a document in front of its text; tokens is what they cost.
func (s *session) attach(text string, tokens int, kind, mime, data string) {
	content := []block{{Type: kind, Source: &media{Type: "base64", Mime: mime, Data: data}}, {Type: "text", Text: text}}
	s.emit(record{Type: "user", Message: &message{Role: "user", Content: content}})
	s.charge(tokens, "")
	s.charge(messageTokens+s.meter.text(transcript.Prose, text), text)
}

// ask records the message a sub-agent starts with.
func (s *session) ask(text string) {
	s.emit(record{Type: "user", Message: &message{Role: "user", Content: text}})
	s.charge(messageTokens+s.meter.text(transcript.Prose, text), text)
}

// command records what the client notes of a command a person gave to it.
func (s *session) command(text string) { s.ask(text) }

// inject records text the client put into the conversation.
func (s *session) inject(text string) {
	s.emit(record{Type: "user", IsMeta: true, Message: &message{Role: "user", Content: text}})
	s.charge(messageTokens+s.meter.text(transcript.Prose, text), text)
}

// endTurn records what the client notes once the agent has answered.
func (s *session) endTurn(took time.Duration) {
	s.emit(record{Type: "system", Subtype: "stop_hook_summary", HookCount: 1, Level: "suggestion", ToolUseID: s.ids.uuid()})
	s.emit(record{Type: "system", Subtype: "turn_duration", DurationMs: int(took.Milliseconds())})
}

// fileSnapshot is the record in which the client notes the files it could restore.
type fileSnapshot struct {
	Type      string `json:"type"`
	MessageID string `json:"messageId"`
	Snapshot  struct {
		MessageID string            `json:"messageId"`
		Backups   map[string]string `json:"trackedFileBackups"`
		Timestamp string            `json:"timestamp"`
	} `json:"snapshot"`
	Update bool `json:"isSnapshotUpdate"`
}

// snapshotOf returns the one of a message.
func snapshotOf(id, at string) fileSnapshot {
	f := fileSnapshot{Type: "file-history-snapshot", MessageID: id}
	f.Snapshot.MessageID, f.Snapshot.Timestamp, f.Snapshot.Backups = id, at, map[string]string{}
	return f
}

// title is the record that names a session in the client's list. It is no summary of a compaction.
type title struct {
	Type    string `json:"type"`
	Summary string `json:"summary"`
	Leaf    string `json:"leafUuid"`
}

// writeTitle records a title.
func (s *session) writeTitle(text string) {
	s.line(title{Type: "summary", Summary: text, Leaf: s.ids.uuid()})
}

// renamed returns the file under another session id, as a client writes it when it forks a session.
func renamed(data []byte, from, to string) []byte {
	return []byte(strings.ReplaceAll(string(data), from, to))
}
