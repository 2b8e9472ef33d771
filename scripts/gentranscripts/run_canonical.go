package main

import (
	"bytes"
	"time"

	"perch/formats"
	"perch/formats/transcript"
)

// canonical writes two runs in perch's own format: one whose small window is full after a few calls, with what its
// agent did about it, and one whose agent recorded no counts at all.
func canonical() []file {
	return []file{
		{"canonical/small-window.jsonl", canonicalBytes(smallWindow())},
		{"canonical/no-counts.jsonl", canonicalBytes(noCounts())},
	}
}

// canonicalBytes writes a transcript as its reader expects it.
func canonicalBytes(t *transcript.Transcript) []byte {
	var out bytes.Buffer
	if err := formats.WriteCanonical(&out, t); err != nil {
		panic(err) // a buffer takes everything
	}
	return out.Bytes()
}

// smallWindow is a run in a window of 16,384 tokens. The agent cleared old results once and compacted once.
func smallWindow() *transcript.Transcript {
	h := newThread(21, transcript.Transcript{ID: "small-window", Thread: "main", Agent: "example-agent", Version: "0.3.1"}, 2_140)
	h.metered = true
	w := newWorkspace(h.text, "/srv/mail", 6)
	limit := transcript.Limit{Tokens: 16_384, Kind: transcript.Window, From: transcript.FromRecord}
	step := func(say string, calls ...call) { h.step("example-model-16k", limit, say, calls...) }

	h.say("Letters with more than ten pages are sorted into the wrong tray. Find the reason, fix it, and keep the tray numbers as they are.")
	for h.size < 12_000 {
		step(h.text.line(), w.read(h.text.between(40, 90)))
		step("", w.logs(h.text.between(15, 40)))
		step("", w.search(6), w.edit(6))
	}
	h.clear(4)
	step(h.text.prose(300))
	h.say("And what about letters without a page number?")
	for h.size < 13_800 {
		step(h.text.line(), w.config(h.text.between(8, 16)))
		step("", w.test(9))
	}
	h.compact(h.text.prose(2400))
	step("", w.read(30))
	step(h.text.prose(500))
	return h.t
}

// noCounts is a short run of a browsing agent that recorded neither usage nor a limit.
func noCounts() *transcript.Transcript {
	h := newThread(22, transcript.Transcript{ID: "no-counts", Thread: "main", Agent: "example-browser", Version: "1.0.0"}, 900)
	s := &site{r: h.text, host: "http://localhost:8000"}
	h.say("Look up the open orders and tell me which one is oldest.")
	for _, path := range []string{"/orders", "/orders?state=open", "/reports"} {
		page := s.list(h.text.between(6, 12))
		c := call{
			tool: "browser_navigate", input: gotoInput{s.host + path}, class: transcript.Page,
			result: s.snapshot(page, path, "await page.goto('"+s.host+path+"');", 0),
		}
		h.step("example-model", transcript.Limit{}, h.text.line(), c.screenshot(1024, 768))
	}
	h.now = h.now.Add(time.Minute)
	h.step("example-model", transcript.Limit{}, h.text.prose(250))
	return h.t
}
