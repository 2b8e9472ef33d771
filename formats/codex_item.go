package formats

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// item reads one item of the conversation. known: its type is; works: the turn does more than compact with it.
func (th *codexThread) item(p gjson.Result, at place) (known, works bool) {
	switch kind := p.Get("type").Str; kind {
	case "message":
		return true, th.message(p, at)
	case "agent_message": // from another agent
		th.input(transcript.Message{
			Role: transcript.User, Origin: transcript.Injected, Time: at.time, Line: at.line,
			Parts: th.content(p.Get("content"), transcript.Text),
		}, true)
		return true, true
	case "ghost_snapshot", "compaction_trigger": // never sent
		return true, false
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "mcp_tool_call_output":
		th.result(th.output(p, at))
		return true, false
	case "tool_search_output":
		th.foundTools(p, at)
		return true, false
	case "compaction", "compaction_summary", "context_compaction":
		th.close() // it stands by itself
		th.write(at, false, transcript.Part{Kind: transcript.Opaque, Opaque: len(p.Get("encrypted_content").Str)})
		th.close()
		return true, true
	case "reasoning":
		th.write(at, false, th.reasoning(p))
		return true, true
	case "function_call", "custom_tool_call", "local_shell_call", "tool_search_call":
		th.write(at, p.Get("execution").Str == "server", th.call(kind, p, at))
		return true, true
	case "web_search_call", "image_generation_call":
		th.write(at, true, th.hosted(kind, p, at)...)
		return true, true
	default:
		th.notes.strange("item/" + orName(kind, "without a type"))
		return false, false
	}
}

// message reads a message by its role.
func (th *codexThread) message(p gjson.Result, at place) (works bool) {
	m := transcript.Message{Time: at.time, Line: at.line}
	m.Parts = th.content(p.Get("content"), transcript.Text)
	switch p.Get("role").Str {
	case "assistant":
		th.write(at, false, m.Parts...)
		return true
	case "developer", "system":
		m.Role, m.Origin = transcript.System, transcript.Injected
		th.input(m, false)
		return false
	}
	m.Role, m.Origin = transcript.User, codexOrigin(m.Parts)
	turn := m.Origin == transcript.Person
	th.input(m, turn)
	return turn
}

// content reads a text or a list of content items; text is the kind of a text there.
func (th *codexThread) content(v gjson.Result, text transcript.Kind) []transcript.Part {
	if v.Type == gjson.String {
		return []transcript.Part{{Kind: text, Text: own(v)}}
	}
	var parts []transcript.Part
	if !v.IsArray() {
		return nil
	}
	v.ForEach(func(_, c gjson.Result) bool {
		switch kind := c.Get("type").Str; kind {
		case "input_text", "output_text", "text", "summary_text", "reasoning_text":
			parts = append(parts, transcript.Part{Kind: text, Text: own(c.Get("text"))})
		case "refusal":
			parts = append(parts, transcript.Part{Kind: text, Text: own(c.Get("refusal"))})
		case "input_image":
			parts = append(parts, codexImage(c.Get("image_url")))
		case "encrypted_content":
			parts = append(parts, transcript.Part{Kind: transcript.Opaque, Opaque: len(c.Get("encrypted_content").Str)})
		default:
			th.notes.strange("content/" + orName(kind, "without a type"))
			parts = append(parts, transcript.Part{Kind: transcript.Opaque, Opaque: len(c.Raw)})
		}
		return true
	})
	return parts
}

// codexImage reads a picture: a data URL as a rule, else an address.
func codexImage(v gjson.Result) transcript.Part {
	if v.IsObject() { // {"url": …}
		v = v.Get("url")
	}
	head, data, found := strings.Cut(v.Str, ";base64,")
	if mime, ok := strings.CutPrefix(head, "data:"); ok && found {
		return transcript.Part{Kind: transcript.Image, Media: media(strings.Clone(mime), strings.Clone(data))}
	}
	return transcript.Part{Kind: transcript.Image, Text: own(v)}
}

