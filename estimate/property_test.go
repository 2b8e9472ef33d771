package estimate

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"perch/formats/transcript"
)

// randomScript draws a small run: messages, calls with and without counts, and every kind of change.
func randomScript(t *rapid.T) *script {
	s := newScript()
	size := rapid.IntRange(0, 3000)
	s.person(size.Draw(t, "first"))
	for i := range rapid.IntRange(1, 25).Draw(t, "events") {
		pick := rapid.SampledFrom([]string{"call", "call", "call", "result", "result", "person", "injected", "compact", "clear", "rewind"}).Draw(t, fmt.Sprint("event", i))
		switch {
		case pick == "call":
			s.drawCall(t)
		case pick == "result" && s.open > 0:
			s.result(size.Draw(t, "result"))
		case pick == "person":
			s.person(size.Draw(t, "typed"))
			s.open = 0
		case pick == "injected":
			s.injected(size.Draw(t, "injected"))
			s.open = 0
		case pick == "compact":
			s.drawCompact(t, size.Draw(t, "summary"))
			s.open = 0
		case pick == "clear":
			s.drawClear(t)
		case pick == "rewind":
			s.drawRewind(t)
		}
	}
	return s
}

// drawCall sends a call with any counts.
func (s *script) drawCall(t *rapid.T) {
	var reply []transcript.Part
	for range rapid.IntRange(0, 3).Draw(t, "parts") {
		make := rapid.SampledFrom([]func(int) transcript.Part{said, thought, toolCall}).Draw(t, "kind")
		reply = append(reply, make(rapid.IntRange(0, 900).Draw(t, "part")))
	}
	prompt := rapid.SampledFrom([]int{0, 1, 500, 4000, 40000}).Draw(t, "prompt")
	if last := len(s.t.Calls) - 1; last >= 0 && rapid.IntRange(0, 3).Draw(t, "leap") > 0 {
		grew := rapid.OneOf(rapid.IntRange(-60, 60), rapid.IntRange(-200, 2000)).Draw(t, "grew")
		prompt = max(int(s.t.Calls[last].Usage.Prompt.N)+grew, 0)
	}
	c := s.call(prompt, rapid.IntRange(0, 1500).Draw(t, "output"), reply...)
	c.Model = rapid.SampledFrom([]string{"keep", "keep", "keep-2", "drop", "dense"}).Draw(t, "model")
	c.Stopped = rapid.Bool().Draw(t, "stopped")
	c.Hosted = rapid.IntRange(0, 9).Draw(t, "hosted") == 0
	if rapid.IntRange(0, 9).Draw(t, "failed") == 0 {
		c.Err = "aborted"
	}
	if n := rapid.IntRange(0, 500).Draw(t, "reasoning"); n > 250 {
		c.Usage.Reasoning = transcript.Of(n)
	}
}

// drawCompact replaces the prompt by a summary and the messages since some response.
func (s *script) drawCompact(t *rapid.T, size int) {
	m := len(s.t.Messages)
	prompt := []transcript.Span{{From: m, To: m + 1}}
	if from := rapid.IntRange(0, m-1).Draw(t, "kept from"); s.t.Messages[from].Role == transcript.Assistant {
		prompt = append(prompt, transcript.Span{From: from, To: m})
	}
	s.change(transcript.Change{Kind: transcript.Compact, Prompt: prompt})
	s.add(transcript.User, transcript.Compaction, transcript.Part{Kind: transcript.Summary, Text: text(size)})
}

// drawClear clears some results.
func (s *script) drawClear(t *rapid.T) {
	var reduce []transcript.PartID
	for m := range s.t.Messages {
		if s.t.Messages[m].Role == transcript.Tool && rapid.Bool().Draw(t, "cleared") {
			reduce = append(reduce, part(m, 0))
		}
	}
	s.change(transcript.Change{Kind: transcript.Clear, Reduce: reduce})
}

// drawRewind goes back to a prefix of the messages that ends before a response.
func (s *script) drawRewind(t *rapid.T) {
	ends := []int{}
	for m := range s.t.Messages {
		if s.t.Messages[m].Role == transcript.Assistant {
			ends = append(ends, m)
		}
	}
	if len(ends) == 0 {
		return
	}
	s.change(transcript.Change{Kind: transcript.Rewind, Prompt: []transcript.Span{{From: 0, To: rapid.SampledFrom(ends).Draw(t, "back to")}}})
	s.open = 0
}

