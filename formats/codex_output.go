package formats

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// output reads the result of a call.
func (th *codexThread) output(p gjson.Result, at place) transcript.Message {
	m := transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Time: at.time, Line: at.line}
	v := p.Get("output")
	failed := false
	if v.IsObject() { // {"content": …, "success": …}
		failed = v.Get("success").Type == gjson.False
		v = v.Get("content")
	}
	m.Parts = th.content(v, transcript.ToolResult)
	if len(m.Parts) == 0 { // it answers its call, with nothing
		m.Parts = []transcript.Part{{Kind: transcript.ToolResult}}
	}
	if first := &m.Parts[0]; first.Kind == transcript.ToolResult {
		failed = failed || failedOutput(first.Text)
	}
	m.Parts = th.shortenOutput(m.Parts)
	id := own(p.Get("call_id"))
	for i := range m.Parts {
		m.Parts[i].CallID, m.Parts[i].IsError = id, failed
	}
	return m
}

// wrapped is the output of a command as the file keeps it up to about 0.126: JSON with its metadata.
func wrapped(text string) (v gjson.Result, ok bool) {
	if !strings.HasPrefix(text, `{"output":`) || !isObject(text) {
		return v, false
	}
	v = gjson.Parse(text)
	return v, v.Get("output").Type == gjson.String && v.Get("metadata.exit_code").Type == gjson.Number
}

// isObject reports whether a text is one JSON object, nested no deeper than a record may be.
func isObject(text string) bool {
	if !strings.HasPrefix(text, "{") {
		return false
	}
	end, fault := objectEnd([]byte(text))
	return fault == "" && strings.TrimSpace(text[end:]) == "" && gjson.Valid(text)
}

// totalLines is the line with which the client says how much of a long output it left out.
var totalLines = regexp.MustCompile(`^Total output lines: (\d+)\n\n?`)

// reword puts the outputs of commands as they were sent. Where the model has the tool that takes a patch as free text,
// the client words them anew for every request (codex-rs/core/src/client_common.rs); elsewhere it sends the JSON. In
// recordings the first kind is the one in which the tool was used: there this text fits the counts to the token.
func (th *codexThread) reword() {
	if !th.patches {
		return
	}
	for i := range th.t.Messages {
		m := &th.t.Messages[i]
		if m.Role == transcript.Tool && m.Parts[0].Kind == transcript.ToolResult {
			m.Parts[0].Text = reworded(m.Parts[0].Text)
		}
	}
}

// reworded is the text for a wrapped output, or the text itself.
func reworded(text string) string {
	v, ok := wrapped(text)
	if !ok {
		return text
	}
	output, total := v.Get("output").Str, ""
	if found := totalLines.FindStringSubmatch(output); found != nil {
		output, total = output[len(found[0]):], "Total output lines: "+found[1]+"\n"
	}
	meta := v.Get("metadata")
	return fmt.Sprintf("Exit code: %s\nWall time: %s seconds\n%sOutput:\n%s", meta.Get("exit_code").Raw, meta.Get("duration_seconds").Raw, total, output)
}

// failedOutputs are the beginnings by which the client says that a call failed.
var failedOutputs = regexp.MustCompile(`^(?:failed in sandbox|exec command rejected|apply_patch verification failed|tool call error|Script failed|aborted by user)`)

// failedOutput reports whether the client says that a call failed: in its first words, or by the code of a command
// above its output.
func failedOutput(text string) bool {
	if v, ok := wrapped(text); ok {
		return v.Get("metadata.exit_code").Num != 0
	}
	if failedOutputs.MatchString(text) {
		return true
	}
	for line := range strings.Lines(cut(text, headBytes)) {
		line = strings.TrimSpace(line)
		for _, before := range [...]string{"Exit code: ", "Process exited with code "} {
			if code, ok := strings.CutPrefix(line, before); ok {
				return code != "0"
			}
		}
		if line == "Output:" {
			break
		}
	}
	return false
}

// headBytes is how far into an output its head is looked for: a command of one line may stand there too.
const headBytes = 2 << 10

// The client keeps outputs in the file as they came, up to what the agent asked for, and cuts what it sends
// (codex-rs/core/src/context_manager/history.rs): at 10,000 tokens where the version does not record another limit,
// with a fifth on top for what JSON adds, at 4 bytes a token.
const (
	outputTokens = 10_000
	outputSince  = 64 // the first minor version that is known to cut
)

// limitOutputs follows the limit of outputs: that of the version, or what the turn records.
func (th *codexThread) limitOutputs(policy gjson.Result) {
	if th.outputs == 0 {
		_, rest, _ := strings.Cut(th.version, ".")
		minor, _, _ := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(minor); err == nil && n >= outputSince {
			th.outputs = outputTokens
		}
	}
	n, ok := tokens(policy.Get("limit"))
	switch mode := policy.Get("mode").Str; {
	case !ok || n == 0:
	case mode == "tokens":
		th.outputs = n
	case mode == "bytes":
		th.outputs = n / bytesPerToken
	}
}

// shortenOutput cuts an output as the client does before it sends it: the text that passes the limit loses its
// middle, and what follows is left out. Pictures stay.
func (th *codexThread) shortenOutput(parts []transcript.Part) []transcript.Part {
	room := th.outputs + th.outputs/5
	if room == 0 {
		return parts
	}
	out := parts[:0]
	for _, p := range parts {
		if p.Kind == transcript.ToolResult {
			if room <= 0 && p.Text != "" {
				continue
			}
			size := tokensOf(len(p.Text))
			if size > room {
				p.Text = withoutMiddle(p.Text, room*bytesPerToken)
			}
			room -= size
		}
		out = append(out, p)
	}
	return out
}

// tokensOf is the client's measure of a text.
func tokensOf(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// withoutMiddle cuts a text to so many bytes from its beginning and its end, and says how much is missing.
func withoutMiddle(text string, bytes int) string {
	head := cut(text, bytes/2)
	tail := len(text) - bytes/2
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s…%d tokens truncated…%s", head, tokensOf(len(text)-bytes), text[tail:])
}
