package formats

// chain says how a node is linked to what stands before it.
type chain uint8

const (
	inOrder chain = iota // no parent is recorded: it follows what was written before it
	linked               // it hangs on another node
	rooted               // it begins a conversation
	broken               // its parent is not in the file
)

// ancestor is what an entry hangs on.
type ancestor struct {
	node  *claudeNode
	how   chain
	state searchState
}

// searchState says how far an ancestor was looked for.
type searchState uint8

const (
	notSought searchState = iota
	onPath                // of the search under way
	found
)

// link finds what every node hangs on, and which nodes some call has seen.
func (t *claudeThread) link() {
	for _, n := range t.nodes {
		n.parent, n.how = t.parentOf(n.entry, n)
	}
	t.cutLoops()
	for _, n := range t.nodes {
		if n.call == nil {
			continue
		}
		for p := n.parent; p != nil && !p.used; p = p.parent {
			p.used = true
		}
	}
}

// cutLoops makes the first node of every loop of parents one whose parent is missing.
func (t *claudeThread) cutLoops() {
	visit := map[*claudeNode]int{} // in which walk a node was met
	for walk, n := range t.nodes {
		for ; n != nil && visit[n] == 0; n = n.parent {
			visit[n] = walk + 1
		}
		if n == nil || visit[n] != walk+1 {
			continue
		}
		first := n
		for p := n.parent; p != n; p = p.parent {
			if p.entry.seq < first.entry.seq {
				first = p
			}
		}
		first.parent, first.how = nil, broken
	}
}

// parentOf finds what an entry hangs on: its nearest ancestor that stands in the prompt and is no record of the same
// node. Chains of messages run through records of every kind, so none is left out; and a result stands for its whole
// response, since the results of parallel calls hang each on its own record of it, where a plain walk would lose all
// but one.
func (t *claudeThread) parentOf(e *claudeEntry, self *claudeNode) (*claudeNode, chain) {
	var path []*claudeEntry
	through := false // records of the node itself
	up := ancestor{how: broken, state: found}
	for {
		if !e.linked {
			up.how = inOrder
			break
		}
		if e.root {
			up.how = rooted
			break
		}
		p := t.byUUID[e.parent]
		if p == nil || p.up.state == onPath { // missing, or a loop
			break
		}
		if p.hang != nil && p.hang != self {
			up.node, up.how = p.hang, linked
			break
		}
		if p.up.state == found {
			up = p.up
			break
		}
		through = through || p.hang != nil
		p.up.state = onPath
		path = append(path, p)
		e = p
	}
	for _, p := range path {
		if p.up = up; through {
			p.up = ancestor{}
		}
	}
	return up.node, up.how
}
