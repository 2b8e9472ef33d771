package formats

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// codexUsage is a usage object. Input includes what was read from and written to the cache; output includes the
// reasoning; total is the sum of both.
type codexUsage struct {
	input, cached, written, output, reasoning, total count
}

// decode reads a usage object and reports whether every number in it was one.
func (u *codexUsage) decode(v gjson.Result) (sound bool) {
	*u = codexUsage{}
	sound = counts(v, map[string]*count{
		"input_tokens":             &u.input,
		"cached_input_tokens":      &u.cached,
		"cache_write_input_tokens": &u.written,
		"output_tokens":            &u.output,
		"reasoning_output_tokens":  &u.reasoning,
		"total_tokens":             &u.total,
	})
	if u.cached.n+u.written.n > u.input.n || u.reasoning.n > u.output.n {
		sound = false
	}
	if !sound {
		*u = codexUsage{}
	}
	return sound
}

// usage is the canonical form.
func (u *codexUsage) usage() transcript.Usage {
	return transcript.Usage{
		Prompt: u.input.count(), CacheRead: u.cached.count(), CacheWrite: u.written.count(),
		Output: u.output.count(), Reasoning: u.reasoning.count(),
	}
}

// same reports whether two usages are of one response, as far as the numbers go.
func (u *codexUsage) same(v *codexUsage) bool {
	return u.input == v.input && u.output == v.output
}

// unsoundCount is the warning about a usage that cannot be what a provider counted.
const unsoundCount = "a token count that is no number, is negative or exceeds its sum was taken as not recorded"

// codexCount is the last count of a call, by the kind of record it came from. Newer versions write two for each call.
type codexCount struct {
	usage  codexUsage
	record bool // a token_usage_record, not a token_count
	open   bool // the other kind has not come
}

// tokenCount reads a token_count event. It is a call only if the running totals grew: rate limits repeat the last
// count, and after a compaction comes the client's estimate of what is left, with zeros beside it.
func (r *codexReader) tokenCount(info gjson.Result, at place) {
	if !info.IsObject() { // news of rate limits only
		return
	}
	var total, last codexUsage
	sound := total.decode(info.Get("total_token_usage"))
	if !last.decode(info.Get("last_token_usage")) || !sound {
		r.notes.warn(at.line, unsoundCount)
		return
	}
	r.thread.limited(info.Get("model_context_window"))
	repeated := total == r.total && total.input.ok
	r.total = total
	switch {
	case last.input.n == 0:
		r.thread.estimated(last.total)
	case repeated:
	case r.last.open && r.last.record && r.last.usage.same(&last):
		r.last.open = false
	default:
		r.last = codexCount{usage: last, open: true}
		r.thread.assign(r.call(&last, r.key(&last), at))
	}
}

// key names a call so that its copies in other files have the same name. A fork repeats the records of the session
// it came from under new times, but with the ids of their turns and the running totals; where a version has no
// turns, the id of the session stands for them.
func (r *codexReader) key(last *codexUsage) string {
	scope := r.turn.id
	if scope == "" {
		scope = r.session
	}
	return fmt.Sprintf("%s/%d+%d/%d+%d", scope, r.total.input.n, r.total.output.n, last.input.n, last.output.n)
}

// usageRecord reads a token_usage_record, which names the response and so is never counted twice, even where a
// resumed session is written again. A token_count of the same response may stand before or after it.
func (r *codexReader) usageRecord(p gjson.Result, at place) {
	id := own(p.Get("response_id"))
	if r.known[id] {
		return
	}
	if id != "" {
		r.known[id] = true
	}
	var u codexUsage
	switch {
	case !u.decode(p.Get("usage")):
		r.notes.warn(at.line, unsoundCount)
	case u.input.n == 0:
	case r.last.open && !r.last.record && r.last.usage.same(&u):
		r.last.open = false
		r.thread.counted.Key = orKey(id, r.thread.counted.Key)
	default:
		r.last = codexCount{usage: u, record: true, open: true}
		r.thread.assign(r.call(&u, orKey(id, r.key(&u)), at))
	}
}

// orKey returns the id of a response, or what stands for it.
func orKey(id, key string) string {
	if id != "" {
		return id
	}
	return key
}

// call is a call that was counted.
func (r *codexReader) call(u *codexUsage, key string, at place) *transcript.Call {
	return &transcript.Call{
		Key: key, Kind: transcript.Main, Model: r.thread.model, Version: r.thread.version,
		Usage: u.usage(), Limit: r.thread.limit, Stopped: true, Time: at.time, Line: at.line,
	}
}

// ranOut is how the client itself says that a prompt did not fit.
const ranOut = "ran out of room in the model's context window"

// fail reads the error that ended a request: a text, or an object with a message and a class.
func (r *codexReader) fail(e gjson.Result, at place) {
	if !e.Exists() || e.Type == gjson.Null {
		return
	}
	text, class := own(e), own(e.Get("codex_error_info"))
	if text == "" {
		text = own(e.Get("message"))
	}
	if text == "" {
		text = orName(class, "an error without a text")
	}
	full, limit := tooLong(text)
	named, _ := tooLong(class)
	r.thread.fail(&transcript.Call{
		Err: cut(text, maxError), Overflow: full || named || strings.Contains(text, ranOut), Limit: limit, Time: at.time, Line: at.line,
	})
}
