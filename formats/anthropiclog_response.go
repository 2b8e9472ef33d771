package formats

import (
	"fmt"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// response adds the answer to an exchange: a body, or a streamed one.
func (a *anthropicFile) response(x *exchange, envelope, body gjson.Result) {
	if !body.IsObject() && body.Exists() {
		s := newMessageStream()
		s.read(body)
		text, ok := s.message()
		if !ok {
			return
		}
		body = gjson.Parse(text)
	}
	c := x.call
	if e := body.Get("error"); e.Exists() && e.Type != gjson.Null {
		fail(c, e)
	} else if status, ok := tokens(envelope.Get("status_code")); ok && status >= 400 {
		c.Err = fmt.Sprintf("HTTP status %d", status)
	}
	if id := own(body.Get("id")); id != "" {
		c.Key = id
		if request := first(envelope, "headers.request-id", "headers.Request-Id").Str; request != "" {
			c.Key += "/" + request
		}
	}
	if m := own(body.Get("model")); m != "" {
		c.Model = m
	}
	a.usage(c, body.Get("usage"), body.Get("stop_reason").Type == gjson.String)
	content := body.Get("content")
	if c.Err != "" || !content.IsArray() {
		return
	}
	m := a.reply(content, x.line)
	m.Time = c.Time
	var ids callers
	ids.response(len(x.history), &m) // as it will stand in the next request
	x.reply = &m
}

// usage reads the counts of a response.
func (a *anthropicFile) usage(c *transcript.Call, v gjson.Result, stopped bool) {
	var u claudeUsage
	if v.Exists() && !u.decode(v) {
		a.notes.warn(c.Line, "a token count that is no number, or negative, was taken as not recorded")
	}
	c.Stopped = stopped
	c.Usage = u.usage(stopped, c.Err != "")
	c.Hosted = v.Get("server_tool_use.web_search_requests").Num > 0
	if c.Key == "" && !c.Time.IsZero() && c.Usage.Prompt.Known() {
		c.Key = fmt.Sprintf("%s/%d/%d", c.Time.Format("20060102T150405.000000"), c.Usage.Prompt.N, c.Usage.Output.N)
	}
}

// fail marks a call as failed.
func fail(c *transcript.Call, e gjson.Result) {
	text := logError(e)
	c.Err = cut(text, maxError)
	c.Overflow, c.Limit = tooLong(text)
}