// upTo is the recording as it stood when call k was about to be sent, with nothing recorded after it.
func upTo(t *transcript.Transcript, k int) *transcript.Transcript {
	p := *t
	p.Messages = t.Messages[:t.Calls[k].At]
	p.Calls = slices.Clone(t.Calls[:k+1])
	p.Calls[k].Usage, p.Calls[k].Reply = transcript.Usage{}, transcript.Span{From: p.Calls[k].At, To: p.Calls[k].At}
	p.Calls[k].Err, p.Calls[k].Hosted, p.Calls[k].Stopped = "", false, false
	p.Changes = slices.DeleteFunc(slices.Clone(t.Changes), func(c transcript.Change) bool { return c.Line > t.Calls[k].Line })
	return &p
}

// A user who adds up a report's numbers must arrive at what the provider counted, at every call.
func TestLedgerSumsToRecorded(t *testing.T) {
	table := testTable(t)
	rapid.Check(t, func(t *rapid.T) {
		s := randomScript(t)
		if err := transcript.Check(s.t); err != nil {
			t.Fatalf("the drawn transcript is not one: %v", err)
		}
		if err := addsUp(NewStudy(s.t, Options{Counter: byteTokens{}, Models: table})); err != nil {
			t.Fatal(err)
		}
	})
}

// A user's estimates may use nothing that was recorded after the call was sent.
func TestForecastsOfAnyPrefix(t *testing.T) {
	table := testTable(t)
	rapid.Check(t, func(t *rapid.T) {
		s := randomScript(t)
		if len(s.t.Calls) == 0 {
			return
		}
		k := rapid.IntRange(0, len(s.t.Calls)-1).Draw(t, "call")
		all := NewStudy(s.t, Options{Counter: byteTokens{}, Models: table})
		then := NewStudy(upTo(s.t, k), Options{Counter: byteTokens{}, Models: table})
		a, b := all.Calls[k], then.Calls[k]
		if a.Point != b.Point || a.Upper != b.Upper || a.OverheadPrev != b.OverheadPrev || a.HasAnchor != b.HasAnchor || a.Anchored != b.Anchored {
			t.Fatalf("call %d: with the future %+v, without it %+v", k, a, b)
		}
		for m := range then.T.Messages {
			for id := range parts(then.T, m) {
				ap, au := all.Estimate(id, k)
				bp, bu := then.Estimate(id, k)
				if ap != bp || au != bu {
					t.Fatalf("call %d, part %v: with the future %d/%d, without it %d/%d", k, id, ap, au, bp, bu)
				}
			}
		}
	})
}

// addsUp checks, from what a study exports alone, that at every judged call the overhead, the prices of the recorded
// prompt's parts and the unseen growth in it sum to the recorded count, and that nothing has a negative price.
func addsUp(s *Study) error {
	fallen := map[transcript.PartID]transcript.Ledger{}
	marked := map[transcript.PartID]bool{}
	var prompt []int
	var grown []Unseen
	for e := range s.T.Walk() {
		switch e.Kind {
		case transcript.Append:
			prompt = append(prompt, e.Index)
		case transcript.Alter:
			c := &s.T.Changes[e.Index]
			for _, id := range c.Reduce {
				marked[id] = true
			}
			if c.Prompt != nil {
				prompt = s.T.Rewrite(c, prompt)
				grown = slices.DeleteFunc(grown, func(u Unseen) bool {
					return c.Kind == transcript.Compact || u.At > 0 && !slices.Contains(prompt, u.At-1)
				})
			}
		case transcript.Send:
			for _, u := range s.UnseenAt(e.Index) {
				if len(u.Parts) == 0 {
					grown = append(grown, u)
				}
				for i, id := range u.Parts {
					fallen[id] += u.Share[i]
				}
			}
			c := s.Calls[e.Index]
			if !c.Judged {
				continue
			}
			total := c.Overhead
			for _, m := range prompt {
				for id := range parts(s.T, m) {
					price := s.Entry(id).Tokens + fallen[id]
					if marked[id] {
						price = min(price, ClearedMarker)
					}
					if price < 0 || c.Overhead < 0 {
						return fmt.Errorf("call %d: part %v costs %d, overhead %d", e.Index, id, price, c.Overhead)
					}
					total += price
				}
			}
			for _, u := range grown {
				total += u.Tokens
			}
			if total != transcript.Ledger(c.Recorded) {
				return fmt.Errorf("call %d: the parts add up to %d, recorded %d: %+v", e.Index, total, c.Recorded, c)
			}
		}
	}
	return nil
}
