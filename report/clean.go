package report

import (
	"fmt"
	"strings"
	"unicode"
)

// Clean makes a text from a recording harmless on a terminal and in one line: control characters and escapes
// become their visible \x1b form, line breaks a space, and the marks that reorder or hide text (bidirectional
// controls and the like) their \u202e form.
func Clean(s string) string {
	if strings.IndexFunc(s, harmful) < 0 {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case !harmful(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// harmful reports whether a rune may not reach a terminal as it is. A joiner (U+200D) holds emoji together and
// passes.
func harmful(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u200d' || r == '\u2028' || r == '\u2029'
}
