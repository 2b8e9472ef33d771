package estimate

import (
	"slices"

	"perch/formats/transcript"
)

// prompt is the recorded prompt as it stands, with every prefix that a call has sent: a call is the anchor of a
// later one whose prompt begins with the whole of its own.
type prompt struct {
	messages []int        // indexes, in order
	path     []int        // per position: the node of the prefix that ends there
	nodes    map[edge]int // the tree of all prefixes seen; node 0 is the empty prompt
	root     int          // where prompts begin since the last compaction
	sent     map[int]int  // node -> the last judged call whose prompt was that prefix
}

// edge leads from a prefix to the one a message longer. Compactions begin at edges of their own.
type edge struct{ node, message int }

// newPrompt returns an empty prompt.
func newPrompt() *prompt {
	return &prompt{nodes: map[edge]int{}, sent: map[int]int{}}
}

// push appends a message.
func (p *prompt) push(m int) {
	p.messages = append(p.messages, m)
	p.path = append(p.path, p.follow(p.end(), m))
}

// rewrite makes these messages the prompt. After a compaction no earlier call is an anchor.
func (p *prompt) rewrite(messages []int, compacted bool) {
	if compacted {
		p.root = p.follow(p.root, -1)
	}
	p.messages, p.path = nil, nil
	for _, m := range messages {
		p.push(m)
	}
}

// send notes that judged call k sent the prompt.
func (p *prompt) send(k int) { p.sent[p.end()] = k }

// anchor returns the last judged call whose prompt this one continues, and how many messages it had; -1 for none.
func (p *prompt) anchor() (call, length int) {
	for i := len(p.path) - 1; i >= 0; i-- {
		if k, ok := p.sent[p.path[i]]; ok {
			return k, i + 1
		}
	}
	return -1, 0
}

// lastTurn is the turn before the last message a person typed: the positions [from, to) between the two last ones.
func (p *prompt) lastTurn(t *transcript.Transcript) (from, to int) {
	typed := func(i int) bool { return t.Messages[p.messages[i]].Origin == transcript.Person }
	for to = len(p.messages) - 1; to > 0 && !typed(to); {
		to--
	}
	for from = to - 1; from > 0 && !typed(from); {
		from--
	}
	return max(from, 0), max(to, 0)
}

// end is the node of the whole prompt.
func (p *prompt) end() int {
	if n := len(p.path); n > 0 {
		return p.path[n-1]
	}
	return p.root
}

// follow returns the node behind an edge, a new one at its first use.
func (p *prompt) follow(node, message int) int {
	e := edge{node, message}
	next, ok := p.nodes[e]
	if !ok {
		next = len(p.nodes) + 1
		p.nodes[e] = next
	}
	return next
}

// holds reports whether a message is in the prompt.
func (p *prompt) holds(m int) bool { return slices.Contains(p.messages, m) }
