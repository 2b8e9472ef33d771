package pipeline

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/formats/transcript"
	"perch/pipeline/page"
)

// Body returns the text of a part in a form: what stands in the prompt in its place. It is pure, idempotent and
// byte-stable, and never longer than the whole text. An image has no text; only its stub is one.
func Body(m *transcript.Message, part int, f Form) string {
	p := &m.Parts[part]
	short := p.Text
	switch f.Kind {
	case Actionable:
		short = page.Actionable(p.Text, f.N)
	case HeadTail:
		short = headTail(p.Text, f.N)
	case OneLine:
		short = oneLine(p.Text, f.N)
	case Stub:
		if p.Kind == transcript.Image || p.Kind == transcript.Document {
			return mediaStub(p, f.N)
		}
		short = page.Stub(p.Text, address(p), f.N)
	case Marker:
		short = marker(p.Tool, f.N)
	case Gone:
		return ""
	}
	if len(short) > len(p.Text) {
		return p.Text
	}
	return short
}

// address is the page a result is about, as far as its call tells.
func address(p *transcript.Part) string {
	if strings.Contains(p.Subject, "://") {
		return p.Subject
	}
	return ""
}

// marker says that a body was cleared. A marker of the recording's own tells no tokens.
func marker(tool string, tokens int) string {
	if tool == "" {
		tool = "tool"
	}
	if tokens == 0 {
		return "[" + tool + " result cleared]"
	}
	return fmt.Sprintf("[%s result cleared, %d tokens]", tool, tokens)
}

// mediaStub says which image or document stood here.
func mediaStub(p *transcript.Part, tokens int) string {
	m := p.Media
	facts := []string{string(p.Kind) + " removed"}
	if m.Mime != "" {
		facts[0] += ": " + m.Mime
	}
	if m.Width > 0 && m.Height > 0 {
		facts = append(facts, fmt.Sprintf("%d x %d", m.Width, m.Height))
	}
	if m.Pages > 0 {
		facts = append(facts, fmt.Sprintf("%d pages", m.Pages))
	}
	if tokens > 0 {
		facts = append(facts, fmt.Sprintf("%d tokens", tokens))
	}
	return "[" + strings.Join(facts, ", ") + "]"
}

// cutNote stands where the middle of a text was.
const cutNote = "\n[... middle cut ...]\n"

// headTail leaves n runes of a text: its beginning, a note, and its end.
func headTail(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	n = max(n-len(cutNote), 0)
	head, tail := runes(text, (n+1)/2), len(text)
	for range n / 2 {
		_, size := utf8.DecodeLastRuneInString(text[:tail])
		tail -= size
	}
	return text[:head] + cutNote + text[tail:]
}

// runes returns how many bytes the first n runes of a text take.
func runes(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// lineLimit bounds what is left of a result of one line, in runes.
const lineLimit = 240

// oneLine leaves the first line of a text and says how many tokens were cleared.
func oneLine(text string, tokens int) string {
	line, _, more := strings.Cut(text, "\n")
	if !more && utf8.RuneCountInString(line) <= lineLimit {
		return text
	}
	note := " [cleared]"
	if tokens > 0 {
		note = fmt.Sprintf(" [%d tokens cleared]", tokens)
	}
	return line[:runes(line, lineLimit-len(note))] + note
}
