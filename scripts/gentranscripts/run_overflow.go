package main

import (
	"fmt"
	"time"

	"perch/formats/transcript"
)

// window is what the provider accepts.
const window = 200_000

// overflow reads one ledger after the other with compaction switched off, until the provider refuses the prompt.
func overflow() []file {
	s := newSession(profile{
		seed: 5, version: "2.1.118", model: "claude-sonnet-4-5-20250929", cwd: "/data/audit", branch: "main",
		start: time.Date(2026, 2, 20, 16, 1, 0, 0, time.UTC), overhead: 26_510, system: 22_800, final: true, drops: true,
	})
	s.say("Reconcile all bank accounts of 2025 against the postings. There are about forty files; read each one whole, because I need every difference, not a sample.")
	for s.size() < window {
		s.step(0, s.text.line(), s.overflowCall())
	}
	for _, again := range []string{"Continue.", "Try it once more with what you have."} {
		s.refuse("invalid_request", fmt.Sprintf(
			`API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: %d tokens > %d maximum"},"request_id":"%s"}`,
			s.size(), window, s.ids.id("req_01")))
		s.wait(2 * time.Minute)
		s.say(again)
	}
	return []file{{"claude-code/overflow.jsonl", s.bytes()}}
}

// overflowCall reads a file of postings, or the numbers of one.
func (s *session) overflowCall() call {
	path := "/data/audit" + s.text.fill("/{city}/{d6}")
	if s.text.chance(0.3) {
		return bash("cut -d, -f6 "+path+".csv", "Show the amounts", s.text.column(s.text.between(400, 700)), transcript.Numbers)
	}
	return bash("cat "+path+".csv", "Show the postings", s.text.ledgerCSV(s.text.between(90, 160)), transcript.Numbers)
}
