// Package page finds page snapshots in the results of browser tools and cuts them to what a model might act on.
//
// [Find] decides by content alone, because transcripts do not label snapshots and logs quote them. [Actionable] and
// [Stub] rewrite the text a snapshot stands in: only the snapshot changes, the header around it stays. Both are
// pure, never make a text longer, and change nothing the second time.
//
// A notation of snapshots is one file and one line in kinds.
package page

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Snapshot is where a page snapshot stands in a text.
type Snapshot struct {
	Kind        string // the notation: "aria"
	Start, End  int    // text[Start:End] is the snapshot, without the fence around it
	URL, Title  string // of the page, as far as the text tells
	Incremental bool   // it only tells what changed since an earlier one
}

// kind is one notation of page snapshots.
type kind struct {
	name string
	// find returns where the first snapshot stands.
	find func(text string) (Snapshot, bool)
	// reduce cuts a snapshot to its actionable parts, at most limit bytes, never to nothing.
	reduce func(snapshot string, limit int) string
}

// kinds lists the notations in the order in which they are tried.
var kinds = [...]kind{aria}

// CharsPerToken converts the token cap of an actionable form to bytes. The cap bounds what a page may take; it is
// not an estimate.
const CharsPerToken = 4

// textLimit bounds, in runes, a url, a title or a name that is repeated or kept.
const textLimit = 160

// Find returns the first page snapshot of a text.
func Find(text string) (Snapshot, bool) {
	s, _, ok := find(text)
	return s, ok
}

// Actionable returns the text with its snapshots cut to the actionable parts, each to at most maxTokens tokens of
// [CharsPerToken] bytes. A snapshot this would not shorten stays as it is.
func Actionable(text string, maxTokens int) string {
	return rewrite(text, func(s Snapshot, k *kind) (string, int, int) {
		return k.reduce(text[s.Start:s.End], maxTokens*CharsPerToken), s.Start, s.End
	})
}

// Stub returns the text with its snapshots, and the fences around them, each replaced by one line that names the
// page and the tokens removed. url stands in where the text does not tell the page's own.
func Stub(text, url string, tokens int) string {
	return rewrite(text, func(s Snapshot, _ *kind) (string, int, int) {
		start, end := fence(text, s)
		return s.stub(url, tokens), start, end
	})
}

// stubMark begins the line that stands for a snapshot.
const stubMark = "[page snapshot removed"

// stub is the line that stands for a snapshot.
func (s Snapshot) stub(url string, tokens int) string {
	line := stubMark
	if s.Title != "" {
		line += ": " + s.Title
	}
	if s.URL != "" {
		url = s.URL
	}
	if url = clip(url); url != "" {
		line += " <" + url + ">"
	}
	if tokens > 0 {
		line += fmt.Sprintf(", %d tokens", tokens)
	}
	return line + "]"
}

// rewrite replaces every snapshot by what short returns for it, with the range it stands for, where that is shorter.
func rewrite(text string, short func(Snapshot, *kind) (string, int, int)) string {
	var b strings.Builder
	done := 0
	for done < len(text) {
		s, k, ok := find(text[done:])
		if !ok {
			break
		}
		s.Start, s.End = s.Start+done, s.End+done
		if line, start, end := short(s, k); start >= done && len(line) < end-start {
			b.WriteString(text[done:start])
			b.WriteString(line)
			done = end
			continue
		}
		b.WriteString(text[done:s.End])
		done = s.End
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// find returns the first snapshot of a text and its notation.
func find(text string) (Snapshot, *kind, bool) {
	for i := range kinds {
		s, ok := kinds[i].find(text)
		if !ok {
			continue
		}
		s.Kind = kinds[i].name
		header := text[:s.Start] + text[s.End:]
		s.URL = clip(field(header, "Page URL:"))
		if title := clip(field(header, "Page Title:")); title != "" {
			s.Title = title
		}
		return s, &kinds[i], true
	}
	return Snapshot{}, nil, false
}

// fence widens a snapshot to the fence around it.
func fence(text string, s Snapshot) (start, end int) {
	start, end = s.Start, s.End
	head := strings.TrimSuffix(text[:start], "\n")
	line := head[strings.LastIndexByte(head, '\n')+1:]
	if !strings.HasPrefix(line, "```") {
		return start, end
	}
	start = len(head) - len(line)
	if rest := text[end:]; strings.HasPrefix(rest, "\n```") {
		end += len("\n```")
	}
	return start, end
}

// field returns what follows a label on its line.
func field(text, label string) string {
	_, rest, ok := strings.Cut(text, label)
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// clip shortens a line of text to textLimit runes. What it leaves of a quoted scalar is quoted.
func clip(s string) string {
	if len(s) <= textLimit || utf8.RuneCountInString(s) <= textLimit {
		return s
	}
	end := "…"
	if s[0] == '"' {
		end = `…"`
	}
	n := utf8.RuneCountInString(end)
	for i := range s {
		if n++; n > textLimit {
			return strings.TrimRight(s[:i], `\`) + end
		}
	}
	return s
}
