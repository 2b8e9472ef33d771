package formats

import (
	"fmt"

	"perch/formats/transcript"
)

// sameWarnings is how many warnings of one kind are listed one by one. The rest become one line.
const sameWarnings = 10

// notes collects what a reader has to tell about a file or a thread.
type notes struct {
	list    []transcript.Warning
	kinds   map[string]*warningKind
	order   []*warningKind
	damaged int
	unknown map[string]int
}

// warningKind counts the warnings with one message.
type warningKind struct {
	message string
	seen    int
	line    int // of the first one that was not listed
}

// warn adds a warning. Its message is its kind: what differs between two of a kind belongs into the line number.
func (n *notes) warn(line int, message string) {
	k := n.kinds[message]
	if k == nil {
		if n.kinds == nil {
			n.kinds = map[string]*warningKind{}
		}
		k = &warningKind{message: message}
		n.kinds[message] = k
		n.order = append(n.order, k)
	}
	k.seen++
	switch {
	case k.seen <= sameWarnings:
		n.list = append(n.list, transcript.Warning{Line: line, Message: message})
	case k.seen == sameWarnings+1:
		k.line = line
	}
}

// once adds a warning unless one with this message exists.
func (n *notes) once(line int, message string) {
	if n.kinds[message] == nil {
		n.warn(line, message)
	}
}

// damage counts a record that could not be read and warns of it.
func (n *notes) damage(line int, message string) {
	n.damaged++
	n.warn(line, message)
}

// strange counts a record of a kind the reader does not know.
func (n *notes) strange(name string) {
	if n.unknown == nil {
		n.unknown = map[string]int{}
	}
	n.unknown[name]++
}

// into hands everything to a transcript, with one line for the warnings of a kind that were not listed.
func (n *notes) into(t *transcript.Transcript) {
	t.Warnings = append(t.Warnings, n.list...)
	for _, k := range n.order {
		if more := k.seen - sameWarnings; more > 0 {
			t.Warnings = append(t.Warnings, transcript.Warning{Line: k.line, Message: fmt.Sprintf("%s (%d more from here on)", k.message, more)})
		}
	}
	t.Damaged += n.damaged
	for name, count := range n.unknown {
		if t.Unknown == nil {
			t.Unknown = map[string]int{}
		}
		t.Unknown[name] += count
	}
}
