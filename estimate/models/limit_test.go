package models

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// call is one main call of a recording.
func call(model string, prompt int, limit transcript.Limit) transcript.Call {
	c := transcript.Call{Kind: transcript.Main, Model: model, Limit: limit}
	if prompt > 0 {
		c.Usage.Prompt = transcript.Of(prompt)
	}
	return c
}

// A user who is told "the run fits" against the wrong limit finds out by an overflow, so the strongest source must
// win and be named.
func TestLimit(t *testing.T) {
	none := transcript.Limit{}
	codex := transcript.Limit{Tokens: 258_400, Kind: transcript.Input}
	opus := []transcript.Call{call("claude-opus-4-6", 150_000, none)}
	for _, c := range []struct {
		name  string
		asked Asked
		calls []transcript.Call
		want  transcript.Limit
	}{
		{
			"given by flag", Asked{Limit: transcript.Limit{Tokens: 90_000}, Tier: "1m"}, opus,
			transcript.Limit{Tokens: 90_000, Kind: transcript.Window, From: transcript.FromFlag},
		},
		{
			"given by file", Asked{Limit: transcript.Limit{Tokens: 90_000, Kind: transcript.Input, From: transcript.FromFile}}, opus,
			transcript.Limit{Tokens: 90_000, Kind: transcript.Input, From: transcript.FromFile},
		},
		{"tier", Asked{Tier: "1m"}, opus, transcript.Limit{Tokens: 1_000_000, Kind: transcript.Window, From: transcript.FromTier}},
		{
			"tier the model does not have", Asked{Tier: "1m"}, []transcript.Call{call("gpt-5.4", 1000, codex)},
			transcript.Limit{Tokens: 258_400, Kind: transcript.Input, From: transcript.FromRecord},
		},
		{
			"last recorded limit", Asked{}, []transcript.Call{call("gpt-5.4", 1000, codex), call("gpt-5.4", 1000, transcript.Limit{Tokens: 353_400, Kind: transcript.Input})},
			transcript.Limit{Tokens: 353_400, Kind: transcript.Input, From: transcript.FromRecord},
		},
		{
			"proved by a prompt", Asked{}, append(opus, call("claude-opus-4-6", 413_921, none)),
			transcript.Limit{Tokens: 1_000_000, Kind: transcript.Window, From: transcript.FromProof},
		},
		{
			"proved beyond every tier", Asked{}, []transcript.Call{call("claude-opus-4-5", 300_000, none)},
			transcript.Limit{Tokens: 300_000, Kind: transcript.Window, From: transcript.FromProof},
		},
		{"window of the table", Asked{}, opus, transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromTable}},
		{
			"input limit of the table", Asked{}, []transcript.Call{call("gpt-5", 1000, none)},
			transcript.Limit{Tokens: 272_000, Kind: transcript.Input, From: transcript.FromTable},
		},
		{
			"unknown model", Asked{}, []transcript.Call{call("house-7b", 1000, none)},
			transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromFallback},
		},
		{"no call", Asked{}, nil, transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromFallback}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Limit(Default(), c.asked, &transcript.Transcript{Calls: c.calls})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A user must be able to look at the call that proves a larger window; a refused or client-made count proves none.
func TestProof(t *testing.T) {
	none := transcript.Limit{}
	refused := call("claude-opus-4-6", 300_000, none)
	refused.Err, refused.Overflow = "prompt is too long", true
	guessed := call("claude-opus-4-6", 300_000, none)
	guessed.Usage.Prompt.From = transcript.Client
	side := call("claude-opus-4-6", 300_000, none)
	side.Kind = transcript.Side
	rejected := &transcript.Transcript{Calls: []transcript.Call{refused, guessed, side}}
	if l, k, ok := Proof(Default(), rejected); ok {
		t.Errorf("call %d proves %v, want no proof", k, l)
	}
	accepted := &transcript.Transcript{Calls: append(rejected.Calls, call("claude-opus-4-6", 210_000, none), call("claude-opus-4-6", 400_000, none))}
	if _, k, ok := Proof(Default(), accepted); !ok || k != 3 {
		t.Errorf("proved by call %d (%v), want the first accepted one, 3", k, ok)
	}
}

// A user's run is judged by the smallest window that its prompts fit, not by the largest there is.
func TestProofTakesTheSmallestTier(t *testing.T) {
	tb, err := Read(strings.NewReader(`{"models": [{"match": ["house*"], "window": 1000, "tiers": {"a": 2000, "b": 4000, "c": 8000}}]}`), Default())
	if err != nil {
		t.Fatal(err)
	}
	run := &transcript.Transcript{Calls: []transcript.Call{call("house", 3000, transcript.Limit{})}}
	if l, _, ok := Proof(tb, run); !ok || l.Tokens != 4000 {
		t.Errorf("proved %v (%v), want the tier of 4,000", l, ok)
	}
}

// A user whose run changed models is judged by the one that answered most of it.
func TestMainModel(t *testing.T) {
	none := transcript.Limit{}
	run := &transcript.Transcript{Calls: []transcript.Call{
		call("a", 10, none), call("b", 10, none), call("b", 10, none), call("a", 10, none), call("c", 0, none), call("", 10, none),
	}}
	if got := MainModel(run); got != "a" {
		t.Errorf("MainModel = %q, want the earlier of the two most frequent, a", got)
	}
}

// A user who mistypes a tier would otherwise be judged by the small window without a word.
func TestCheckTier(t *testing.T) {
	for _, known := range []string{"", "1m"} {
		if err := Default().CheckTier(known); err != nil {
			t.Errorf("CheckTier(%q) = %v", known, err)
		}
	}
	if err := Default().CheckTier("2m"); err == nil || !strings.Contains(err.Error(), "1m") {
		t.Errorf("error %v, want one that names the known tiers", err)
	}
}
