package page

import (
	"slices"
	"strconv"
	"strings"
)

const (
	changedMark = "<changed> "
	// cutMark begins the line that says how many lines were cut off. It is a comment in YAML.
	cutMark = "# lines cut: "
)

// node is one line of an aria snapshot: `- button "Save" [disabled] [ref=e4]: value`.
type node struct {
	indent  int
	raw     string // the line without its indentation, dash and value
	role    string
	name    string // quoted, as it stands
	attrs   string // "[disabled] [ref=e4]"
	value   string // what follows the colon, as it stands
	opens   bool   // it ends with a colon: children follow
	changed bool   // it heads what an incremental snapshot tells
	prop    bool   // "/url: ..." of the node above

	parent int
	keep   bool
}

// parseNodes reads a snapshot and how many lines an earlier cut took from it; lines that do not parse are left out.
func parseNodes(snapshot string) (nodes []node, missing int) {
	for line := range strings.SplitSeq(snapshot, "\n") {
		if n, ok := parseNode(line); ok {
			nodes = append(nodes, n)
		} else if n, ok := parseNote(line); ok {
			missing += n
		}
	}
	return nodes, missing
}

// parseNote reads the line that tells of an earlier cut.
func parseNote(line string) (missing int, ok bool) {
	n, ok := strings.CutPrefix(line, cutMark)
	if !ok {
		return 0, false
	}
	missing, err := strconv.Atoi(n)
	return missing, err == nil && missing >= 0
}

// parseNode reads one line.
func parseNode(line string) (node, bool) {
	body := strings.TrimLeft(line, " ")
	n := node{indent: len(line) - len(body)}
	body = strings.TrimRight(body, " \r")
	body, ok := strings.CutPrefix(body, "- ")
	if !ok {
		return node{}, false
	}
	key, rest, ok := splitKey(body)
	if !ok {
		return node{}, false
	}
	n.raw = body[:len(body)-len(rest)]
	switch {
	case rest == "":
	case rest == ":":
		n.opens = true
	case strings.HasPrefix(rest, ": "):
		n.value = strings.TrimSpace(rest[2:])
	default:
		return node{}, false
	}
	return n, n.parseKey(key)
}

// splitKey parts the key of a list entry from what follows it. A key with a colon in it is in single quotes.
func splitKey(body string) (key, rest string, ok bool) {
	if strings.HasPrefix(body, "'") {
		for i := 1; i < len(body); i++ {
			if body[i] != '\'' {
				continue
			}
			if i+1 < len(body) && body[i+1] == '\'' {
				i++
				continue
			}
			return strings.ReplaceAll(body[1:i], "''", "'"), body[i+1:], true
		}
		return "", "", false
	}
	quoted := false
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] == '\\' && quoted:
			i++
		case body[i] == '"':
			quoted = !quoted
		case body[i] == ':' && !quoted && (i+1 == len(body) || body[i+1] == ' '):
			return body[:i], body[i:], true
		}
	}
	return body, "", !quoted
}

// parseKey reads `<changed> role "name" [attr] [attr=value]`, "/property" or "ref=e9 [unchanged]".
func (n *node) parseKey(key string) bool {
	key, n.changed = strings.CutPrefix(key, changedMark)
	if strings.HasPrefix(key, "/") {
		n.prop = true
		return !strings.Contains(key, " ")
	}
	if ref, ok := strings.CutSuffix(key, " [unchanged]"); ok && strings.HasPrefix(ref, "ref=") {
		n.prop = true
		return true
	}
	n.role, key, _ = strings.Cut(key, " ")
	if !known(n.role) {
		return false
	}
	if strings.HasPrefix(key, `"`) {
		end := 1
		for end < len(key) && key[end] != '"' {
			if key[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(key) {
			return false
		}
		n.name, key = key[:end+1], strings.TrimPrefix(key[end+1:], " ")
	} else if strings.HasPrefix(key, "/") {
		end := strings.LastIndex(key, "/")
		if end == 0 {
			return false
		}
		n.name, key = key[:end+1], strings.TrimPrefix(key[end+1:], " ")
	}
	n.attrs = key
	return key == "" || strings.HasPrefix(key, "[") && strings.HasSuffix(key, "]")
}

// has reports whether the node carries an attribute.
func (n *node) has(attr string) bool {
	return strings.Contains(n.attrs, "["+attr+"]") || strings.Contains(n.attrs, "["+attr+"=")
}

// control reports whether a person could act on the node.
func (n *node) control() bool { return interactive(n.role) || n.has("cursor") }

// actionable reports whether the model might act on the node or needs it to know where it is.
func (n *node) actionable() bool {
	switch {
	case n.changed:
		return true
	case n.prop:
		return false
	case n.control() || structure(n.role):
		return true
	}
	return slices.ContainsFunc(states[:], n.has)
}

// states are the attributes that tell what acting on a node has done.
var states = [...]string{"active", "checked", "disabled", "expanded", "pressed", "selected"}

// text is what the node says: its name and its value.
func (n *node) text() string {
	if n.value != "" {
		return n.value
	}
	return n.name
}

// print writes the node at a depth; label is the text that stands for its children.
func (n *node) print(depth int, opens bool, label string) string {
	line := strings.Repeat("  ", depth)
	line += "- " + n.raw
	if short := clip(n.name); short != n.name && !strings.HasPrefix(n.raw, "'") {
		line = strings.Replace(line, n.name, short, 1)
	}
	switch {
	case n.value != "":
		return line + ": " + clip(n.value)
	case label != "" && !opens:
		return line + ": " + clip(label)
	case opens:
		return line + ":"
	}
	return line
}
