package estimate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// A user must not see a compaction as an estimator's error, nor its re-injected files as the price of a summary.
func TestRecordedCompaction(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 500, said(500))
	s.person(50)
	s.call(1650, 0)
	summary := s.compact(200)
	s.call(1900, 40, said(40))
	s.person(10)
	s.call(1950, 0)
	study := s.study(t)
	after := study.Calls[2]
	if after.Point != 1200 || after.HasAnchor || after.Overhead != 1000 || after.Gap != Boundary {
		t.Errorf("first call after the compaction: %+v, want the overhead and the summary, 1200, without an anchor", after)
	}
	want := []Unseen{{Call: 2, Tokens: 700, At: summary + 1, Reinjected: true, Cause: Boundary}}
	if diff := cmp.Diff(want, study.Grown); diff != "" {
		t.Error(diff)
	}
	if e := study.Entry(part(summary, 0)); e != (Entry{200, Guessed, 2}) {
		t.Errorf("summary %+v, want its own estimate", e)
	}
	if next := study.Calls[3]; !next.HasAnchor || next.Point != 1950 || next.FreeResidual != 0 {
		t.Errorf("second call after it: %+v, want it anchored", next)
	}
}

// A user whose agent keeps the first message and a tail through a compaction has an anchor neither in the calls
// before it nor in their hidden growth.
func TestCompactionKeepsATail(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	s.result(50)
	s.call(4190, 30, said(30)) // 3,000 of hidden growth come with the result
	m := len(s.t.Messages)
	s.change(transcript.Change{Kind: transcript.Compact, Prompt: []transcript.Span{{From: 0, To: 1}, {From: m, To: m + 1}, {From: 1, To: 4}}})
	s.add(transcript.User, transcript.Compaction, transcript.Part{Kind: transcript.Summary, Text: text(200)})
	s.call(1420, 0)
	study := s.study(t)
	if c := study.Calls[2]; c.HasAnchor || c.Point != 1000+100+200+40+50+30 || c.Residual != 0 {
		t.Errorf("%+v, want the overhead and the parts that stayed, without an anchor", c)
	}
	if err := addsUp(study); err != nil {
		t.Error(err)
	}
}

// A user must see a recorded clear predicted by the prices of the bodies it took, less their markers.
func TestRecordedClear(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	body := s.result(4000)
	s.call(5140, 30, said(30))
	s.person(10)
	s.change(transcript.Change{Kind: transcript.Clear, Reduce: []transcript.PartID{part(body, 0)}})
	s.call(1205, 0)
	study := s.study(t)
	c := study.Calls[2]
	if want := transcript.Estimated(5140 + 30 + 10 - 4000 + int(ClearedMarker)); c.Point != want || !c.HasAnchor || c.Clean {
		t.Errorf("%+v, want an anchored estimate of %d that is not clean", c, want)
	}
	if c.Residual == 0 || c.FreeResidual != 0 {
		t.Errorf("residual %d, free-running %d: a recorded change re-anchors", c.Residual, c.FreeResidual)
	}
	if e := study.Entry(part(body, 0)); e.Tokens != 4000 {
		t.Errorf("the body's price became %d; entries are never revised", e.Tokens)
	}
}

// A user must not pay for a body that was cleared before any call counted it.
func TestClearBeforeTheFirstCount(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	body := s.result(4000)
	s.change(transcript.Change{Kind: transcript.Clear, Reduce: []transcript.PartID{part(body, 0)}})
	s.call(1160, 0)
	study := s.study(t)
	if c := study.Calls[1]; c.Point != 1140+transcript.Estimated(ClearedMarker) {
		t.Errorf("%+v, want the marker's price", c)
	}
	if e := study.Entry(part(body, 0)); e != (Entry{4000, Guessed, 2}) {
		t.Errorf("the whole body costs %+v, want a guess that no call supports", e)
	}
	if err := addsUp(study); err != nil {
		t.Error(err)
	}
}

// A user whose agent went back must not pay for the abandoned branch in later estimates.
func TestRewind(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 50, said(50))
	s.person(3000)
	s.call(4150, 60, said(60))
	s.change(transcript.Change{Kind: transcript.Rewind, Prompt: []transcript.Span{{From: 0, To: 2}}})
	s.person(20)
	s.call(1170, 0)
	study := s.study(t)
	c := study.Calls[2]
	if c.Point != 1170 || c.Anchored != 1100+13+5 || c.Previous != 4150 || !c.HasAnchor || c.Clean {
		t.Errorf("%+v, want the call before the branch as the anchor", c)
	}
}

// A user who switches models keeps what was learned of the content and loses the anchor of another tokenizer.
func TestModelSwitch(t *testing.T) {
	build := func(model string, prompt int) *Study {
		s := newScript()
		s.person(5000)
		s.call(6000, 50, said(50))
		s.person(50)
		s.call(prompt, 0).Model = model
		s.person(10)
		s.call(prompt+10, 0).Model = model
		return s.study(t)
	}
	inside := build("keep-2", 9000)
	if c := inside.Calls[1]; !c.HasAnchor || c.Clean || c.Overhead != 3900 || c.Gap != Switched {
		t.Errorf("inside the family: %+v, want the difference in the overhead", c)
	}
	if c := inside.Calls[2]; c.Point != 9010 || c.Gap != "" {
		t.Errorf("after the switch: %+v, want it anchored anew", c)
	}
	outside := build("dense", 9000)
	if c := outside.Calls[1]; c.HasAnchor {
		t.Errorf("into another family: %+v, want no anchor", c)
	}
	smaller := build("keep-2", 4000)
	if c := smaller.Calls[1]; c.Overhead != 0 {
		t.Errorf("to a much smaller prompt: overhead %d, want 0 and the rest a fall", c.Overhead)
	}
}

