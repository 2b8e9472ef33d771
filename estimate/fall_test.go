package estimate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// A user must find hidden growth under its own name, not as the price of a small result.
func TestUnseenGrowth(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	small := s.result(50)
	s.call(4190, 30, said(30))
	s.person(20)
	s.call(4240, 0)
	study := s.study(t)
	want := []Unseen{{Call: 1, Tokens: 3000, At: small + 1, Cause: Inferred}}
	if diff := cmp.Diff(want, study.Grown); diff != "" {
		t.Error(diff)
	}
	if e := study.Entry(part(small, 0)); e != (Entry{50, Guessed, 1}) {
		t.Errorf("the result costs %+v, want its estimate", e)
	}
	if c := study.Calls[2]; c.Point != 4240 || c.FreeResidual != 3000 {
		t.Errorf("%+v, want the growth to stay in the prompt, and in the free-running error", c)
	}
}

// A user must find a fall of the prompt that no record explains attributed to the oldest bodies, and no part priced
// below its marker.
func TestSilentClear(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, thought(20), toolCall(20))
	old := s.result(3000)
	s.call(4140, 40, toolCall(40))
	young := s.result(3000)
	s.call(7180, 40, toolCall(40))
	s.result(60)
	s.call(7180+100-4000, 0)
	study := s.study(t)
	most := 3000 - ClearedMarker
	want := []Unseen{{
		Call: 3, Tokens: -4000, At: 7, Parts: []transcript.PartID{part(old, 0), part(young, 0)},
		Share: []transcript.Ledger{-most, most - 4000}, Cause: SilentClear,
	}}
	if diff := cmp.Diff(want, study.Falls); diff != "" {
		t.Error(diff)
	}
	if c := study.Calls[3]; c.Gap != SilentClear || c.Residual != -4000 || c.Clean != true {
		t.Errorf("%+v; a fall is no record, so the call stays clean", c)
	}
}

// A user's thinking of earlier turns is not what an agent clears in the middle of a turn.
func TestFallInsideATurn(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 800, thought(700), said(100))
	s.person(20)
	s.call(1920, 40, toolCall(40))
	body := s.result(3000)
	s.call(4960, 40, toolCall(40))
	s.result(50)
	s.call(4050, 0)
	study := s.study(t)
	want := []Unseen{{Call: 3, Tokens: -1000, At: 7, Parts: []transcript.PartID{part(body, 0)}, Share: []transcript.Ledger{-1000}, Cause: SilentClear}}
	if diff := cmp.Diff(want, study.Falls); diff != "" {
		t.Error(diff)
	}
}

// A user must not find a negative price where the prompt shrank by a few tokens.
func TestSmallFall(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	m := s.result(50)
	s.call(1120, 0)
	study := s.study(t)
	if e := study.Entry(part(m, 0)); e.Tokens != 50 {
		t.Errorf("the result costs %+v, want its estimate", e)
	}
	if err := addsUp(study); err != nil {
		t.Error(err)
	}
}

// A user must not have a large result priced at next to nothing because something else left in the same step.
func TestFallBehindNewContent(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	old := s.result(3000)
	s.call(4140, 40, toolCall(40))
	fresh := s.result(3000)
	s.call(4140+40+600, 0)
	study := s.study(t)
	if e := study.Entry(part(fresh, 0)); e != (Entry{3000, Guessed, 2}) {
		t.Errorf("the new result costs %+v, want its estimate", e)
	}
	want := []Unseen{{
		Call: 2, Tokens: -2400, At: 5, Parts: []transcript.PartID{part(old, 0)}, Share: []transcript.Ledger{-2400}, Cause: SilentClear,
	}}
	if diff := cmp.Diff(want, study.Falls); diff != "" {
		t.Error(diff)
	}
}

// A user whose model leaves thinking behind at a new message must find an unruly fall there first.
func TestFallAtAUserTurn(t *testing.T) {
	s := newScript()
	s.person(100)
	s.call(1100, 40, toolCall(40))
	s.result(3000)
	s.call(4140, 800, thought(700), said(100))
	s.person(20)
	s.call(4260, 0)
	study := s.study(t)
	want := []Unseen{{Call: 2, Tokens: -700, At: 5, Parts: []transcript.PartID{part(3, 0)}, Share: []transcript.Ledger{-700}, Cause: SilentClear}}
	if diff := cmp.Diff(want, study.Falls, cmp.Transformer("cause", func(c Cause) string { return "" })); diff != "" {
		t.Error(diff)
	}
}
