package estimate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// A user's counterfactuals rest on what each part is said to have cost.
func TestEntries(t *testing.T) {
	s := newScript()
	first := s.person(100)
	s.call(1100, 50, toolCall(40))
	one := s.result(200)
	s.call(1100+50+210, 30, said(10), toolCall(10), toolCall(10))
	a, b := s.result(100), s.result(300)
	s.call(1360+30+404, 0, said(60))
	last := s.person(10)
	study := s.study(t)

	n := len(s.t.Calls)
	for _, c := range []struct {
		name string
		id   transcript.PartID
		want Entry
	}{
		{"first prompt", part(first, 0), Entry{100, Guessed, 0}},
		{"reply of one part", part(1, 0), Entry{50, Exact, 0}},
		{"only new part", part(one, 0), Entry{210, Exact, 1}},
		{"text of a reply of three parts", part(3, 0), Entry{10, Shared, 1}},
		{"call of a reply of three parts", part(3, 1), Entry{10, Shared, 1}},
		{"first of two results", part(a, 0), Entry{101, Shared, 2}},
		{"second of two results", part(b, 0), Entry{303, Shared, 2}},
		{"after the last call", part(last, 0), Entry{10, Guessed, n}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, study.Entry(c.id)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := study.Calls[2].Overhead; got != 1000 {
		t.Errorf("overhead %d, want what the first prompt hides, 1000", got)
	}
}

// A user of an older client has placeholders for output counts: a reply must not be priced at 2 tokens.
func TestOutputTrust(t *testing.T) {
	for _, c := range []struct {
		name    string
		output  int
		stopped bool
		source  transcript.Source
		want    bool
	}{
		{"placeholder", 2, false, transcript.Provider, false},
		{"placeholder of a short reply", 8, false, transcript.Provider, false},
		{"partial count", 80, false, transcript.Provider, false},
		{"partial count of a complete response", 80, true, transcript.Provider, true},
		{"plausible count", 86, false, transcript.Provider, true},
		{"plausible count that may be partial", 86, false, transcript.Partial, true},
		{"client's estimate", 100, true, transcript.Client, false},
		{"not recorded", 0, true, transcript.NotRecorded, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			s.person(100)
			visible := 100
			if c.name == "placeholder of a short reply" {
				visible = 5
			}
			call := s.call(1100, 0, said(visible))
			call.Stopped = c.stopped
			call.Usage.Output = transcript.Count{N: transcript.Recorded(c.output), From: c.source}
			s.person(10)
			s.call(1110+visible, 0)
			study := s.study(t)
			e := study.Entry(part(1, 0))
			if trusted := e.Call == 0 && e.Tokens == transcript.Ledger(c.output); trusted != c.want {
				t.Errorf("entry %+v of output %d: trusted %v, want %v", e, c.output, trusted, c.want)
			}
		})
	}
}

// A user loses the claim that estimates never look ahead if a different future changes what was estimated before.
func TestNoLookAhead(t *testing.T) {
	build := func(future func(*script)) *Study {
		s := newScript()
		s.person(100)
		s.call(1100, 50, thought(30), toolCall(20))
		s.result(400)
		s.call(1570, 0, said(30), toolCall(30))
		s.result(200)
		s.call(1890, 60, toolCall(50))
		s.result(1000)
		future(s)
		return s.study(t)
	}
	calm := build(func(s *script) {
		s.call(3000, 40, said(40))
		s.person(20)
		s.call(3070, 10, said(10))
	})
	wild := build(func(s *script) {
		s.call(9000, 5, said(400))
		s.compact(300)
		s.call(1500, 10, said(10))
	})
	const split = 3 // the last call before the futures differ
	for k := range split + 1 {
		a, b := calm.Calls[k], wild.Calls[k]
		if a.Point != b.Point || a.Upper != b.Upper || a.OverheadPrev != b.OverheadPrev {
			t.Errorf("call %d: estimates %d and %d, upper %d and %d", k, a.Point, b.Point, a.Upper, b.Upper)
		}
		for m := range calm.T.Calls[split].At {
			for id := range parts(calm.T, m) {
				ap, au := calm.Estimate(id, k)
				bp, bu := wild.Estimate(id, k)
				if ap != bp || au != bu {
					t.Errorf("call %d, part %v: %d/%d and %d/%d", k, id, ap, au, bp, bu)
				}
			}
		}
	}
	if calm.Calls[split].Recorded == wild.Calls[split].Recorded {
		t.Fatal("the futures do not differ")
	}
}

// A user's trigger is checked against the sum of what the parts cost: Point and the per-part estimates must agree.
func TestPointIsTheSumOfItsParts(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 50, toolCall(40))
	s.result(333)
	s.call(1490, 0, said(17), toolCall(6), toolCall(5))
	s.result(77)
	s.result(501)
	s.call(2100, 0, said(5))
	study := s.study(t)
	for k := range study.Calls {
		point, upper := study.Calls[k].OverheadPrev, study.Calls[k].OverheadPrev
		if k == 0 {
			upper += transcript.Estimated(upperSD * 400)
		}
		for _, m := range s.t.PromptAt(k) {
			for id := range parts(s.t, m) {
				p, u := study.Estimate(id, k)
				point, upper = point+p, upper+u
			}
		}
		if got := study.Calls[k]; got.Point != point || got.Upper != upper {
			t.Errorf("call %d: Point %d, Upper %d, the parts add up to %d and %d", k, got.Point, got.Upper, point, upper)
		}
	}
}

