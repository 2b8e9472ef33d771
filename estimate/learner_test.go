package estimate

import (
	"math"
	"testing"

	"perch/estimate/models"
	"perch/formats/transcript"
)

// plainLearner starts from ratios of 1 without wrappers.
func plainLearner(t *testing.T) *learner {
	tb := testTable(t)
	return newLearner(tb, tb.Family(models.Model{Family: "plain"}), "test")
}

// stepOf is a step of one result of a class.
func stepOf(l *learner, class transcript.Class, local int) *step {
	var s step
	s.add(wrapperOf(transcript.ToolResult, 0), Item{Local: transcript.Local(local), Class: class}, l)
	return &s
}

// A user's dense results are underestimated until their ratio is learned, and other content must not pay for it.
func TestLearnerConverges(t *testing.T) {
	l := plainLearner(t)
	for range 30 {
		l.learn(stepOf(l, transcript.JSON, 1000), 1300)
	}
	if got := l.mean[classIndex(transcript.JSON)]; math.Abs(got-1.3) > 0.02 {
		t.Errorf("ratio of JSON %.3f after 30 results of 1.3", got)
	}
	if got := l.mean[classIndex(transcript.Prose)]; got != 1 {
		t.Errorf("ratio of prose %.3f, though none was seen", got)
	}
	if _, sd := l.predict(stepOf(l, transcript.JSON, 1000)); sd > 110 {
		t.Errorf("standard deviation %.0f tokens of 1,300 after 30 results", sd)
	}
}

// A user of an agent that makes many small calls pays for what the provider wraps around each; it must not be put
// down to their content.
func TestLearnerLearnsWrappers(t *testing.T) {
	l := plainLearner(t)
	for i := range 60 {
		local := 20 + i%7
		var s step
		s.add(wrapperOf(transcript.ToolCall, 0), Item{Local: transcript.Local(local), Class: transcript.JSON}, l)
		l.learn(&s, float64(local)+12)
	}
	if got := l.mean[callFeature]; got < 8 {
		t.Errorf("a call's wrapper is %.1f tokens after 60 of 12", got)
	}
	if got := l.mean[classIndex(transcript.JSON)]; math.Abs(got-1) > 0.1 {
		t.Errorf("the ratio of JSON became %.2f, though the content costs 1", got)
	}
}

// A user's results of several parts are one message to the provider, so they are wrapped once.
func TestWrapperOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  transcript.Kind
		place int
		want  wrapper
	}{
		{"result", transcript.ToolResult, 0, wrapper(resultFeature)},
		{"second part of a result", transcript.ToolResult, 1, bare},
		{"picture in a result", transcript.Image, 1, bare},
		{"message", transcript.Text, 0, wrapper(otherFeature)},
		{"second part of a message", transcript.Text, 1, bare},
		{"call", transcript.ToolCall, 0, wrapper(callFeature)},
		{"second call of a reply", transcript.ToolCall, 2, wrapper(callFeature)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := wrapperOf(c.kind, c.place); got != c.want {
				t.Errorf("wrapper %d, want %d", got, c.want)
			}
		})
	}
}

// A user's long run drifts: a ratio must go on learning, and what has not been seen must not become less certain
// than it was at the start.
func TestLearnerForgets(t *testing.T) {
	l := plainLearner(t)
	prose := Item{Local: 1000, Class: transcript.Prose}
	_, before := l.rates().size(wrapperOf(transcript.ToolResult, 0), prose)
	for range 3000 {
		l.learn(stepOf(l, transcript.JSON, 1000), 1000)
	}
	if _, after := l.rates().size(wrapperOf(transcript.ToolResult, 0), prose); after > before+1 {
		t.Errorf("upper estimate of unseen prose went from %.0f to %.0f", before, after)
	}
	for range 150 {
		l.learn(stepOf(l, transcript.JSON, 1000), 1200)
	}
	if got := l.mean[classIndex(transcript.JSON)]; got < 1.04 {
		t.Errorf("ratio %.3f after 3,000 results of 1.0 and 150 of 1.2: it has stopped learning", got)
	}
}

// A user's ratios must not be ruined by one hidden injection, or by anything else that is not content.
func TestLearnerGate(t *testing.T) {
	l := plainLearner(t)
	l.learn(stepOf(l, transcript.Prose, 500), 9000)
	l.learn(stepOf(l, transcript.Prose, 500), 0)
	if got := l.mean[classIndex(transcript.Prose)]; got != 1 {
		t.Errorf("ratio %.3f after two steps far out of line, want 1", got)
	}
}

// A user's ratio stays within what content can be, and a run that presses against the bounds says so.
func TestLearnerClamp(t *testing.T) {
	l := plainLearner(t)
	for range 4000 {
		s := stepOf(l, transcript.Prose, 200)
		predicted, sd := l.predict(s)
		l.learn(s, predicted+3*sd)
	}
	if got := l.mean[classIndex(transcript.Prose)]; got != ratioMost || l.saturated == 0 {
		t.Errorf("ratio %.2f, saturated %d times, want %.0f and a count", got, l.saturated, ratioMost)
	}
}

// A user's upper estimate lies above the point for every part that is not counted yet, the more so the less is known.
func TestUpperIsConservative(t *testing.T) {
	l := plainLearner(t)
	item := Item{Local: 1000, Class: transcript.JSON}
	point, wide := l.rates().size(wrapperOf(transcript.ToolResult, 0), item)
	for range 30 {
		l.learn(stepOf(l, transcript.JSON, 1000), 1000)
	}
	_, narrow := l.rates().size(wrapperOf(transcript.ToolResult, 0), item)
	if !(point < narrow && narrow < wide) {
		t.Errorf("point %.0f, upper %.0f before and %.0f after 30 results", point, wide, narrow)
	}
}
