package formats

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"strings"

	"perch/formats/transcript"
)

// mark stands for what a message says, or, as a path, for what it and all messages before it say.
type mark [16]byte

// markOf returns a message's mark. Thinking does not count, nor white space around a response: clients leave out the
// one and trim the other when they send a response again. Neither does the input of a call that has an id, since
// clients write it anew.
func markOf(m *transcript.Message) mark {
	h := sha256.New()
	markText(h, string(m.Role))
	for i := range m.Parts {
		p := &m.Parts[i]
		text := p.Text
		if m.Role == transcript.Assistant {
			text = strings.TrimSpace(text)
			if p.Kind == transcript.ToolCall && !strings.HasPrefix(p.CallID, madeID) {
				text = ""
			}
			if p.Kind == transcript.Thinking || p.Kind == transcript.Text && text == "" {
				continue
			}
		}
		for _, s := range [...]string{string(p.Kind), p.CallID, p.Tool, p.Media.Data, text} {
			markText(h, s)
		}
		markNumber(h, p.Opaque)
	}
	return mark(h.Sum(nil)[:len(mark{})])
}

// markText adds a text to a mark, with its length: two texts are not one.
func markText(h hash.Hash, s string) {
	markNumber(h, len(s))
	io.WriteString(h, s)
}

// markNumber adds a number to a mark.
func markNumber(h hash.Hash, n int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	h.Write(b[:])
}

// then is the path to a message behind the path to the one before it.
func (m mark) then(next mark) mark {
	sum := sha256.Sum256(append(m[:], next[:]...))
	return mark(sum[:len(m)])
}

// marksOf returns the marks of a history and the paths to its messages.
func marksOf(history []transcript.Message) (marks, paths []mark) {
	last := mark{}
	for i := range history {
		m := markOf(&history[i])
		last = last.then(m)
		marks, paths = append(marks, m), append(paths, last)
	}
	return marks, paths
}
