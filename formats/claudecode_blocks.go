package formats

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// claudeBlocks decodes the content of one message. Content is a text or a list of blocks, at three levels.
type claudeBlocks struct {
	line  int
	notes *notes
	m     *claudeMessage
}

// each yields the blocks of a content with their type; a plain text is one block of type text.
func (d *claudeBlocks) each(content gjson.Result, fn func(kind string, b gjson.Result)) {
	switch {
	case content.Type == gjson.String:
		fn("text", content)
	case content.IsArray():
		content.ForEach(func(_, b gjson.Result) bool {
			switch {
			case b.Type == gjson.String:
				fn("text", b)
			case b.IsObject():
				fn(b.Get("type").Str, b)
			}
			return true
		})
	}
}

// user decodes what a user record holds: results, and what stands beside them.
func (d *claudeBlocks) user(content gjson.Result) {
	d.each(content, func(kind string, b gjson.Result) {
		if kind == "tool_result" {
			d.m.results = append(d.m.results, d.result(b))
			return
		}
		d.m.parts = append(d.m.parts, d.part(kind, b, transcript.Text)...)
	})
}

// result decodes a tool result. A spilled one (<persisted-output>) needs nothing else: the text in the record, the
// path and the beginning of the output, is what was sent.
func (d *claudeBlocks) result(b gjson.Result) claudeResult {
	r := claudeResult{}
	var content gjson.Result
	b.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "tool_use_id":
			r.call = own(v)
		case "is_error":
			r.failed = isTrue(v)
		case "content":
			content = v
		}
		return true
	})
	d.each(content, func(kind string, b gjson.Result) {
		r.parts = append(r.parts, d.part(kind, b, transcript.ToolResult)...)
	})
	if len(r.parts) == 0 { // it answers its call, with nothing
		r.parts = []transcript.Part{{Kind: transcript.ToolResult}}
	}
	for i := range r.parts {
		r.parts[i].IsError = r.failed
	}
	return r
}

// part decodes a block that may stand in a user message or in a result; text is the kind of a text there.
func (d *claudeBlocks) part(kind string, b gjson.Result, text transcript.Kind) []transcript.Part {
	switch kind {
	case "text":
		if b.IsObject() {
			b = b.Get("text")
		}
		return []transcript.Part{{Kind: text, Text: own(b)}}
	case "image":
		return []transcript.Part{claudeMedia(transcript.Image, b.Get("source"))}
	case "document":
		return []transcript.Part{claudeMedia(transcript.Document, b.Get("source"))}
	case "tool_reference": // the provider puts the tool's schema there
		d.notes.strange("block/tool_reference")
		return []transcript.Part{{Kind: text, Text: own(b.Get("tool_name"))}}
	}
	d.notes.strange("block/" + orName(kind, "without a type"))
	return []transcript.Part{{Kind: transcript.Opaque, Opaque: len(b.Raw)}}
}

// claudeMedia decodes the source of a picture or document.
func claudeMedia(kind transcript.Kind, source gjson.Result) transcript.Part {
	mime, data := own(source.Get("media_type")), own(source.Get("data"))
	switch source.Get("type").Str {
	case "base64":
		return transcript.Part{Kind: kind, Media: media(mime, data)}
	case "text":
		return transcript.Part{Kind: kind, Text: data, Media: transcript.Media{Mime: mime}}
	}
	return transcript.Part{Kind: kind, Text: own(source.Get("url")), Media: transcript.Media{Mime: mime}}
}

// response decodes the blocks of an assistant record.
func (d *claudeBlocks) response(content gjson.Result) {
	d.each(content, func(kind string, b gjson.Result) {
		switch kind {
		case "thinking":
			d.add(transcript.Part{Kind: transcript.Thinking, Text: own(b.Get("thinking")), Opaque: len(b.Get("signature").Str)})
		case "redacted_thinking":
			d.add(transcript.Part{Kind: transcript.Thinking, Opaque: len(b.Get("data").Str)})
		case "tool_use":
			d.add(d.call(b))
		case "server_tool_use", "mcp_tool_use":
			d.m.hosted = true
			d.add(d.call(b))
		case "fallback": // says that another model answered; no content
		default:
			if strings.HasSuffix(kind, "_tool_result") {
				d.m.hosted = true
				d.add(hostedResult(b))
				return
			}
			d.m.parts = append(d.m.parts, d.part(kind, b, transcript.Text)...)
		}
	})
}

// add appends a part.
func (d *claudeBlocks) add(p transcript.Part) { d.m.parts = append(d.m.parts, p) }

// call decodes a tool call. A call without an id gets one from its place.
func (d *claudeBlocks) call(b gjson.Result) transcript.Part {
	p := transcript.Part{Kind: transcript.ToolCall}
	b.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "id":
			p.CallID = own(v)
		case "name":
			p.Tool = own(v)
		case "input":
			p.Text = strings.Clone(v.Raw)
		}
		return true
	})
	if p.CallID == "" {
		p.CallID = fmt.Sprintf("%s%d-%d", madeID, d.line, len(d.m.parts))
	}
	p.Subject, p.Effect = about(p.Tool, gjson.Parse(p.Text))
	p.Unsent = p.Tool == "ExitPlanMode" // the client fills in the plan after the response
	return p
}

// madeID begins the ids of calls that were recorded without one.
const madeID = "line-"

// hostedLevels is how deep a hosted result is looked into for text.
const hostedLevels = 4

// hostedResult decodes the result of a tool that the provider ran: what can be read of it, and how much is
// encrypted.
func hostedResult(b gjson.Result) transcript.Part {
	p := transcript.Part{Kind: transcript.ToolResult, CallID: own(b.Get("tool_use_id"))}
	var text []string
	var collect func(v gjson.Result, levels int)
	collect = func(v gjson.Result, levels int) {
		v.ForEach(func(key, v gjson.Result) bool {
			switch {
			case v.IsObject(), v.IsArray():
				if levels > 0 {
					collect(v, levels-1)
				}
			case strings.HasPrefix(key.Str, "encrypted_"):
				p.Opaque += len(v.Str)
			case v.Type == gjson.String && key.Str != "type":
				text = append(text, own(v))
			}
			return true
		})
	}
	collect(b.Get("content"), hostedLevels)
	p.Text = strings.Join(text, "\n")
	return p
}
