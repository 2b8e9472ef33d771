package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// recorder is a summarizer that remembers what it was asked.
type recorder struct {
	asked *[]SummaryRequest
	text  string
	err   error
}

func (r recorder) Summarize(_ context.Context, q SummaryRequest) (string, error) {
	*r.asked = append(*r.asked, q)
	return r.text, r.err
}

// summarizing returns a run that has to be summarized twice.
func summarizing(t *testing.T, r recorder, mode FoldMode) *player {
	p := stateOf(t, "budget H=100000 T=10000 G=9000", "user 10")
	sm := DefaultSummarize()
	sm.Tail = Tail{Tokens: Tokens(2000)}
	sm.Rearm = Rearm{}
	sm.Fold, sm.By = mode, r
	p.p.Steps = []Step{{ID: "summarize", Stage: sm, When: When(OverTrigger)}}
	for range 2 {
		p.line("Read 9000")
		p.line("Read 1000")
		p.line("call")
	}
	return p
}

// TestSummarizer: an agent's own summarizer is given the wrong text, or its summary is lost.
func TestSummarizer(t *testing.T) {
	for _, c := range []struct {
		mode FoldMode
		want []string
	}{
		{FoldPrevious, []string{`2 messages after ""`, `4 messages after "what happened"`}},
		{FoldAll, []string{`2 messages after ""`, `6 messages after ""`}},
	} {
		t.Run(string(c.mode), func(t *testing.T) {
			r := recorder{asked: new([]SummaryRequest), text: "what happened"}
			p := summarizing(t, r, c.mode)
			var got []string
			for _, q := range *r.asked {
				got = append(got, fmt.Sprintf("%d messages after %q", len(q.Messages), q.Previous))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if s := p.s.Summary(-2); s.Text != "what happened" || s.Simulated != 0 || s.Folded != (c.mode == FoldPrevious) {
				t.Errorf("summary %+v", s)
			}
			msgs, err := p.s.Render(nil)
			if err != nil || msgs[1].Parts[0].Text != "what happened" {
				t.Errorf("rendered %+v, %v", msgs[1], err)
			}
		})
	}
}

// TestSummarizerFails: a run ends because one summary could not be written.
func TestSummarizerFails(t *testing.T) {
	for name, r := range map[string]recorder{"error": {err: errors.New("overloaded")}, "no text": {}} {
		t.Run(name, func(t *testing.T) {
			r.asked = new([]SummaryRequest)
			p := summarizing(t, r, FoldPrevious)
			if len(*r.asked) != 2 || len(p.s.summaries) != 0 {
				t.Errorf("asked %d times, wrote %d summaries", len(*r.asked), len(p.s.summaries))
			}
		})
	}
	t.Run("canceled", func(t *testing.T) {
		p := stateOf(t, "budget H=1000 T=100 G=90", "user 10", "Read 9000", "Read 10")
		sm := DefaultSummarize()
		sm.Tail = Tail{Tokens: Tokens(50)}
		sm.By = recorder{asked: new([]SummaryRequest), err: context.Canceled}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := Pipeline{Steps: []Step{{ID: "summarize", Stage: sm, When: When(OverTrigger)}}}.Next(ctx, p.s, p.b, p.m)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// TestAtomicLoops: cutting a loop that carries signed thinking invalidates the signatures behind the cut.
func TestAtomicLoops(t *testing.T) {
	for _, atomic := range []bool{false, true} {
		p := stateOf(t, "budget H=100000 T=1000 G=900", "user 10", "say 4000", "user 10")
		p.add(transcript.Message{Role: transcript.Assistant, Origin: transcript.Agent, Parts: []transcript.Part{
			{Kind: transcript.Thinking, Opaque: 100}, {Kind: transcript.ToolCall, CallID: "signed"}}})
		p.add(transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: []transcript.Part{
			{Kind: transcript.ToolResult, CallID: "signed", Text: strings.Repeat("abc\n", 500)}}})
		p.line("Read 500")
		p.line("Read 500")
		sm := DefaultSummarize()
		sm.Tail, sm.KeepUserText, sm.LoopAtomic = Tail{Tokens: Tokens(600)}, Amount{}, atomic
		p.p.Steps = []Step{{ID: "summarize", Stage: sm, When: When(OverTrigger)}}
		p.line("call")
		want := []MessageID{0, -1, 2, 7, 8}
		if atomic {
			want = []MessageID{0, -1, 2, 3, 4, 5, 6, 7, 8}
		}
		if diff := cmp.Diff(want, p.s.Prompt()); diff != "" {
			t.Errorf("atomic %v: %s", atomic, diff)
		}
	}
}
