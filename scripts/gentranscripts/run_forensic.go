package main

import (
	"fmt"
	"time"

	"perch/formats/transcript"
)

// constraint is what the person of the forensic run sets once, at the start, for the whole run.
const constraint = "Ground rules, and they hold until I say otherwise: nothing below /evidence may be changed, every time is to be given in UTC, and nothing counts as proven without a path and a line or an offset."

// forensic is a review of dozens of files and sandbox checks that has to stay on its first question.
func forensic() []file {
	s := newSession(profile{
		seed: 3, version: "2.1.109", model: "claude-opus-4-5-20251101", cwd: "/cases/0417", branch: "main",
		start: time.Date(2026, 3, 9, 7, 5, 0, 0, time.UTC), overhead: 21_077, system: 16_044, final: true,
	})
	s.say("Between 1 and 4 March someone took customer data off the host wh-03. Who was it, how did they get in, and what did they take? The images are mounted below /evidence.\n\n" + constraint)
	for i := range 56 {
		think, say := 0, ""
		if i%6 == 0 {
			think, say = s.text.between(60, 200), s.text.line()
		}
		s.step(think, say, s.forensicCall(i))
		if i == 30 {
			s.step(140, s.text.prose(900))
			s.endTurn(25 * time.Minute)
			s.wait(40 * time.Minute)
			s.say("Stay with the first question, please. Is the second account the same person?")
		}
	}
	s.step(260, "So far, with the rules from the start in mind (nothing changed, times in UTC, a place for each claim):\n\n"+s.text.prose(2200))
	s.endTurn(70 * time.Minute)
	return []file{{"claude-code/forensic.jsonl", s.bytes()}}
}

// forensicCall is one look at the evidence.
func (s *session) forensicCall(i int) call {
	path := "/evidence/wh-03" + s.text.fill("/{noun}/{adj}-{noun}")
	switch i % 8 {
	case 0, 3:
		return read(path+".log", s.text.log(s.text.between(15, 45)), transcript.Log, 0)
	case 1:
		at := s.text.between(0, 1<<20)
		return bash(fmt.Sprintf("xxd -s %d -l 512 %s.bin", at, path), "Look at the bytes", s.text.hexdump(s.text.between(12, 32)), transcript.Hex)
	case 2:
		return read(path+".py", s.text.pyFile(s.text.between(30, 90)), transcript.Code, 0)
	case 4:
		return bash("sha256sum /evidence/wh-03/*/*.bin | head -n 20", "Compare checksums", s.text.checksums(s.text.between(6, 18)), transcript.Hex)
	case 5:
		return bash("sandbox-run --no-network "+path+".bin", "Run it in the sandbox", s.text.log(s.text.between(8, 25)), transcript.Log)
	case 6:
		return read(path+".json", s.text.jsonList(s.text.between(6, 14), true), transcript.JSON, 0)
	}
	return read("/evidence/wh-03/mail/inbox.txt", s.text.inbox(s.text.between(10, 30)), transcript.CJK, 0)
}
