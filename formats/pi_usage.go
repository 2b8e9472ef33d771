package formats

import (
	"cmp"
	"fmt"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// response reads an answer of the model. What OpenClaw writes there of itself, a copy of what it delivered, was not
// answered by a model, and its replay leaves it out.
func (s *piSession) response(e *piEntry, v gjson.Result) {
	e.say(transcript.Assistant, transcript.Agent, s.blocks(v.Get("content"), transcript.Text)...)
	if v.Get("provider").Str == "openclaw" {
		s.agent = "openclaw"
		e.message.Origin, e.message.NotSent = transcript.Injected, true
		return
	}
	stop := own(v.Get("stopReason"))
	e.failed = stop == "error" || stop == "aborted"
	c := &transcript.Call{Kind: transcript.Main, Model: own(v.Get("model")), Time: e.time, Line: e.line, Stopped: stop != "" && !e.failed}
	if c.Model == "" {
		c.Model = s.model
	}
	c.Usage = s.usage(e.line, v.Get("usage"))
	if e.failed {
		if c.Usage.Output.Known() { // it counts what had come by then
			c.Usage.Output.From = transcript.Partial
		}
		text := cmp.Or(own(v.Get("errorMessage")), stop)
		c.Err = cut(text, maxError)
		if stop == "error" {
			c.Overflow, c.Limit = tooLong(text)
		}
	}
	c.Key = piKey(e, v, c)
	e.call = c
}

// piKey names a call the same in every copy: forks copy records with their times, but a migration from version 1
// gives them new ids.
func piKey(e *piEntry, v gjson.Result, c *transcript.Call) string {
	if id := own(v.Get("responseId")); id != "" {
		return id
	}
	at := e.id
	if sent := v.Get("timestamp"); sent.Type == gjson.Number {
		at = sent.Raw
	} else if !e.time.IsZero() {
		at = e.time.Format("20060102T150405.000")
	}
	return fmt.Sprintf("%s/%s/%d/%d", at, c.Model, c.Usage.Prompt.N, c.Usage.Output.N)
}

// ownCall is the request by which the client had a summary written, if its usage is recorded.
func (s *piSession) ownCall(e *piEntry, v gjson.Result) *transcript.Call {
	u := s.usage(e.line, v)
	if !u.Prompt.Known() {
		return nil
	}
	return &transcript.Call{
		Key: "summary/" + e.id + e.time.Format("/20060102T150405.000"), Kind: transcript.Compacting, Model: s.model,
		Usage: u, Time: e.time, Line: e.line, Stopped: true,
	}
}

// usage reads the counts of a call. Zeros are those of a request whose count was never recorded. The total tells
// whether a provider's input holds its cached part already.
func (s *piSession) usage(line int, v gjson.Result) transcript.Usage {
	var input, read, write, output, reasoning, total count
	sound := true
	v.ForEach(func(key, v gjson.Result) bool {
		var c *count
		switch key.Str {
		case "input":
			c = &input
		case "cacheRead":
			c = &read
		case "cacheWrite":
			c = &write
		case "output":
			c = &output
		case "reasoning":
			c = &reasoning
		case "totalTokens":
			c = &total
		default:
			return true
		}
		c.n, c.ok = tokens(v)
		sound = sound && (c.ok || v.Type == gjson.Null)
		return true
	})
	if !sound {
		s.notes.warn(line, "a token count that is no number, or negative, was taken as not recorded")
		return transcript.Usage{}
	}
	prompt := input.n + read.n + write.n
	if total.n > 0 && total.n != prompt+output.n {
		if total.n != input.n+output.n {
			s.notes.warn(line, "the token counts of a call do not add up to its total")
		} else {
			prompt = input.n
		}
	}
	if prompt == 0 {
		return transcript.Usage{}
	}
	return transcript.Usage{Prompt: transcript.Of(prompt), CacheRead: read.count(), CacheWrite: write.count(), Output: output.count(), Reasoning: reasoning.count()}
}
