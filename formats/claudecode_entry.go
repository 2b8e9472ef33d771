package formats

import (
	"time"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// claudeEntry is what one record of a session says. Records that never reach the model keep their place in the
// tree: chains of messages run through them.
type claudeEntry struct {
	line    int
	seq     int    // position among the entries of its thread
	kind    string // type of the record
	sub     string // subtype of a system record, type of an attachment
	uuid    string
	parent  string
	root    bool // the parent is recorded as none
	linked  bool // a parent, or none, is recorded
	side    bool
	agent   string
	session string
	version string
	project string // the folder it was written in
	time    time.Time

	meta    bool   // a message the client wrote
	summary bool   // the message a compaction left
	failed  bool   // the text of an error, not a response
	aborted bool   // the response was cut in mid-stream
	origin  string // who wrote a user message, where the record says so
	request string

	message claudeMessage
	compact claudeCompact
	nested  *claudeEntry // a sub-agent's record inside a progress record

	node *claudeNode // what it became; nil for a record that never reaches the model
	hang *claudeNode // what stands in the prompt for it, so that its children hang on that
	up   ancestor    // what it hangs on, as far as it was looked for
}

// claudeMessage is a record's message, or what an attachment puts into the prompt.
type claudeMessage struct {
	id, model string
	stop      string
	usage     claudeUsage
	parts     []transcript.Part
	results   []claudeResult
	hosted    bool // a tool ran at the provider
}

// claudeResult is one tool result of a user message.
type claudeResult struct {
	call   string // id of the call it answers
	failed bool
	parts  []transcript.Part
}

// decodeClaude decodes a record. Fields of a wrong type read as if they were missing.
func decodeClaude(r record, n *notes) *claudeEntry {
	e := &claudeEntry{line: r.line}
	var message, attachment, data, content gjson.Result
	r.obj.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "message":
			message = v
		case "attachment":
			attachment = v
		case "data":
			data = v
		case "content":
			content = v
		case "compactMetadata", "microcompactMetadata":
			e.compact.decode(v)
		default:
			e.field(key.Str, v)
		}
		return true
	})
	e.summary = e.summary && e.kind == "user"
	switch e.kind {
	case "user", "assistant":
		e.decodeMessage(message, n)
	case "attachment":
		e.decodeAttachment(attachment, n)
	case "progress":
		e.decodeProgress(data, n)
	case "system":
		e.decodeSystem(content, n)
	default:
		if !knownClaude(e.kind) {
			n.strange(orName(e.kind, "record without a type"))
		}
	}
	return e
}

// field decodes one field of the envelope.
func (e *claudeEntry) field(key string, v gjson.Result) {
	switch key {
	case "type":
		e.kind = own(v)
	case "subtype":
		e.sub = own(v)
	case "uuid":
		e.uuid = own(v)
	case "parentUuid":
		e.linked = true
		e.parent = own(v)
		e.root = e.parent == ""
	case "logicalParentUuid":
		e.compact.logical = own(v)
	case "isSidechain":
		e.side = isTrue(v)
	case "agentId":
		e.agent = own(v)
	case "sessionId":
		e.session = own(v)
	case "version":
		e.version = own(v)
	case "cwd":
		e.project = own(v)
	case "timestamp":
		e.time = instant(v)
	case "isMeta":
		e.meta = isTrue(v)
	case "isCompactSummary":
		e.summary = isTrue(v)
	case "isApiErrorMessage":
		e.failed = isTrue(v)
	case "isAbortedMidStream":
		e.aborted = isTrue(v)
	case "origin":
		e.origin = own(v.Get("kind"))
	case "requestId":
		e.request = own(v)
	}
}

// placeholderReply is what the client puts after an unanswered message when a session is resumed, so that roles
// alternate. It is sent, but no model wrote it.
const placeholderReply = "No response requested."

// decodeMessage decodes the message of a user or assistant record.
func (e *claudeEntry) decodeMessage(v gjson.Result, n *notes) {
	m := &e.message
	var content gjson.Result
	v.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "id":
			m.id = own(v)
		case "model":
			m.model = own(v)
		case "stop_reason":
			m.stop = own(v)
		case "usage":
			if !m.usage.decode(v) {
				n.warn(e.line, "a token count that is no number, or negative, was taken as not recorded")
			}
		case "content":
			content = v
		}
		return true
	})
	d := claudeBlocks{line: e.line, notes: n, m: m}
	if e.kind == "user" {
		d.user(content)
		return
	}
	d.response(content)
	if m.model == "<synthetic>" && !e.failed {
		e.meta = len(m.parts) > 0 && m.parts[0].Text == placeholderReply
		e.failed = !e.meta
	}
}

// decodeProgress decodes what a sub-agent did, where a progress record holds it. Its other news are for the screen.
func (e *claudeEntry) decodeProgress(data gjson.Result, n *notes) {
	if data.Get("type").Str != "agent_progress" {
		return
	}
	in := data.Get("message")
	if !in.IsObject() {
		return
	}
	e.nested = decodeClaude(record{line: e.line, obj: in}, n)
	e.nested.agent = own(data.Get("agentId"))
	e.nested.session, e.nested.version, e.nested.project = e.session, e.version, e.project
	e.nested.nested = nil
}

// decodeSystem decodes the client's own records. Only the output of a local command stands in a prompt.
func (e *claudeEntry) decodeSystem(content gjson.Result, n *notes) {
	switch e.sub {
	case "local_command":
		if text := own(content); text != "" {
			e.message.parts = []transcript.Part{{Kind: transcript.Text, Text: text}}
		}
	case "compact_boundary", "microcompact_boundary", "api_error", "stop_hook_summary", "turn_duration", "away_summary",
		"bridge_status", "informational", "model_refusal_fallback", "api_refusal", "error", "session_start", "init":
	default:
		n.strange("system/" + orName(e.sub, "without a subtype"))
	}
}

// knownClaude reports whether records of a type are known to stand beside the prompt.
func knownClaude(kind string) bool {
	switch kind {
	case "file-history-snapshot", "file-history-delta", "queue-operation", "summary", "last-prompt", "permission-mode", "mode",
		"pr-link", "custom-title", "ai-title", "agent-name", "worktree-state", "started", "result", "relocated", "frame-link",
		"bridge-session", "atis-latch":
		return true
	}
	return false
}

// maxName is where a name that is only shown is cut, in bytes.
const maxName = 60

// orName returns a name of a readable length, or what to say where there is none.
func orName(name, none string) string {
	if name == "" {
		return none
	}
	return cut(name, maxName)
}