// A user of a model whose rule drops earlier thinking must see it leave before the call, not as a surprise after it.
func TestThinkingLeaves(t *testing.T) {
	build := func(model string) (*Study, *script) {
		s := newScript()
		s.person(100)
		s.call(1100, 600, thought(500), said(100)).Model = model
		s.person(20)
		s.call(1220, 10, said(10)).Model = model
		s.person(20)
		s.call(1250, 0).Model = model
		return s.study(t), s
	}
	study, _ := build("drop")
	if c := study.Calls[1]; c.Point != 1220 || c.Residual != 0 || c.Clean {
		t.Errorf("%+v, want the thinking left out of the estimate", c)
	}
	want := []Unseen{{
		Call: 1, Tokens: -500, At: 3, Parts: []transcript.PartID{part(1, 0)}, Share: []transcript.Ledger{-500},
		Cause: ThinkingLeft, Foreseen: true,
	}}
	if diff := cmp.Diff(want, study.Falls); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, study.UnseenAt(1)); diff != "" {
		t.Error(diff)
	}
	if c := study.Calls[2]; c.Point != 1250 {
		t.Errorf("next turn: %d, want 1250: nothing leaves twice", c.Point)
	}
	if c := study.Calls[2]; c.Local != 100+100+20+10+20 {
		t.Errorf("%d local tokens are visible, want the thinking gone", c.Local)
	}
	if kept, _ := build("keep"); kept.Calls[1].Point != 1720 {
		t.Errorf("a model that keeps it: %d, want 1720", kept.Calls[1].Point)
	}
}

// A user of an older client has no trusted count of the thinking: it must not be subtracted without having been added.
func TestUncountedThinkingLeaves(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 2, thought(500), said(100)).Model = "drop"
	s.person(20)
	s.call(1220, 0).Model = "drop"
	study := s.study(t)
	if c := study.Calls[1]; c.Point != 1220 || c.Residual != 0 {
		t.Errorf("%+v, want what is left of the reply and the new message", c)
	}
	if e := study.Entry(part(1, 0)); e != (Entry{500, Guessed, 2}) {
		t.Errorf("the thinking costs %+v, want a guess that no call supports", e)
	}
}

// A user of a model with hidden reasoning has it in the output count and in no part: it must leave all the same.
func TestHiddenReasoningLeaves(t *testing.T) {
	s := newScript()
	s.person(100)
	c := s.call(1100, 600, said(100))
	c.Model, c.Usage.Reasoning = "drop", transcript.Of(480)
	s.person(20)
	s.call(1240, 0).Model = "drop"
	study := s.study(t)
	if e := study.Entry(part(1, 0)); e.Tokens != 600 {
		t.Errorf("the reply costs %d, want its output, 600", e.Tokens)
	}
	if c := study.Calls[1]; c.Point != 1240 || c.Residual != 0 {
		t.Errorf("%+v, want 480 tokens of reasoning to leave", c)
	}
}

// A user's ratios must be learned from content alone.
func TestWhatIsLearnedFrom(t *testing.T) {
	for _, c := range []struct {
		name    string
		spoil   func(*script)
		learned bool
	}{
		{"a logged result", func(*script) {}, true},
		{"a hosted tool", func(s *script) { s.t.Calls[0].Hosted = true }, false},
		{"a call that failed", func(s *script) { s.call(0, 0).Err = "aborted" }, false},
		{"thinking due to leave", func(s *script) {
			s.t.Messages[1].Parts = append(s.t.Messages[1].Parts, thought(1))
			s.t.Calls[0].Model = "drop"
			s.person(0)
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			s.person(100)
			s.call(1100, 40, toolCall(40))
			m := s.result(1000)
			c.spoil(s)
			s.call(2240, 0).Model = s.t.Calls[0].Model
			study := s.study(t)
			before, _ := study.Estimate(part(m, 0), 0)
			after, _ := study.Size(transcript.ToolResult, study.Item(part(m, 0)), len(s.t.Calls))
			if learned := after != before; learned != c.learned {
				t.Errorf("1,000 tokens were estimated at %d and are at %d now: learned %v, want %v", before, after, learned, c.learned)
			}
		})
	}
}

// A user reading "clean" must be able to trust that only facts of the recording decided it.
func TestClean(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*script)
		want  bool
	}{
		{"a logged result", func(s *script) { s.result(50) }, true},
		{"a large error", func(s *script) { s.result(5000) }, true},
		{"a message of a person", func(s *script) { s.person(50) }, false},
		{"an injected record", func(s *script) { s.injected(50) }, false},
		{"an untrusted output", func(s *script) { s.t.Calls[0].Usage.Output = transcript.Of(2); s.result(50) }, false},
		{"a hosted tool", func(s *script) { s.t.Calls[0].Hosted = true; s.result(50) }, false},
		{"a broken call between", func(s *script) { s.result(50); s.call(0, 0).Err = "aborted" }, false},
		{"a broken chain", func(s *script) {
			s.result(50)
			s.t.Warnings = append(s.t.Warnings, transcript.Warning{Line: 3, Message: "parent not in the file"})
		}, false},
		{"a picture without a size", func(s *script) {
			s.result(10, transcript.Part{Kind: transcript.Image})
		}, false},
		{"a picture with a size", func(s *script) {
			s.result(10, transcript.Part{Kind: transcript.Image, Media: transcript.Media{Width: 300, Height: 200}})
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			s.person(100)
			s.call(1100, 40, toolCall(40))
			c.spoil(s)
			s.call(1200, 0)
			calls := s.study(t).Calls
			if got := calls[len(calls)-1]; got.Clean != c.want || !got.HasAnchor {
				t.Errorf("%+v, want clean %v", got, c.want)
			}
		})
	}
}
