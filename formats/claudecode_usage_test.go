package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

func of(n int) transcript.Count { return transcript.Of(n) }

// Every number of a report rests on these counts: a doubled or invented one is a wrong budget.
func TestClaudeUsage(t *testing.T) {
	for _, tt := range []struct {
		name    string
		lines   []string
		want    transcript.Usage
		stopped bool
	}{
		{
			"prompt is the sum of its three parts",
			[]string{asstWith("a", "u", "m", usage(3, 1000, 200, 90), say("ok"))},
			transcript.Usage{Prompt: of(1203), CacheRead: of(1000), CacheWrite: of(200), Output: of(90)}, false,
		},
		{
			"last record of a response wins",
			[]string{asstWith("a", "u", "m", usage(3, 1000, 200, 1), think("x")), asstWith("b", "a", "m", `,"stop_reason":"end_turn"`+usage(3, 1000, 200, 90), say("ok"))},
			transcript.Usage{Prompt: of(1203), CacheRead: of(1000), CacheWrite: of(200), Output: of(90)}, true,
		},
		{
			"small output may be from the start of the stream",
			[]string{asstWith("a", "u", "m", usage(1, 5, 0, 8), say("ok"))},
			transcript.Usage{Prompt: of(6), CacheRead: of(5), CacheWrite: of(0), Output: transcript.Count{N: 8, From: transcript.Partial}}, false,
		},
		{
			"small output of a response that ended",
			[]string{asstWith("a", "u", "m", `,"stop_reason":"tool_use"`+usage(1, 5, 0, 2), say("ok"))},
			transcript.Usage{Prompt: of(6), CacheRead: of(5), CacheWrite: of(0), Output: of(2)}, true,
		},
		{
			"output of a response that was cut off",
			[]string{strings.Replace(asstWith("a", "u", "m", usage(1, 5, 0, 300), say("ok")), `"isSidechain"`, `"isAbortedMidStream":true,"isSidechain"`, 1)},
			transcript.Usage{Prompt: of(6), CacheRead: of(5), CacheWrite: of(0), Output: transcript.Count{N: 300, From: transcript.Partial}}, false,
		},
		{
			"second copy of a record brings the final count",
			[]string{asstWith("a", "u", "m", usage(1, 5, 0, 2), say("ok")), asstWith("a", "u", "m", `,"stop_reason":"end_turn"`+usage(1, 5, 0, 40), say("ok"))},
			transcript.Usage{Prompt: of(6), CacheRead: of(5), CacheWrite: of(0), Output: of(40)}, true,
		},
		{
			"zeros are not recorded",
			[]string{asstWith("a", "u", "m", usage(0, 0, 0, 0), say("ok"))},
			transcript.Usage{}, false,
		},
		{
			"fallback model: the counts beside the iterations are the last one's",
			[]string{asstWith("a", "u", "m", `,"usage":{"input_tokens":2,"cache_read_input_tokens":54112,"output_tokens":40,"iterations":[{"type":"message","input_tokens":9,"cache_read_input_tokens":9999},{"type":"fallback_message","input_tokens":2,"cache_read_input_tokens":54112}]}`, say("ok"))},
			transcript.Usage{Prompt: of(54114), CacheRead: of(54112), Output: of(40)}, false,
		},
		{
			"no cache counts, thinking counted apart",
			[]string{asstWith("a", "u", "m", `,"usage":{"input_tokens":10,"output_tokens":40,"output_tokens_details":{"thinking_tokens":30}}`, say("ok"))},
			transcript.Usage{Prompt: of(10), Output: of(40), Reasoning: of(30)}, false,
		},
		{
			"negative count",
			[]string{asstWith("a", "u", "m", usage(-5, 1000, 0, 40), say("ok"))},
			transcript.Usage{}, false,
		},
		{
			"words for numbers",
			[]string{asstWith("a", "u", "m", `,"usage":{"input_tokens":"[trimmed]","output_tokens":4}`, say("ok"))},
			transcript.Usage{}, false,
		},
		{
			"huge count",
			[]string{asstWith("a", "u", "m", `,"usage":{"input_tokens":123456789012345678901234567890,"output_tokens":9}`, say("ok"))},
			transcript.Usage{Prompt: of(maxTokens), Output: of(9)}, false,
		},
		{
			"usage that is a list",
			[]string{asstWith("a", "u", "m", `,"usage":[1,2]`, say("ok"))},
			transcript.Usage{}, false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := claude(t, append([]string{user("u", "", "go")}, tt.lines...)...)
			if len(tr.Calls) != 1 {
				t.Fatalf("%d calls, want 1", len(tr.Calls))
			}
			if diff := cmp.Diff(tt.want, tr.Calls[0].Usage); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tr.Calls[0].Stopped != tt.stopped {
				t.Errorf("stopped: %v, want %v", tr.Calls[0].Stopped, tt.stopped)
			}
		})
	}
}

// An overflow must be told from any other error by what the error says; some errors name the window.
func TestClaudeErrors(t *testing.T) {
	window := func(n int) transcript.Limit {
		return transcript.Limit{Tokens: n, Kind: transcript.Window, From: transcript.FromRecord}
	}
	for _, tt := range []struct {
		name, text string
		overflow   bool
		limit      transcript.Limit
	}{
		{"prompt too long, with numbers", `API Error: 400 {"error":{"message":"prompt is too long: 203587 tokens > 200000 maximum"}}`, true, window(200000)},
		{"prompt too long, in words", "Prompt is too long", true, transcript.Limit{}},
		{"no room for the output", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 204698, decrease input length", true, window(204698)},
		{"overloaded", `API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}`, false, transcript.Limit{}},
		{"usage limit", "You've hit your limit", false, transcript.Limit{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := claude(t, user("u", "", "go"),
				envelope("assistant", "e", "u")+`,"isApiErrorMessage":true,"message":{"id":"x","model":"<synthetic>","content":[`+say(tt.text)+`]`+usage(0, 0, 0, 0)+`}}`)
			want := []transcript.Call{{At: 1, Key: "x", Kind: transcript.Main, Version: "2.1.30", Err: tt.text, Overflow: tt.overflow, Limit: tt.limit, Line: 2}}
			if diff := cmp.Diff(want, tr.Calls); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
