package formats

import (
	"fmt"

	"perch/formats/transcript"
)

// proxyLog pairs the lines of proxies that log a request when it comes and its response when it has gone: a line of
// type request with the messages, or only their sizes, and one of type response or response_stream with the counts.
// A response answers the first open request of its session. What it said stands in the next request.
type proxyLog struct {
	file    *anthropicFile
	waiting map[string][]*exchange
	order   []string // sessions
	sizes   map[string][]transcript.Message
}

// record reads a line, if it is one of a proxy's.
func (p *proxyLog) record(r record) bool {
	session := r.obj.Get("session").Str
	switch r.obj.Get("type").Str {
	case "request":
		if !r.obj.Get("total_request_bytes").Exists() && !r.obj.Get("messages_full").Exists() {
			return false
		}
		if _, known := p.waiting[session]; !known {
			p.order = append(p.order, session)
		}
		p.waiting[session] = append(p.waiting[session], p.request(r, session))
	case "response", "response_stream", "response_error", "proxy_error":
		open := p.waiting[session]
		if len(open) == 0 {
			p.file.notes.warn(r.line, "a response without a request before it was skipped")
			return true
		}
		p.waiting[session] = open[1:]
		p.response(open[0], r)
		p.file.folder.add(open[0])
	case "token_cap", "page_faults", "compaction", "conversation_compaction": // the proxy's own
	default:
		return false
	}
	return true
}

// request reads a request.
func (p *proxyLog) request(r record, session string) *exchange {
	x := p.file.request(r, r.obj)
	x.head = append(systemPrompt(r.obj.Get("system_prompt_full"), r.line), chatTools(r.obj, r.line)...)
	sent, _ := tokens(r.obj.Get("total_request_bytes"))
	system, _ := tokens(r.obj.Get("system.system_prompt_bytes"))
	messages, _ := tokens(r.obj.Get("messages.messages_total_bytes"))
	if withheld := sent - system - messages; withheld > 0 && !r.obj.Get("tools").Exists() {
		p.file.notes.once(r.line, fmt.Sprintf("about %d bytes of each request are not in the log: the schemas of the tools, as a rule", withheld))
	}
	if full := r.obj.Get("messages_full"); full.IsArray() {
		x.history = p.file.history(full, r.line)
		return x
	}
	p.file.notes.once(r.line, "the log holds the sizes of the messages, not the messages: what a pipeline would do with them cannot be told")
	x.history = p.sized(session, messages, r.line)
	return x
}

// sized is a history of which only the sizes are known: one message for all that a request adds to the one before it.
func (p *proxyLog) sized(session string, bytes, line int) []transcript.Message {
	for i := range p.sizes[session] {
		bytes -= p.sizes[session][i].Parts[0].Opaque
	}
	if bytes < 0 { // it went back
		for i := range p.sizes[session] {
			bytes += p.sizes[session][i].Parts[0].Opaque
		}
		p.sizes[session] = nil
	}
	if bytes > 0 {
		p.sizes[session] = append(p.sizes[session], transcript.Message{
			Role: transcript.User, Origin: transcript.Injected, Line: line,
			Parts: []transcript.Part{{Kind: transcript.Opaque, Opaque: bytes}},
		})
	}
	return append([]transcript.Message(nil), p.sizes[session]...)
}

// response adds the counts of a response. Its line is written at the end of the stream, so they are final.
func (p *proxyLog) response(x *exchange, r record) {
	status, _ := tokens(r.obj.Get("status_code"))
	if e := r.obj.Get("error"); e.Exists() {
		fail(x.call, e)
	} else if status >= 400 {
		x.call.Err = fmt.Sprintf("HTTP status %d", status)
	}
	p.file.usage(x.call, r.obj.Get("usage"), x.call.Err == "" && r.obj.Get("usage").IsObject())
}

// finish adds the requests that were never answered.
func (p *proxyLog) finish() {
	for _, session := range p.order {
		for _, x := range p.waiting[session] {
			p.file.folder.add(x)
		}
	}
}

// lineName names a thread by the line it begins on.
func lineName(line int) string { return fmt.Sprintf("line-%d", line) }
