package formats

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// maxBrief is the longest answer, in tokens, that a request may ask for and be no work of an agent: clients that ask
// for a title or a topic allow a few hundred.
const maxBrief = 512

// chatRequest finds the request and the response of a log's entry. Loggers agree on the bodies, not on what is around
// them. A body that is the entry itself counts as a request only with a response beside it; else it is a conversation.
func chatRequest(v gjson.Result) (request, response gjson.Result) {
	for _, path := range [...]string{"response.body", "response", "response_body", "responseBody", "output", "completion"} {
		if r := body(v.Get(path)); r.Get("choices").IsArray() || r.Get("usage").IsObject() || r.Get("error").Exists() {
			response = r
			break
		}
	}
	for _, path := range [...]string{"request.body", "request", "request_body", "requestBody", "body", "kwargs", "input"} {
		if r := body(v.Get(path)); r.Get("messages").IsArray() {
			return r, response
		}
	}
	if !response.Exists() && v.Get("choices").IsArray() {
		response = v
	}
	if response.Exists() && v.Get("messages").IsArray() {
		return v, response
	}
	return gjson.Result{}, gjson.Result{}
}

// body returns an object, also one that was logged as a text.
func body(v gjson.Result) gjson.Result {
	if v.Type == gjson.String {
		v, _ = embedded(v.Str)
	}
	if !v.IsObject() {
		return gjson.Result{}
	}
	return v
}

// exchange reads a request and its response.
func (c *chatFile) exchange(v, request, response gjson.Result, line int, name string) *exchange {
	l := chatList{notes: &c.notes}
	l.add(request.Get("messages"), line)
	x := &exchange{line: line, name: name, id: chatID(v), call: c.call(v, request, response, line)}
	x.head, x.history = splitHead(settled(l.messages, &c.notes), chatTools(request, line))
	if limit, ok := tokens(first(request, "max_completion_tokens", "max_tokens")); ok {
		x.brief = limit <= maxBrief
	}
	if x.call.Err != "" {
		return x
	}
	reply := chatList{notes: &c.notes}
	choice := response.Get("choices.0")
	if message := choice.Get("message"); message.Get("role").Str == "assistant" {
		reply.message(message, line)
	}
	if len(reply.messages) > 0 {
		x.reply = &reply.messages[0]
		x.reply.Time = x.call.Time
		var ids callers
		ids.response(len(l.messages), x.reply) // as it will stand in the next request
	}
	return x
}

// call reads the call of a request.
func (c *chatFile) call(v, request, response gjson.Result, line int) *transcript.Call {
	call := &transcript.Call{
		Key: own(response.Get("id")), Kind: transcript.Main, Line: line,
		Model:   cmp.Or(own(response.Get("model")), own(request.Get("model"))),
		Time:    moment(first(v, "request.timestamp", "timestamp", "created_at", "start_time", "startTime")),
		Usage:   chatUsage(response.Get("usage"), line, &c.notes),
		Stopped: response.Get("choices.0.finish_reason").Type == gjson.String,
	}
	if call.Time.IsZero() {
		call.Time = moment(response.Get("created"))
	}
	if e := response.Get("error"); e.Exists() && e.Type != gjson.Null {
		text := logError(e)
		call.Err = cut(text, maxError)
		call.Overflow, call.Limit = tooLong(text + " " + e.Get("code").Str)
	} else if status, ok := tokens(first(v, "response.status_code", "status_code")); ok && status >= 400 {
		call.Err = fmt.Sprintf("HTTP status %d", status)
	}
	return call
}

// logError is the text of an error that a provider answered with.
func logError(e gjson.Result) string {
	return cmp.Or(withoutKeys(cmp.Or(own(e.Get("message")), own(e), own(e.Get("type")))), "an error without a text")
}

// chatTools reads the schemas of a request's tools: the system message that a provider makes of them.
func chatTools(request gjson.Result, line int) []transcript.Message {
	m := transcript.Message{Role: transcript.System, Origin: transcript.Injected, Line: line}
	for _, field := range [...]string{"tools", "functions"} {
		tools := request.Get(field)
		if !tools.IsArray() {
			continue
		}
		tools.ForEach(func(_, t gjson.Result) bool {
			m.Parts = append(m.Parts, transcript.Part{Kind: transcript.Text, Text: strings.Clone(t.Raw)})
			return true
		})
	}
	if len(m.Parts) == 0 {
		return nil
	}
	return []transcript.Message{m}
}

// first returns the first of some fields that an object has.
func first(v gjson.Result, fields ...string) gjson.Result {
	for _, f := range fields {
		if x := v.Get(f); x.Exists() && x.Type != gjson.Null {
			return x
		}
	}
	return gjson.Result{}
}
