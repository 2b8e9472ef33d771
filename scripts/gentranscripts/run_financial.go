package main

import (
	"time"

	"perch/formats/transcript"
)

// financial reads ledgers, columns of numbers and an annual report: the dense content that estimates from characters
// undercount most.
func financial() []file {
	s := newSession(profile{
		seed: 4, version: "2.1.121", model: "claude-sonnet-4-5-20250929", cwd: "/data/close-2025", branch: "main",
		start: time.Date(2026, 2, 11, 9, 30, 0, 0, time.UTC), overhead: 16_880, system: 13_400, final: true, drops: true,
	})
	const pages = 4
	s.attach("This is the draft of the annual report. Check every figure in it against the ledgers in this folder; differences above 500 euros matter.",
		pages*pageTokens, "document", "application/pdf", pdf(s.text, pages))
	for i := range 34 {
		think := 0
		if i%5 == 0 {
			think = s.text.between(50, 180)
		}
		s.step(think, "", s.financialCall(i))
		if i%11 == 10 {
			s.step(0, s.text.prose(700))
			s.endTurn(6 * time.Minute)
			s.wait(3 * time.Minute)
			s.show(transcript.Numbers, "These are the totals I expect, in the order of the accounts:\n"+s.text.column(25))
		}
	}
	s.step(120, s.text.prose(1200))
	s.endTurn(8 * time.Minute)
	return []file{{"claude-code/financial.jsonl", s.bytes()}}
}

// financialCall is one look at the books.
func (s *session) financialCall(i int) call {
	path := "/data/close-2025" + s.text.fill("/{noun}s/{adj}-{d4}")
	switch i % 5 {
	case 0, 1:
		return bash("cat "+path+".csv", "Show the postings", s.text.ledgerCSV(s.text.between(15, 60)), transcript.Numbers)
	case 2:
		return bash("cut -d, -f8 "+path+".csv", "Show the balances", s.text.column(s.text.between(60, 220)), transcript.Numbers)
	case 3:
		return read(path+".json", s.text.jsonList(s.text.between(5, 12), false), transcript.JSON, 0)
	}
	return bash("python3 tools/reconcile.py "+path+".csv", "Reconcile the account", s.text.log(s.text.between(5, 14)), transcript.Log)
}
