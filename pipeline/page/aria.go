package page

import (
	"strconv"
	"strings"
)

// aria is the notation of Playwright's accessibility snapshots: a YAML list of roles with names, states and refs,
// mostly inside a yaml fence.
var aria = kind{name: "aria", find: findAria, reduce: reduceAria}

// minShare is the share of lines that have to parse before a text counts as a snapshot, in percent. All 62
// snapshots of real runs had 100; quoted logs and test files reached 93.
const minShare = 95

// findAria looks at every yaml fence, or at the text as a whole where there is none.
func findAria(text string) (Snapshot, bool) {
	if !strings.Contains(text, "[ref=") && !strings.Contains(text, changedMark) {
		return Snapshot{}, false
	}
	if !strings.Contains(text, "```yaml\n") && !strings.Contains(text, stubMark) {
		return ariaSpan(text, 0, len(text))
	}
	for at := 0; ; {
		i := strings.Index(text[at:], "```yaml\n")
		if i < 0 {
			return Snapshot{}, false
		}
		start := at + i + len("```yaml\n")
		end, next := len(text), len(text)
		if j := strings.Index(text[start-1:], "\n```"); j >= 0 {
			end = max(start, start-1+j)
			next = start + j + len("```")
		}
		if s, ok := ariaSpan(text, start, end); ok {
			return s, true
		}
		at = min(next, len(text))
	}
}

// ariaSpan decides whether text[start:end] is a snapshot.
func ariaSpan(text string, start, end int) (Snapshot, bool) {
	lines, good, refs := 0, 0, 0
	s := Snapshot{Start: start, End: end}
	for line := range strings.SplitSeq(text[start:end], "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if _, ok := parseNote(line); ok {
			good++
			continue
		}
		n, ok := parseNode(line)
		if !ok {
			continue
		}
		good++
		s.Incremental = s.Incremental || n.changed
		if n.has("ref") || n.changed {
			refs++
		}
		if s.Title == "" && n.role == "heading" {
			s.Title = clip(strings.Trim(n.name, `"`))
		}
	}
	return s, refs > 0 && good*100 >= lines*minShare
}

// emptyLines is how many lines with text stand for a page whose controls and structure say nothing.
const emptyLines = 3

// reduceAria keeps controls and structure, indented by what is left above them.
func reduceAria(snapshot string, limit int) string {
	nodes, missing := parseNodes(snapshot)
	keepNodes(nodes)
	var lines []string
	mute := true
	for i := range nodes {
		if !nodes[i].keep {
			continue
		}
		label := labelOf(nodes, i)
		mute = mute && nodes[i].text()+label == ""
		lines = append(lines, nodes[i].print(depthKept(nodes, i), parentOfKept(nodes, i), label))
	}
	if mute {
		lines = append(lines, firstTexts(nodes)...)
	}
	if len(lines) == 0 && len(nodes) > 0 {
		lines = []string{"- " + nodes[0].raw}
	}
	return capLines(lines, missing, limit)
}

// keepNodes marks what stays and finds every node's parent.
func keepNodes(nodes []node) {
	var above []int // indexes of the open ancestors
	for i := range nodes {
		n := &nodes[i]
		for len(above) > 0 && nodes[above[len(above)-1]].indent >= n.indent {
			above = above[:len(above)-1]
		}
		n.parent = -1
		if len(above) > 0 {
			n.parent = above[len(above)-1]
		}
		above = append(above, i)
		n.keep = n.actionable()
	}
}

// depthKept counts the ancestors that stay.
func depthKept(nodes []node, i int) int {
	depth := 0
	for p := nodes[i].parent; p >= 0; p = nodes[p].parent {
		if nodes[p].keep {
			depth++
		}
	}
	return depth
}

// parentOfKept reports whether a node has a descendant that stays.
func parentOfKept(nodes []node, i int) bool {
	for j := i + 1; j < len(nodes) && nodes[j].indent > nodes[i].indent; j++ {
		if nodes[j].keep {
			return true
		}
	}
	return false
}

// labelOf returns the first text below a control that has no name of its own: without it a bare ref would be left.
func labelOf(nodes []node, i int) string {
	n := &nodes[i]
	if n.text() != "" || !n.control() {
		return ""
	}
	for j := i + 1; j < len(nodes) && nodes[j].indent > n.indent && !nodes[j].keep; j++ {
		if !nodes[j].prop && nodes[j].text() != "" {
			return nodes[j].text()
		}
	}
	return ""
}

// firstTexts returns the first lines that say anything.
func firstTexts(nodes []node) []string {
	var lines []string
	for i := range nodes {
		if nodes[i].text() != "" && !nodes[i].prop && !nodes[i].keep {
			lines = append(lines, nodes[i].print(0, false, ""))
		}
		if len(lines) == emptyLines {
			return lines
		}
	}
	return lines
}

// capLines joins lines and cuts them off behind the last that fits. It says how many are missing, those that an
// earlier cut took included.
func capLines(lines []string, missing, limit int) string {
	note := func(n int) string {
		if n == 0 {
			return ""
		}
		return "\n" + cutMark + strconv.Itoa(n)
	}
	all := strings.Join(lines, "\n") + note(missing)
	if len(all) <= limit || len(lines) == 0 {
		return all
	}
	used := len(note(len(lines) + missing))
	n := 0
	for n < len(lines) && used+len(lines[n])+1 <= limit {
		used += len(lines[n]) + 1
		n++
	}
	n = max(n, 1) // never empty
	if n < len(lines) && indentOf(lines[n]) > indentOf(lines[n-1]) {
		lines[n-1] = strings.TrimSuffix(lines[n-1], ":") // its children are cut off
	}
	return strings.Join(lines[:n], "\n") + note(missing+len(lines)-n)
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
