package formats

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// anthropicBodies finds the request and the response of an entry. The response is an object, or a streamed one as its
// text. A body may be logged as a text.
func anthropicBodies(v gjson.Result) (request, response gjson.Result) {
	for _, path := range [...]string{"request.body", "request", "request_body", "body"} {
		if b := body(v.Get(path)); b.Get("messages").IsArray() {
			request = b
			break
		}
	}
	if !request.Exists() && v.Get("messages").IsArray() && v.Get("response").Exists() {
		request = v
	}
	for _, path := range [...]string{"response.body", "response.body_raw", "response.events", "response", "response_body"} {
		b := v.Get(path)
		if o := body(b); o.Get("content").IsArray() || o.Get("error").Exists() {
			return request, o
		}
		if b.Type == gjson.String && strings.Contains(b.Str, "data:") || b.IsArray() {
			return request, b
		}
	}
	return request, gjson.Result{}
}

// request decodes a request, but for its messages.
func (a *anthropicFile) request(r record, body gjson.Result) *exchange {
	envelope := r.obj.Get("request")
	x := &exchange{line: r.line, id: sessionOf(body.Get("metadata.user_id"))}
	x.name = lineName(r.line)
	var version string
	x.agent, version = clientOf(first(envelope, "headers.user-agent", "headers.User-Agent").Str)
	x.call = &transcript.Call{
		Kind: transcript.Main, Model: own(body.Get("model")), Version: version, Line: r.line,
		Time: moment(first(r.obj, "request.timestamp", "timestamp", "logged_at")),
	}
	if limit, ok := tokens(body.Get("max_tokens")); ok {
		x.brief = limit <= maxBrief
	}
	x.head = append(systemPrompt(body.Get("system"), r.line), chatTools(body, r.line)...)
	return x
}

// systemPrompt reads a system prompt: a text, or a list of texts.
func systemPrompt(v gjson.Result, line int) []transcript.Message {
	m := transcript.Message{Role: transcript.System, Origin: transcript.Injected, Line: line}
	if v.Type == gjson.String {
		m.Parts = []transcript.Part{{Kind: transcript.Text, Text: own(v)}}
	}
	if v.IsArray() {
		v.ForEach(func(_, b gjson.Result) bool {
			m.Parts = append(m.Parts, transcript.Part{Kind: transcript.Text, Text: own(b.Get("text"))})
			return true
		})
	}
	if len(m.Parts) == 0 {
		return nil
	}
	return []transcript.Message{m}
}

// history decodes the messages of a request. A user's message with results becomes a message for each, and one with
// what stood beside them.
func (a *anthropicFile) history(messages gjson.Result, line int) []transcript.Message {
	var out []transcript.Message
	messages.ForEach(func(_, v gjson.Result) bool {
		content := v.Get("content")
		switch role := v.Get("role").Str; role {
		case "assistant":
			out = append(out, a.reply(content, line))
		case "user":
			out = append(out, a.input(content, line)...)
		case "system": // within the conversation
			m := a.input(content, line)
			for i := range m {
				m[i].Role, m[i].Origin = transcript.System, transcript.Injected
			}
			out = append(out, m...)
		default:
			a.notes.strange("role/" + orName(role, "without a name"))
		}
		return true
	})
	return settled(out, &a.notes)
}

// The beginnings of the texts by which Claude Code has a history summed up, and goes on from the summary.
const (
	asksForSummary = "Your task is to create a detailed summary of "
	hasSummary     = "This session is being continued from a previous conversation"
)

// says reports whether a message of the user has a text that begins so.
func says(m *transcript.Message, beginning string) bool {
	return m.Role == transcript.User && slices.ContainsFunc(m.Parts, func(p transcript.Part) bool { return strings.HasPrefix(p.Text, beginning) })
}

// reply decodes the content of a response.
func (a *anthropicFile) reply(content gjson.Result, line int) transcript.Message {
	var m claudeMessage
	d := claudeBlocks{line: line, notes: &a.notes, m: &m}
	d.response(content)
	for i := range m.parts {
		p := &m.parts[i]
		p.Unsent = false // a request shows what was sent
		if p.Kind == transcript.ToolCall && strings.HasPrefix(p.CallID, madeID) {
			p.CallID = "" // one from its place in the history is the same in every request
		}
	}
	return transcript.Message{Role: transcript.Assistant, Origin: transcript.Agent, Parts: m.parts, Line: line}
}

// input decodes the content of a user's message.
func (a *anthropicFile) input(content gjson.Result, line int) []transcript.Message {
	e := claudeEntry{kind: "user"}
	d := claudeBlocks{line: line, notes: &a.notes, m: &e.message}
	d.user(content)
	var out []transcript.Message
	for _, r := range e.message.results {
		for i := range r.parts {
			r.parts[i].CallID = r.call
		}
		out = append(out, transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: r.parts, Line: line})
	}
	if len(e.message.parts) > 0 {
		out = append(out, transcript.Message{Role: transcript.User, Origin: e.userOrigin(), Parts: e.message.parts, Line: line})
	}
	return out
}

// clientName is how a client names itself and its version to the server.
var clientName = regexp.MustCompile(`^([a-zA-Z][\w.-]{0,30})/(\d[\w.-]{0,20})`)

// clientOf reads a client's name and version.
func clientOf(userAgent string) (name, version string) {
	m := clientName.FindStringSubmatch(userAgent)
	if m == nil {
		return "", ""
	}
	if m[1] == "claude-cli" {
		return "claude-code", strings.Clone(m[2])
	}
	return strings.Clone(m[1]), strings.Clone(m[2])
}

// sessionOf is the id of the session in what Claude Code sends as the user's id; the rest of that names the account.
func sessionOf(user gjson.Result) string {
	if o, ok := embedded(user.Str); ok {
		return own(o.Get("session_id"))
	}
	_, id, _ := strings.Cut(user.Str, "_session_")
	return strings.Clone(id)
}
