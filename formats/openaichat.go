package formats

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// openAIChat is conversations in the messages of OpenAI's chat completions, in whatever way they were kept:
//
//   - JSON lines with one message each, or with one conversation each, as for fine-tuning;
//   - a JSON array of messages, or of conversations (tau-bench keeps those under traj);
//   - JSON lines with one request and its response each, as gateways and loggers write them.
//
// The histories that requests and conversations repeat are folded to threads, as [folder] says. openaichat_message.go
// decodes a message, openaichat_usage.go the counts, openaichat_log.go a request with its response. The prompt that a
// response counts holds the cached tokens.
func openAIChat() Format {
	return Format{
		Name:  "openai-chat",
		About: "OpenAI chat messages: JSON lines, arrays, tau-bench results, and logs of requests and responses",
		Gives: Gives{Usage: true, Compactions: true, Images: true, Agents: true},
		Sniff: sniffChat,
		Read:  whole(parseChat),
	}
}

// sniffBytes is how much of a file is looked at to tell a document from lines.
const sniffBytes = 64 << 10

// isDocument reports whether a file that begins with head holds a single JSON value: an array, or an object that goes
// on behind its first line, and not one that a crash has cut there.
func isDocument(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(bom)), " \t\r\n\x00")
	if len(head) == 0 || head[0] != '{' {
		return len(head) > 0 && head[0] == '['
	}
	line, rest, more := bytes.Cut(head, []byte("\n"))
	if _, fault := objectEnd(line); fault == "" || !more {
		return false
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] != '{'
}

// sniffChat looks for a message, a conversation, or a request, in the first line or at the head of a document. A
// document may be cut; what stands before the cut is enough.
func sniffChat(head []byte, _ string) bool {
	if isDocument(head) {
		root := gjson.ParseBytes(bytes.TrimLeft(head, " \t\r\n"))
		if !root.IsArray() {
			return isConversation(root)
		}
		first := gjson.Result{}
		root.ForEach(func(_, v gjson.Result) bool {
			first = v
			return false
		})
		return isChatMessage(first) || isConversation(first) || isExchange(first)
	}
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '{' {
			continue
		}
		v := gjson.ParseBytes(line)
		if isChatMessage(v) || isConversation(v) || isExchange(v) {
			return true
		}
	}
	return false
}

// isChatMessage reports whether a value is a message of the chat format, and of none that only looks like it.
func isChatMessage(v gjson.Result) bool {
	if !v.IsObject() || !isChatRole(v.Get("role").Str) {
		return false
	}
	for _, foreign := range [...]string{"type", "parts", "ts", "metrics"} { // of formats that have roles too
		if v.Get(foreign).Exists() {
			return false
		}
	}
	content := v.Get("content")
	switch content.Get("0.type").Str {
	case "tool_use", "tool_result": // Anthropic's
		return false
	}
	return content.Exists() || v.Get("tool_calls").IsArray() || v.Get("function_call").IsObject()
}

// isChatRole reports whether a name is one of the chat format's roles.
func isChatRole(role string) bool {
	switch role {
	case "system", "developer", "user", "assistant", "tool", "function":
		return true
	}
	return false
}

// isConversation reports whether a value holds a list of messages.
func isConversation(v gjson.Result) bool {
	if v.Get("info").Exists() || v.Get("sessionId").Exists() { // another agent's session
		return isChatMessage(v.Get("traj.0"))
	}
	return isChatMessage(v.Get("messages.0")) || isChatMessage(v.Get("traj.0"))
}

// isExchange reports whether a value is a request with a response.
func isExchange(v gjson.Result) bool {
	request, _ := chatRequest(v)
	return request.Exists()
}

// errNoChat is the reason why a file of other things is not read.
var errNoChat = errors.New("there are no chat messages in it: give JSON lines or an array of messages, of conversations, or of requests with their responses")

// parseChat reads a file of any of the shapes.
func parseChat(r io.Reader, name string) ([]*transcript.Transcript, error) {
	c := newChatFile(name)
	if err := c.read(r); err != nil {
		return nil, err
	}
	return c.transcripts()
}

// openText reads the beginning of a file and returns it with a reader of the whole.
func openText(f io.Reader) ([]byte, io.Reader, error) {
	head := make([]byte, sniffBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, nil, err
	}
	return head[:n], io.MultiReader(strings.NewReader(string(head[:n])), f), nil
}
