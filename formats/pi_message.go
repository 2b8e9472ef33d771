package formats

import (
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// message reads a record's message by its role.
func (s *piSession) message(e *piEntry, v gjson.Result) {
	content := v.Get("content")
	switch role := v.Get("role").Str; role {
	case "user":
		s.input(e, transcript.Person, content)
	case "assistant":
		s.response(e, v)
	case "toolResult":
		s.result(e, v)
	case "bashExecution":
		s.shell(e, v)
	case "custom", "hookMessage": // an extension's; the second name is that of version 2
		s.input(e, transcript.Injected, content)
	case "branchSummary", "compactionSummary":
		s.summary(e, own(v.Get("summary")))
	default:
		s.notes.strange("role/" + orName(role, "without a name"))
	}
}

// say makes an entry's message, unless it says nothing.
func (e *piEntry) say(role transcript.Role, origin transcript.Origin, parts ...transcript.Part) {
	if len(parts) > 0 {
		e.message = transcript.Message{Role: role, Origin: origin, Parts: parts, Time: e.time, Line: e.line}
	}
}

// input reads what is sent as a user's message.
func (s *piSession) input(e *piEntry, origin transcript.Origin, content gjson.Result) {
	e.say(transcript.User, origin, s.blocks(content, transcript.Text)...)
}

// summary reads a summary: of what a compaction took, or of a branch that was left.
func (s *piSession) summary(e *piEntry, text string) {
	if text != "" {
		e.say(transcript.User, transcript.Compaction, transcript.Part{Kind: transcript.Summary, Text: text})
	}
}

// shell reads a command that a person ran beside the conversation. Its output is sent, unless the person said not to.
func (s *piSession) shell(e *piEntry, v gjson.Result) {
	text := "Ran `" + v.Get("command").Str + "`\n" + v.Get("output").Str
	e.say(transcript.User, transcript.Injected, transcript.Part{Kind: transcript.Text, Text: text})
	e.message.NotSent = isTrue(v.Get("excludeFromContext"))
}

// result reads a tool result.
func (s *piSession) result(e *piEntry, v gjson.Result) {
	parts := s.blocks(v.Get("content"), transcript.ToolResult)
	if len(parts) == 0 { // it answers its call, with nothing
		parts = []transcript.Part{{Kind: transcript.ToolResult}}
	}
	id, tool, failed := own(v.Get("toolCallId")), own(v.Get("toolName")), isTrue(v.Get("isError"))
	for i := range parts {
		parts[i].CallID, parts[i].Tool, parts[i].IsError = id, tool, failed
	}
	e.say(transcript.Tool, transcript.FromTool, parts...)
}

// blocks decodes a text or a list of blocks; text is the kind of a text there.
func (s *piSession) blocks(content gjson.Result, text transcript.Kind) []transcript.Part {
	if content.Type == gjson.String {
		return []transcript.Part{{Kind: text, Text: own(content)}}
	}
	var parts []transcript.Part
	if !content.IsArray() {
		return nil
	}
	content.ForEach(func(_, b gjson.Result) bool {
		if b.IsObject() {
			parts = append(parts, s.block(b, text))
		}
		return true
	})
	return parts
}

// block decodes one block.
func (s *piSession) block(b gjson.Result, text transcript.Kind) transcript.Part {
	switch kind := b.Get("type").Str; kind {
	case "text":
		return transcript.Part{Kind: text, Text: own(b.Get("text"))}
	case "thinking":
		return transcript.Part{Kind: transcript.Thinking, Text: own(b.Get("thinking")), Opaque: piSignature(own(b.Get("thinkingSignature")))}
	case "image":
		return transcript.Part{Kind: transcript.Image, Media: media(own(b.Get("mimeType")), own(b.Get("data")))}
	case "toolCall":
		p := transcript.Part{Kind: transcript.ToolCall, CallID: own(b.Get("id")), Tool: own(b.Get("name"))}
		arguments := b.Get("arguments")
		p.Text = strings.Clone(arguments.Raw)
		p.Subject, p.Effect = about(p.Tool, arguments)
		return p
	default:
		s.notes.strange("block/" + orName(kind, "without a type"))
		return transcript.Part{Kind: transcript.Opaque, Opaque: len(b.Raw)}
	}
}

// nameOnly is the longest signature that is the name of a field, not encrypted thinking: with some providers pi keeps
// there in which field of the answer the thinking stood.
const nameOnly = 32

// piSignature is the size of what of a thinking block is encrypted. With OpenAI's models the signature is the whole
// item as JSON; its readable part is the block's own text.
func piSignature(signature string) int {
	if item, ok := embedded(signature); ok {
		return len(item.Get("encrypted_content").Str)
	}
	if len(signature) <= nameOnly {
		return 0
	}
	return len(signature)
}
