package main

import "time"

// codingTasks are what a person asks for, one after the other.
var codingTasks = [...]string{
	"Invoices are sometimes settled twice when a webhook is delivered late. Find out why and fix it. Two rules for the whole session: never change the public API of the ledger package, and keep every amount in integer cents.",
	"Good. Now the retries: they should back off, and stop after six attempts. Please add tests for the stop.",
	"The export of the monthly report takes nine minutes. Measure first, then make it faster.",
	"Customers in Kraków and Zürich get their reminders an hour early. Something with the time zone, I think.",
	"Add a limit of 50 requests a second per tenant to the public endpoints. Read it from the configuration.",
	"The nightly import fails on one file in ten. The log of last night is in the journal.",
	"Clean up what we do not need any more, and split the file that has grown too long.",
	"Last thing: write down what changed today for the release notes, and run everything once more.",
}

// codingLong is a day of work in one thread that nearly fills a window of 200,000 tokens without a compaction.
func codingLong() []file {
	s := newSession(profile{
		seed: 1, version: "2.1.104", model: "claude-opus-4-5-20251101", cwd: "/srv/billing", branch: "fix/late-webhooks",
		start: time.Date(2026, 3, 4, 8, 12, 0, 0, time.UTC), overhead: 18_412, system: 14_230, final: true,
	})
	w := newWorkspace(s.text, s.cwd, 24)
	s.writeTitle("Invoices settled twice by late webhooks")
	for i, task := range codingTasks {
		if i > 0 {
			s.wait(time.Duration(s.text.between(1, 22)) * time.Minute)
		}
		if i == 3 || i == 6 {
			s.hide(s.text.between(600, 2400)) // a reminder of the client that no record shows
		}
		s.say(task)
		if i == 4 {
			s.inject("The linter changed " + w.paths[3] + " after your last edit. This was intended; do not undo it.\n\n" + lines(w.files[3], 10, 20))
		}
		begin := s.now
		for range 19 {
			s.codingStep(w, 1)
		}
		s.step(s.text.between(0, 1)*120, s.text.prose(s.text.between(300, 1100)))
		s.endTurn(s.now.Sub(begin))
	}
	return []file{{"claude-code/coding-long.jsonl", s.bytes()}}
}

// codingStep is one response of a coding agent with what it calls; scale makes the results longer.
func (s *session) codingStep(w *workspace, scale int) {
	think, say := 0, ""
	if s.text.chance(0.2) {
		think = s.text.between(40, 160)
	}
	if s.text.chance(0.4) {
		say = s.text.line()
	}
	n := func(lo, hi int) int { return s.text.between(lo, hi) * scale }
	switch chance := s.text.Float64(); {
	case chance < 0.25:
		s.step(think, say, w.read(n(20, 100)))
	case chance < 0.35:
		s.step(think, say, w.read(n(15, 50)), w.read(n(15, 50)), w.search(n(4, 16)))
	case chance < 0.45:
		s.step(think, say, w.search(n(4, 24)))
	case chance < 0.65:
		s.step(think, say, w.edit(s.text.between(3, 14)))
	case chance < 0.70:
		s.step(think, say, w.add(s.text.between(30, 80)))
	case chance < 0.85:
		s.step(think, say, w.test(s.text.between(6, 30)))
	case chance < 0.94:
		s.step(think, say, w.logs(n(12, 40)))
	default:
		s.step(think, say, w.config(n(5, 14)))
	}
}
