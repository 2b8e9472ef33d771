package formats

import (
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// chatList is a list of chat messages as it is read, in the order of the recording, with the calls behind them.
type chatList struct {
	notes    *notes
	messages []transcript.Message
	calls    map[int]*transcript.Call // of a message, where more than the message itself is recorded
}

// add reads a list of messages that stand on one line.
func (l *chatList) add(list gjson.Result, line int) {
	list.ForEach(func(_, v gjson.Result) bool {
		l.message(v, line)
		return true
	})
}

// message reads one message. What it is missing is missing; a role that the format does not have is kept from the
// prompt.
func (l *chatList) message(v gjson.Result, line int) {
	m := transcript.Message{Time: moment(v.Get("timestamp")), Line: line}
	role := v.Get("role").Str
	switch role {
	case "system", "developer":
		m.Role, m.Origin = transcript.System, transcript.Injected
	case "assistant":
		m.Role, m.Origin = transcript.Assistant, transcript.Agent
		m.Parts = l.thinking(v)
	case "tool", "function":
		m.Role, m.Origin = transcript.Tool, transcript.FromTool
		m.Parts = l.result(v)
		l.messages = append(l.messages, m)
		return
	default:
		m.Role, m.Origin, m.NotSent = transcript.User, transcript.Person, role != "user"
	}
	m.Parts = append(m.Parts, l.content(v.Get("content"), transcript.Text)...)
	if m.Role == transcript.Assistant {
		m.Parts = append(m.Parts, l.toolCalls(v)...)
	}
	if m.NotSent {
		l.notes.strange("role/" + orName(role, "without a name"))
	}
	if len(m.Parts) > 0 || m.Role == transcript.Assistant { // a response may be empty, and is paid for all the same
		l.messages = append(l.messages, m)
	}
}

// thinking reads what some servers put beside the content of a response.
func (l *chatList) thinking(v gjson.Result) []transcript.Part {
	for _, field := range [...]string{"reasoning_content", "reasoning"} {
		if text := own(v.Get(field)); text != "" {
			return []transcript.Part{{Kind: transcript.Thinking, Text: text}}
		}
	}
	return nil
}

// toolCalls reads the calls of a response; the second form is that of 2023.
func (l *chatList) toolCalls(v gjson.Result) []transcript.Part {
	var parts []transcript.Part
	if calls := v.Get("tool_calls"); calls.IsArray() {
		calls.ForEach(func(_, c gjson.Result) bool {
			if c.IsObject() {
				f := c.Get("function")
				if !f.Exists() { // a custom tool, which takes a text
					f = c.Get("custom")
				}
				parts = append(parts, chatCall(own(c.Get("id")), f))
			}
			return true
		})
	}
	if f := v.Get("function_call"); f.IsObject() {
		parts = append(parts, chatCall("", f))
	}
	return parts
}

// chatCall reads a call by its function. Arguments are JSON in a text.
func chatCall(id string, f gjson.Result) transcript.Part {
	p := transcript.Part{Kind: transcript.ToolCall, CallID: id, Tool: own(f.Get("name"))}
	input := f.Get("arguments")
	if !input.Exists() {
		input = f.Get("input")
	}
	p.Text = own(input)
	if input.Type != gjson.String {
		p.Text = strings.Clone(input.Raw)
	}
	if fields, ok := embedded(p.Text); ok {
		p.Subject, p.Effect = about(p.Tool, fields)
	}
	return p
}

// result reads the result of a call; that of 2023 has the function's name alone.
func (l *chatList) result(v gjson.Result) []transcript.Part {
	parts := l.content(v.Get("content"), transcript.ToolResult)
	if len(parts) == 0 { // it answers its call, with nothing
		parts = []transcript.Part{{Kind: transcript.ToolResult}}
	}
	id, tool := own(v.Get("tool_call_id")), own(v.Get("name"))
	for i := range parts {
		parts[i].CallID, parts[i].Tool = id, tool
	}
	return parts
}

// content decodes a text or a list of parts; text is the kind of a text there.
func (l *chatList) content(content gjson.Result, text transcript.Kind) []transcript.Part {
	if content.Type == gjson.String {
		if content.Str == "" {
			return nil
		}
		return []transcript.Part{{Kind: text, Text: own(content)}}
	}
	var parts []transcript.Part
	if !content.IsArray() {
		return nil
	}
	content.ForEach(func(_, c gjson.Result) bool {
		switch {
		case c.Type == gjson.String:
			parts = append(parts, transcript.Part{Kind: text, Text: own(c)})
		case c.IsObject():
			parts = append(parts, l.part(c, text))
		}
		return true
	})
	return parts
}

// part decodes one part of a content.
func (l *chatList) part(c gjson.Result, text transcript.Kind) transcript.Part {
	switch kind := c.Get("type").Str; kind {
	case "text", "input_text", "output_text":
		return transcript.Part{Kind: text, Text: own(c.Get("text"))}
	case "refusal":
		return transcript.Part{Kind: text, Text: own(c.Get("refusal"))}
	case "thinking", "reasoning":
		return transcript.Part{Kind: transcript.Thinking, Text: firstText(c, "thinking", "text"), Opaque: len(c.Get("signature").Str)}
	case "image_url", "input_image":
		return codexImage(c.Get("image_url"))
	case "file":
		return chatDocument(c.Get("file"))
	case "input_audio":
		return transcript.Part{Kind: transcript.Opaque, Opaque: len(c.Get("input_audio.data").Str)}
	default:
		l.notes.strange("part/" + orName(kind, "without a type"))
		return transcript.Part{Kind: transcript.Opaque, Opaque: len(c.Raw)}
	}
}

// chatDocument reads a file by its data URL, or names it by its id.
func chatDocument(f gjson.Result) transcript.Part {
	head, data, found := strings.Cut(f.Get("file_data").Str, ";base64,")
	if mime, ok := strings.CutPrefix(head, "data:"); ok && found {
		return transcript.Part{Kind: transcript.Document, Media: media(strings.Clone(mime), strings.Clone(data))}
	}
	return transcript.Part{Kind: transcript.Document, Text: firstText(f, "filename", "file_id")}
}

// lay puts the messages into a transcript in the canonical order, with a call for every response.
func (l *chatList) lay(t *transcript.Transcript) {
	for _, i := range canonicalOrder(l.messages, l.notes.warn) {
		m, at := l.messages[i], len(t.Messages)
		if c := l.calls[i]; c != nil {
			c.At, c.Reply = at, transcript.Span{From: at, To: at + 1}
			if m.NotSent {
				c.Reply = transcript.Span{}
			}
			t.Calls = append(t.Calls, *c)
		} else if m.Role == transcript.Assistant && !m.NotSent {
			t.Calls = append(t.Calls, bareCall(&m, transcript.Span{From: at, To: at + 1}, ""))
		}
		t.Messages = append(t.Messages, m)
	}
}