// reasoning reads a reasoning item: what of it can be read, and how much is encrypted.
func (th *codexThread) reasoning(p gjson.Result) transcript.Part {
	var texts []string
	for _, field := range [...]string{"content", "summary"} {
		for _, part := range th.content(p.Get(field), transcript.Thinking) {
			texts = append(texts, part.Text)
		}
		if len(texts) > 0 { // a summary beside the text itself is for the screen
			break
		}
	}
	return transcript.Part{Kind: transcript.Thinking, Text: strings.Join(texts, "\n"), Opaque: len(p.Get("encrypted_content").Str)}
}

// call reads a tool call that the client runs. The input of a custom tool is free text, not JSON, as it was sent.
func (th *codexThread) call(kind string, p gjson.Result, at place) transcript.Part {
	c := transcript.Part{Kind: transcript.ToolCall, CallID: th.callID(p, at)}
	switch kind {
	case "local_shell_call":
		c.Tool, c.Text = "local_shell", strings.Clone(p.Get("action").Raw)
	case "tool_search_call":
		c.Tool, c.Text = "tool_search", strings.Clone(p.Get("arguments").Raw)
	case "custom_tool_call":
		c.Tool, c.Text = own(p.Get("name")), own(p.Get("input"))
		th.patches = th.patches || c.Tool == "apply_patch"
	default:
		c.Tool, c.Text = own(p.Get("name")), own(p.Get("arguments"))
		if space := own(p.Get("namespace")); space != "" {
			c.Tool = strings.TrimSuffix(space, "__") + "__" + c.Tool
		}
	}
	c.Subject, c.Effect = codexSubject(c.Tool, c.Text)
	return c
}

// callID returns the id that a call's result names, or one made from its place.
func (th *codexThread) callID(p gjson.Result, at place) string {
	if id := firstText(p, "call_id", "id"); id != "" {
		return id
	}
	th.made++
	return fmt.Sprintf("%s%d-%d", madeID, at.line, th.made)
}

// hosted reads the call of a tool that the provider ran, with a picture where it made one.
func (th *codexThread) hosted(kind string, p gjson.Result, at place) []transcript.Part {
	c := transcript.Part{Kind: transcript.ToolCall, CallID: th.callID(p, at)}
	if kind == "web_search_call" {
		c.Tool, c.Effect, c.Text = "web_search", transcript.Searches, strings.Clone(p.Get("action").Raw)
		c.Subject = cut(firstText(p, "action.query", "action.url"), maxSubject)
		return []transcript.Part{c}
	}
	c.Tool, c.Text = "image_generation", own(p.Get("revised_prompt"))
	parts := []transcript.Part{c}
	if data := own(p.Get("result")); data != "" {
		parts = append(parts, transcript.Part{Kind: transcript.Image, Tool: c.Tool, CallID: c.CallID, Media: media("image/png", data)})
	}
	return parts
}

// foundTools reads the schemas that a search for tools brought: the client's answer, or part of the response where
// the provider searched.
func (th *codexThread) foundTools(p gjson.Result, at place) {
	part := transcript.Part{Kind: transcript.ToolResult, Tool: "tool_search", CallID: own(p.Get("call_id")), Text: strings.Clone(p.Get("tools").Raw)}
	if p.Get("execution").Str == "server" {
		part.CallID = th.callID(p, at)
		th.write(at, true, part)
		return
	}
	th.result(transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: []transcript.Part{part}, Time: at.time, Line: at.line})
}

// codexSubject says what a call is about and what it does: from the fields of its input, or from the first line of a
// free one; a patch names its files.
func codexSubject(tool, input string) (string, transcript.Effect) {
	if isObject(input) {
		subject, effect := about(tool, gjson.Parse(input))
		for _, shell := range [...]string{"bash -lc ", "bash -c ", "zsh -lc ", "sh -c ", "powershell.exe -Command "} {
			subject = strings.TrimPrefix(subject, shell)
		}
		return subject, effect
	}
	for line := range strings.Lines(input) {
		if _, file, ok := strings.Cut(line, " File: "); ok && strings.HasPrefix(line, "*** ") {
			return cut(strings.TrimSpace(file), maxSubject), transcript.Writes
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(input), "\n")
	if first == "" {
		return "", ""
	}
	return cut(first, maxSubject), effectOf(tool)
}
