package formats

import (
	"cmp"
	"slices"
	"strings"

	"perch/formats/transcript"
)

// nodeKind says what a node does to a thread.
type nodeKind uint8

const (
	plainNode    nodeKind = iota // a message
	responseNode                 // a response with its results, and what a person typed beside them
	boundaryNode                 // a compaction
	clearNode                    // results were cleared
	failureNode                  // an error's text, which never stood in a prompt
	orphanNode                   // a result that answers nothing, or answers it again
)

// claudeNode is one thing that happened in a thread, gathered from all its records.
type claudeNode struct {
	kind    nodeKind
	entry   *claudeEntry // its first record
	message transcript.Message
	results []transcript.Message
	beside  []transcript.Message // recorded together with results
	call    *transcript.Call
	calls   map[string]*toolCall // of a response, by id

	parent  *claudeNode
	how     chain
	used    bool          // a response or a failed call hangs on it, at any distance
	waiting []*claudeNode // recorded before it, but hanging on it

	placed bool
	span   transcript.Span // its messages in the transcript, once placed
	end    *promptEnd      // where what hangs on it goes on
}

// promptEnd is the prompt up to and with a node and the attachments that hang on it. They share it: the client
// attaches to the end of a prompt, whichever record it then names as the parent of the next message.
type promptEnd struct{ trail *trail }

// toolCall is a call of a response and whether a result was seen.
type toolCall struct {
	part     int
	answered bool
}

// claudeThread is one thread as it is read.
type claudeThread struct {
	kind    threadKind
	name    string
	notes   notes
	entries []*claudeEntry
	byUUID  map[string]*claudeEntry

	nodes      []*claudeNode
	byResponse map[string]*claudeNode
	callers    map[string][]*claudeNode // tool call id: the responses that make it
}

// add takes the next entry. A second copy of a record (resumed sessions write some again) only brings the usage of
// its response up to date.
func (t *claudeThread) add(e *claudeEntry) {
	if first := t.byUUID[e.uuid]; first != nil && e.uuid != "" && first.kind == e.kind && first.sub == e.sub {
		t.notes.once(e.line, "records with the uuid of an earlier one were skipped here and further on")
		first.message.usage, first.message.stop = e.message.usage, e.message.stop
		return
	}
	if e.uuid != "" && t.byUUID[e.uuid] == nil {
		t.byUUID[e.uuid] = e
	}
	e.seq = len(t.entries)
	t.entries = append(t.entries, e)
}

// group makes the nodes of the thread, in the order of their first records.
func (t *claudeThread) group() {
	t.byResponse, t.callers = map[string]*claudeNode{}, map[string][]*claudeNode{}
	for _, e := range t.entries { // first, since a result may be written before the call it answers
		if e.kind == "assistant" && !e.failed && !e.meta {
			t.respond(e)
		}
	}
	for _, e := range t.entries {
		switch {
		case e.node != nil:
		case e.kind == "system" && e.sub == "compact_boundary":
			e.hang = t.node(boundaryNode, e)
		case e.kind == "system" && e.sub == "microcompact_boundary":
			t.node(clearNode, e)
		case e.failed:
			n := t.node(failureNode, e)
			n.message = e.plain(transcript.Assistant, transcript.Agent)
			n.message.NotSent, n.call = true, e.call()
		case len(e.message.results) > 0:
			t.answer(e)
		case len(e.message.parts) > 0 && e.kind == "assistant":
			e.hang = t.node(plainNode, e)
			e.hang.message = e.plain(transcript.Assistant, transcript.Injected)
		case len(e.message.parts) > 0:
			e.hang = t.node(plainNode, e)
			e.hang.message = e.plain(transcript.User, e.userOrigin())
		}
	}
	slices.SortStableFunc(t.nodes, func(a, b *claudeNode) int { return cmp.Compare(a.entry.seq, b.entry.seq) })
}

// node adds a node.
func (t *claudeThread) node(kind nodeKind, e *claudeEntry) *claudeNode {
	n := &claudeNode{kind: kind, entry: e, end: &promptEnd{}}
	e.node = n
	t.nodes = append(t.nodes, n)
	return n
}

// plain is the entry's own message.
func (e *claudeEntry) plain(role transcript.Role, origin transcript.Origin) transcript.Message {
	m := transcript.Message{Role: role, Origin: origin, Parts: e.message.parts, Time: e.time, Line: e.line}
	if e.summary {
		for i := range m.Parts {
			if m.Parts[i].Kind == transcript.Text {
				m.Parts[i].Kind = transcript.Summary
			}
		}
	}
	return m
}

