package main

import "time"

// forks is one session that was continued twice: both files hold the calls up to the fork, with the same ids.
func forks() []file {
	a, w := beforeFork()
	a.say("Try it with a queue between them.")
	for range 5 {
		a.codingStep(w, 1)
	}
	a.step(0, a.text.prose(500))

	b, w := beforeFork()
	b.wait(25 * time.Minute)
	b.text, b.ids = newSource(8, 4), newSource(8, 5)
	w.r = b.text
	b.say("Try it without a queue: the worker can ask the ledger itself.")
	for range 7 {
		b.codingStep(w, 1)
	}
	b.step(90, b.text.prose(700))
	return []file{
		{"claude-code/fork-a.jsonl", a.bytes()},
		{"claude-code/fork-b.jsonl", renamed(b.bytes(), b.id, b.ids.uuid())},
	}
}

// beforeFork tells what both have in common. Told twice, it is the same to the byte.
func beforeFork() (*session, *workspace) {
	s := newSession(profile{
		seed: 8, version: "2.1.117", model: "claude-opus-4-5-20251101", cwd: "/srv/ledger", branch: "spike/outbox",
		start: time.Date(2026, 3, 11, 15, 0, 0, 0, time.UTC), overhead: 17_690, system: 14_100, final: true,
	})
	w := newWorkspace(s.text, s.cwd, 8)
	s.say("The worker and the ledger disagree about the outbox after a crash. Look at both and propose something.")
	for range 10 {
		s.codingStep(w, 1)
	}
	s.step(120, s.text.prose(800))
	s.endTurn(7 * time.Minute)
	return s, w
}
