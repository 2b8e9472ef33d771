package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// anthropicLog is logs of requests to Anthropic's Messages API with their responses, as claude-trace and proxies
// write them: JSON lines with a request and its response each, or with one of the two. Of all recordings only these
// hold the system prompt and the schemas of the tools.
//
//  1. anthropiclog_request.go finds the two bodies and decodes a request; of the headers it reads the client's name
//     and the id of the request, and none that could be a credential,
//  2. anthropiclog_response.go decodes a response, anthropiclog_stream.go puts a streamed one together,
//  3. anthropiclog_proxy.go pairs requests and responses that have lines of their own,
//  4. the histories are folded to threads, as [folder] says.
//
// Counts and contents are those of Claude Code: claudecode_usage.go, claudecode_blocks.go.
func anthropicLog() Format {
	return Format{
		Name:  "anthropic-log",
		About: "logs of requests and responses of Anthropic's Messages API (claude-trace, proxies)",
		Gives: Gives{Usage: true, Compactions: true, Images: true, Agents: true},
		Sniff: sniffAnthropic,
		Read:  whole(parseAnthropic),
	}
}

// sniffAnthropic looks for a request to the Messages API, or a response of it. A line may be cut; a logger writes the
// address before the body.
func sniffAnthropic(head []byte, _ string) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '{' {
			continue
		}
		v := gjson.ParseBytes(line)
		if v.Get("type").Str == "request" && (v.Get("messages_full").IsArray() || v.Get("messages.message_count").Exists() || v.Get("system_prompt_full").Exists()) {
			return true
		}
		if isMessagesURL(v.Get("request.url").Str) || isMessagesURL(v.Get("url").Str) {
			return true
		}
		request, response := anthropicBodies(v)
		if request.Exists() && (response.Get("type").Str == "message" || strings.Contains(response.Str, `"message_start"`)) {
			return true
		}
	}
	return false
}

// isMessagesURL reports whether an address is that of the Messages API.
func isMessagesURL(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	return strings.Contains(url, "api.anthropic.com") || strings.HasSuffix(path, "/v1/messages") || strings.Contains(path, "bedrock-runtime")
}

// errNoAnthropic is the reason why a file of other things is not read.
var errNoAnthropic = errors.New("there is no request to Anthropic's Messages API in it: give a log that holds the bodies of requests and responses")

// anthropicFile is a log as it is read.
type anthropicFile struct {
	notes  notes
	folder folder
	proxy  proxyLog
	seen   bool
}

// parseAnthropic reads a log.
func parseAnthropic(r io.Reader, _ string) ([]*transcript.Transcript, error) {
	a := &anthropicFile{}
	a.folder = folder{format: "anthropic-log", notes: &a.notes}
	a.proxy = proxyLog{file: a, waiting: map[string][]*exchange{}, sizes: map[string][]transcript.Message{}}
	if err := eachRecord(r, &a.notes, a.record); err != nil {
		return nil, err
	}
	return a.transcripts()
}

// record reads one line.
func (a *anthropicFile) record(r record) {
	a.seen = true
	if a.proxy.record(r) {
		return
	}
	request, response := anthropicBodies(r.obj)
	if !request.Exists() {
		a.notes.strange("line without messages")
		return
	}
	x := a.request(r, request)
	if strings.Contains(r.obj.Get("request.url").Str, "/count_tokens") {
		a.folder.beside = append(a.folder.beside, *x.call)
		return
	}
	x.history = a.history(request.Get("messages"), r.line)
	if n := len(x.history); n > 0 {
		x.resumes, x.sums = says(&x.history[0], hasSummary), says(&x.history[n-1], asksForSummary)
	}
	a.response(x, r.obj.Get("response"), response)
	a.folder.add(x)
}

// transcripts lists what was read.
func (a *anthropicFile) transcripts() ([]*transcript.Transcript, error) {
	a.proxy.finish()
	out := a.folder.transcripts()
	switch {
	case len(out) > 0:
		a.notes.into(out[0])
	case a.notes.damaged > 0:
		w := a.notes.list[0]
		return nil, fmt.Errorf("no request could be read; line %d: %s", w.Line, w.Message)
	case a.seen:
		return nil, errNoAnthropic
	}
	return out, nil
}