// respond adds an assistant record to its response: the client writes one record for each block, all with the id
// of the message, and the last one holds the final usage.
func (t *claudeThread) respond(e *claudeEntry) {
	key := e.message.id + "/" + e.request
	n := t.byResponse[key]
	if n == nil || e.message.id == "" {
		n = t.node(responseNode, e)
		n.message = e.plain(transcript.Assistant, transcript.Agent)
		n.call, n.calls = e.call(), map[string]*toolCall{}
		t.byResponse[key] = n
	} else {
		n.message.Parts = append(n.message.Parts, e.message.parts...)
	}
	e.node, e.hang = n, n
	n.call.Stopped = n.call.Stopped || e.message.stop != ""
	n.call.Hosted = n.call.Hosted || e.message.hosted
	for i := len(n.message.Parts) - len(e.message.parts); i < len(n.message.Parts); i++ {
		p := &n.message.Parts[i]
		call := n.calls[p.CallID]
		switch {
		case p.Kind == transcript.ToolCall && call == nil:
			n.calls[p.CallID] = &toolCall{part: i}
			t.callers[p.CallID] = append(t.callers[p.CallID], n)
		case p.Kind == transcript.ToolResult && call != nil: // of a tool that ran at the provider
			of := &n.message.Parts[call.part]
			p.Tool, p.Subject, p.Effect = of.Tool, of.Subject, of.Effect
		}
	}
	n.usage(e)
}

// usage takes the usage of a record of the response; the last one wins.
func (n *claudeNode) usage(e *claudeEntry) {
	n.call.Usage = e.message.usage.usage(n.call.Stopped, e.aborted)
}

// answer puts the results of a user record behind the responses that called for them. What a person typed beside
// them follows them.
func (t *claudeThread) answer(e *claudeEntry) {
	for i := range e.message.results {
		r := &e.message.results[i]
		m := transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: r.parts, Time: e.time, Line: e.line}
		n := t.caller(e, r)
		if n == nil {
			t.orphan(e, r, m)
			continue
		}
		call := &n.message.Parts[n.calls[r.call].part]
		for j := range m.Parts {
			p := &m.Parts[j]
			p.CallID, p.Tool, p.Subject, p.Effect = r.call, call.Tool, call.Subject, call.Effect
		}
		if n.calls[r.call].answered {
			t.notes.warn(e.line, "a second result of the same tool call was kept out of the prompt")
			o := t.node(orphanNode, e)
			o.message, o.message.NotSent = m, true
			continue
		}
		n.calls[r.call].answered = true
		n.results = append(n.results, m)
		e.node, e.hang = n, n
	}
	if len(e.message.parts) == 0 {
		return
	}
	m := e.plain(transcript.User, e.userOrigin())
	if e.hang != nil {
		e.hang.beside = append(e.hang.beside, m)
		return
	}
	e.hang = t.node(plainNode, e)
	e.hang.message = m
}

// orphan keeps a result whose call is not in the thread.
func (t *claudeThread) orphan(e *claudeEntry, r *claudeResult, m transcript.Message) {
	t.notes.warn(e.line, "a tool result whose call is not in the recording was kept out of the prompt")
	for j := range m.Parts {
		m.Parts[j].CallID = r.call
		if r.call == "" {
			m.Parts[j].CallID = madeID + "unknown"
		}
	}
	n := t.node(orphanNode, e)
	n.message, n.message.NotSent = m, true
}

// caller finds the response whose call a result answers: the one the record hangs on, else the last one before it.
// A result without an id answers the first open call of that response that was recorded without one.
func (t *claudeThread) caller(e *claudeEntry, r *claudeResult) *claudeNode {
	var parent *claudeNode
	if p := t.byUUID[e.parent]; p != nil {
		parent = p.hang
	}
	if r.call == "" {
		if parent == nil {
			return nil
		}
		for i := range parent.message.Parts {
			p := &parent.message.Parts[i]
			if p.Kind == transcript.ToolCall && strings.HasPrefix(p.CallID, madeID) && parent.calls[p.CallID] != nil && !parent.calls[p.CallID].answered {
				r.call = p.CallID
				return parent
			}
		}
		return nil
	}
	var last *claudeNode
	for _, n := range t.callers[r.call] {
		if n == parent {
			return n
		}
		if last == nil || n.entry.seq < e.seq {
			last = n
		}
	}
	return last
}