// A user reading the first call's estimate must see whether anything was known of what it hides.
func TestFirstCall(t *testing.T) {
	for _, c := range []struct {
		name, format string
		prompt       int
		want         Call
		entry        transcript.Ledger
	}{
		{"known agent", "test", 3000, Call{Point: 2100, Overhead: 2900, OverheadPrev: 2000}, 100},
		{"unknown agent", "house", 3000, Call{Point: 100, Overhead: 2900, NoOverhead: true}, 100},
		{"less than what is visible", "test", 60, Call{Point: 2100, Overhead: 0, OverheadPrev: 2000}, 60},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			s.t.Format = c.format
			s.person(100)
			s.call(c.prompt, 10, said(10))
			study := s.study(t)
			got := study.Calls[0]
			c.want.Recorded, c.want.Judged = transcript.Recorded(c.prompt), true
			c.want.Naive, c.want.Local, c.want.Upper, c.want.Gap = 25, 100, got.Upper, got.Gap
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if e := study.Entry(part(0, 0)); e.Tokens != c.entry || e.From != Guessed {
				t.Errorf("entry %+v, want %d guessed", e, c.entry)
			}
		})
	}
}

// A user's run without any recorded count still has prices, and says that they are guesses.
func TestNothingRecorded(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(0, 0, said(40))
	s.person(10)
	s.call(0, 0)
	study := s.study(t)
	for m, want := range []transcript.Ledger{100, 40, 10} {
		if e := study.Entry(part(m, 0)); e != (Entry{want, Guessed, 2}) {
			t.Errorf("message %d: %+v, want %d guessed", m, e, want)
		}
	}
	if c := study.Calls[1]; c.Judged || c.HasAnchor || c.Point != 2150 {
		t.Errorf("call without a recorded prompt: %+v", c)
	}
}

// A user's failed call has counts too; they price nothing.
func TestFailedReply(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 90, said(80)).Err = "aborted"
	study := s.study(t)
	if e := study.Entry(part(1, 0)); e.From != Guessed {
		t.Errorf("the reply of a failed call costs %+v, want a guess", e)
	}
}

// A user's side requests, failed calls and client-made counts say nothing of the thread's prompt.
func TestWhatAnchors(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(*transcript.Call)
		judged bool
	}{
		{"side request", func(c *transcript.Call) { c.Kind = transcript.Side }, false},
		{"request for a summary", func(c *transcript.Call) { c.Kind = transcript.Compacting }, false},
		{"failed call", func(c *transcript.Call) { c.Err = "overloaded" }, false},
		{"prompt of zero", func(c *transcript.Call) { c.Usage.Prompt = transcript.Of(0) }, false},
		{"client's count", func(c *transcript.Call) { c.Usage.Prompt.From = transcript.Client }, false},
		{"good call", func(*transcript.Call) {}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			s.person(100)
			c.spoil(s.call(5000, 0))
			s.person(10)
			s.call(1110, 0)
			study := s.study(t)
			if study.Calls[0].Judged != c.judged || study.Calls[1].HasAnchor != c.judged {
				t.Errorf("judged %v, anchors the next call %v, want %v", study.Calls[0].Judged, study.Calls[1].HasAnchor, c.judged)
			}
		})
	}
}
