package formats

import (
	"time"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// chatUsage reads the counts of a chat completion. The prompt holds what was read from a cache. With models of
// Anthropic behind a gateway it may leave out what was written to one: then the parts are more than the whole.
func chatUsage(v gjson.Result, line int, n *notes) transcript.Usage {
	sound := true
	read := func(fields ...string) (c count) {
		for _, f := range fields {
			if x := v.Get(f); x.Exists() && x.Type != gjson.Null {
				c.n, c.ok = tokens(x)
				sound = sound && c.ok
				return c
			}
		}
		return count{}
	}
	prompt, output := read("prompt_tokens"), read("completion_tokens")
	cached := read("prompt_tokens_details.cached_tokens", "cache_read_input_tokens", "prompt_cache_hit_tokens")
	written := read("cache_creation_input_tokens", "prompt_tokens_details.cache_creation_tokens", "prompt_tokens_details.cache_write_tokens")
	reasoning := read("completion_tokens_details.reasoning_tokens")
	if !sound {
		n.warn(line, "a token count that is no number, or negative, was taken as not recorded")
		return transcript.Usage{}
	}
	if prompt.n < cached.n+written.n {
		prompt.n += written.n
	}
	if prompt.n < cached.n+written.n {
		prompt.n += cached.n
	}
	if prompt.n == 0 {
		return transcript.Usage{}
	}
	return transcript.Usage{
		Prompt: transcript.Of(prompt.n), CacheRead: cached.count(), CacheWrite: written.count(),
		Output: output.count(), Reasoning: reasoning.count(),
	}
}

// Bounds of the numbers that are times: seconds since 1970 up to the year 5138, and milliseconds from there on.
const (
	maxSeconds = 1e11
	maxMillis  = 1e14
)

// moment reads a time: a stamp, or seconds or milliseconds since 1970.
func moment(v gjson.Result) time.Time {
	if v.Type != gjson.Number {
		return instant(v)
	}
	switch {
	case v.Num <= 0 || v.Num >= maxMillis:
		return time.Time{}
	case v.Num < maxSeconds:
		return time.UnixMilli(int64(v.Num * 1000)).UTC()
	}
	return time.UnixMilli(int64(v.Num)).UTC()
}
