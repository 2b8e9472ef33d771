package main

import (
	"bytes"
	"time"
)

// damaged is a short run whose file was treated badly: a byte order mark, two values on one line, bytes that are no
// text, a record of an unknown kind, a result without its call, a hole of zeros, an empty line and a torn last line.
func damaged() []file {
	s := newSession(profile{
		seed: 9, version: "2.1.103", model: "claude-sonnet-4-5-20250929", cwd: "/srv/relay", branch: "main",
		start: time.Date(2026, 3, 12, 11, 0, 0, 0, time.UTC), overhead: 15_342, system: 12_000, final: true, drops: true,
	})
	w := newWorkspace(s.text, s.cwd, 4)
	s.say("Why does the relay drop its first packet after a restart?")
	s.step(0, s.text.line(), w.read(30))
	s.step(0, "", w.logs(10))
	s.line(map[string]any{"type": "hologram", "sessionId": s.id, "beam": 7})
	s.step(0, "", w.search(6))
	s.answer(&open{call: w.test(3), id: s.ids.id("toolu_01"), tip: s.parent})
	s.step(0, "", w.read(20))
	s.step(0, "", w.test(4))
	s.step(0, s.text.prose(300))

	all := bytes.SplitAfter(s.bytes(), []byte("\n"))
	out := []byte("\ufeff")
	for i, line := range all {
		switch i {
		case 3: // two values on one line
			line = bytes.TrimSuffix(line, []byte("\n"))
		case 6: // a byte of a text that was no UTF-8
			line = bytes.Replace(line, []byte("INFO"), []byte("IN\xc3O"), 1)
		case 9: // a hole, as a crash of the machine leaves it
			out = append(out, "\x00\x00\x00\x00\n\n"...)
		case len(all) - 2: // the last line, torn
			line = line[:len(line)/2]
		}
		out = append(out, line...)
	}
	return []file{{"claude-code/damaged.jsonl", out}}
}
