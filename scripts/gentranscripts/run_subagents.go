package main

import (
	"time"

	"perch/formats/transcript"
)

// agentProgress is one record of a sub-agent's thread inside the records of its parent.
type agentProgress struct {
	Type    string        `json:"type"`
	Message nestedMessage `json:"message"`
	Prompt  string        `json:"prompt"`
	AgentID string        `json:"agentId"`
}

// nestedMessage is what the record carries.
type nestedMessage struct {
	Type      string   `json:"type"`
	Message   *message `json:"message"`
	RequestID string   `json:"requestId,omitempty"`
	UUID      string   `json:"uuid"`
	Timestamp string   `json:"timestamp"`
}

// subagents sends out two sub-agents at once, whose threads stand in the parent's file, and a third one in the
// background, which has a file of its own.
func subagents() []file {
	p := profile{
		seed: 7, version: "2.1.101", model: "claude-opus-4-5-20251101", cwd: "/srv/atlas", branch: "main",
		start: time.Date(2026, 3, 2, 10, 20, 0, 0, time.UTC), overhead: 19_733, system: 15_120, final: true,
	}
	s := newSession(p)
	w := newWorkspace(s.text, s.cwd, 10)
	s.say("Find out where addresses are parsed, and separately how the cache of the router expires. Do both at the same time, then tell me how they depend on each other.")
	s.step(0, s.text.line(), w.search(12), w.read(60), w.read(40), w.search(8))

	tasks := s.respond(reply{think: 90, calls: []call{
		task("Find address parsing", s.text.prose(500)), task("Explain cache expiry", s.text.prose(420)),
	}})
	threads := []*session{s.nested(tasks[0], 71), s.nested(tasks[1], 72)}
	for range 6 {
		for _, t := range threads {
			t.codingStep(w, 1)
		}
	}
	for i, t := range threads {
		report := t.text.prose(1100)
		t.step(0, report)
		tasks[i].result = report
		s.now = later(s.now, t.now)
		s.answer(tasks[i])
	}
	s.step(0, "", w.read(50), w.test(8))

	background := task("Read the change log", s.text.prose(300))
	background.result = "The agent runs in the background. Its id is a5c1e90."
	s.step(0, "", background)
	side := s.beside("a5c1e90", 73)
	for range 5 {
		side.codingStep(w, 1)
	}
	side.step(0, side.text.prose(600))

	s.step(60, s.text.prose(900))
	s.endTurn(14 * time.Minute)
	return []file{
		{"claude-code/subagents.jsonl", s.bytes()},
		{"claude-code/agent-a5c1e90.jsonl", side.bytes()},
	}
}

// task asks for a sub-agent.
func task(description, prompt string) call {
	return call{tool: "Task", input: taskInput{Description: description, Prompt: prompt, Agent: "Explore"}, class: transcript.Prose}
}

// child starts a sub-agent's thread: its own prompt and overhead, a smaller model, the parent's session.
func (s *session) child(seed uint64) *session {
	p := s.profile
	p.seed, p.model, p.overhead, p.system, p.start = seed, "claude-haiku-4-5-20251001", 7_204, 5_310, s.now
	c := newSession(p)
	c.id = s.id
	return c
}

// nested starts the thread of a call, recorded in the progress records of the parent.
func (s *session) nested(o *open, seed uint64) *session {
	c := s.child(seed)
	prompt := o.input.(taskInput).Prompt
	id := c.ids.hex(7)
	c.sink = func(r record) {
		s.now = later(s.now, c.now)
		o.tip = s.emitAfter(o.tip, record{
			Type: "progress", ToolUseID: "agent_" + o.id, ParentToolUse: o.id,
			Data: agentProgress{
				Type: "agent_progress", Prompt: brief(prompt), AgentID: id,
				Message: nestedMessage{Type: r.Type, Message: r.Message, RequestID: r.RequestID, UUID: r.UUID, Timestamp: r.Timestamp},
			},
		})
	}
	c.ask(prompt)
	return c
}

// beside starts a thread that is recorded in a file of its own.
func (s *session) beside(id string, seed uint64) *session {
	c := s.child(seed)
	c.agent = id
	c.ask(c.text.prose(300))
	return c
}

// later is the later of two times.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
