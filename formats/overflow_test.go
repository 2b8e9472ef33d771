package formats

import (
	"testing"

	"perch/formats/transcript"
)

// An overflow that is not recognised is a run that died for no reason; one that is invented sends the user after a
// limit that was never reached.
func TestTooLong(t *testing.T) {
	window := func(n int) transcript.Limit {
		return transcript.Limit{Tokens: n, Kind: transcript.Window, From: transcript.FromRecord}
	}
	input := func(n int) transcript.Limit {
		return transcript.Limit{Tokens: n, Kind: transcript.Input, From: transcript.FromRecord}
	}
	for _, tt := range []struct {
		text  string
		want  bool
		limit transcript.Limit
	}{
		{"prompt is too long: 213462 tokens > 200000 maximum", true, window(200_000)},
		{"Codex error: Your input exceeds the context window of this model.", true, transcript.Limit{}},
		{"This model's maximum context length is 128,000 tokens. However, you requested 130100 tokens", true, window(128_000)},
		{"Input length (265330) exceeds model's maximum context length (262144).", true, window(262_144)},
		{"The input (9000 tokens) is longer than the model's context length (8192 tokens).", true, window(8192)},
		{"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)", true, input(1_048_575)},
		{"This model's maximum prompt length is 131072 but the request contains 537812 tokens", true, input(131_072)},
		{"prompt token count of 140000 exceeds the limit of 128000", true, input(128_000)},
		{"the request exceeds the available context size, try increasing it", true, transcript.Limit{}},
		{"context_length_exceeded", true, transcript.Limit{}},
		{"This model's maximum context length is 99999999999999999999 tokens", true, transcript.Limit{}},
		{"Rate limit reached: maximum context length of 5 requests", false, transcript.Limit{}},
		{"You have exhausted your capacity on this model. Your quota will reset after 51h", false, transcript.Limit{}},
		{"Our servers are currently overloaded", false, transcript.Limit{}},
		{"Request was aborted.", false, transcript.Limit{}},
		{"", false, transcript.Limit{}},
	} {
		if got, limit := tooLong(tt.text); got != tt.want || limit != tt.limit {
			t.Errorf("%q: %v %+v, want %v %+v", tt.text, got, limit, tt.want, tt.limit)
		}
	}
}
