package main

import "time"

// compacted is a long run whose client cleared old results once, compacted by itself once, and once when told to.
// The client was updated twice on the way, so that the records of three versions stand in one file.
func compacted() []file {
	s := newSession(profile{
		seed: 6, version: "2.1.22", model: "claude-opus-4-5-20251101", cwd: "/srv/depot", branch: "feat/returns",
		start: time.Date(2026, 1, 28, 8, 0, 0, 0, time.UTC), overhead: 41_064, system: 33_510,
	})
	w := newWorkspace(s.text, s.cwd, 30)
	s.say("Build returns: a customer sends parcels back, the depot books them in, and the refund goes out once. Keep to the conventions of the shipping package, and ask before adding a dependency.")
	s.workUntil(w, microcompactAt)
	s.microcompact()
	s.codingStep(w, 2)
	s.step(90, s.text.prose(700))
	s.endTurn(50 * time.Minute)

	s.version = "2.1.29"
	s.wait(35 * time.Minute)
	s.say("Good so far. Go on with the booking in the depot.")
	s.workUntil(w, autoCompactAt)
	s.compact("auto", s.summary(), 9_300)
	for range 7 {
		s.codingStep(w, 1)
	}

	s.version, s.final = "2.1.217", true
	s.step(0, s.text.prose(600))
	kept := s.parent
	s.endTurn(20 * time.Minute)
	s.wait(12 * time.Minute)
	s.compactKeeping("manual", s.summary(), kept, 4_100)
	s.inject("<local-command-caveat>What follows was typed for the client and is not meant for you.</local-command-caveat>")
	s.command("<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args>keep the open points</command-args>")
	s.command("<local-command-stdout>Compacted</local-command-stdout>")
	s.say("Now the refunds. They must never go out twice.")
	for range 6 {
		s.codingStep(w, 1)
	}
	s.step(0, s.text.prose(500))
	s.endTurn(9 * time.Minute)
	return []file{{"claude-code/compacted.jsonl", s.bytes()}}
}

// workUntil works until the client's own estimate of the prompt has reached a threshold.
func (s *session) workUntil(w *workspace, threshold int) {
	for s.known() < threshold {
		switch chance := s.text.Float64(); {
		case chance < 0.3:
			s.step(0, "", w.read(s.text.between(90, 240)))
		case chance < 0.6:
			s.step(0, s.text.line(), w.logs(s.text.between(40, 110)))
		case chance < 0.8:
			s.step(0, "", w.config(s.text.between(15, 40)))
		default:
			s.step(70, "", w.edit(s.text.between(10, 30)))
		}
	}
}

// summary is what a compaction leaves of the conversation.
func (s *session) summary() string {
	return "This conversation goes on from an earlier one whose history was summarized.\n\n1. What was asked for\n" + s.text.prose(1200) +
		"\n\n2. What was found and decided\n" + s.text.prose(3200) + "\n\n3. Files\n" + s.text.goFunc() + s.text.prose(1500) + "\n\n4. Open points\n" + s.text.prose(1300)
}
