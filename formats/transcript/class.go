package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Class is the kind of content a text is made of, as far as token density goes.
type Class string

// The content classes.
const (
	Prose    Class = "prose"
	Code     Class = "code"
	JSON     Class = "json"
	Numbers  Class = "numbers" // CSV, columns of digits
	Page     Class = "page"    // page snapshots, HTML, accessibility trees
	Log      Class = "log"
	CJK      Class = "cjk"
	Hex      Class = "hex" // hexadecimal, base64 and the like
	Thought  Class = "thinking"
	Picture  Class = "image"
	Withheld Class = "opaque"
)

// Classes lists every class in a fixed order.
var Classes = [...]Class{Prose, Code, JSON, Numbers, Page, Log, CJK, Hex, Thought, Picture, Withheld}

// Bounds of the sample Classify reads: texts up to sampleAll bytes whole, longer ones in three windows.
const (
	sampleAll    = 3 << 10
	sampleWindow = 1 << 10
)

// Classify says what a text is mostly made of. It reads at most 3 KB, from the beginning, the middle and the end,
// so that its cost does not grow with the text, and the same text always has the same class. The line numbers that
// file viewers print before each line do not count as digits. An empty text is prose.
func Classify(text string) Class {
	var t traits
	if len(text) <= sampleAll {
		t.read(text)
	} else {
		middle := (len(text) - sampleWindow) / 2
		t.read(text[:sampleWindow])
		t.read(whole(text[middle : middle+sampleWindow]))
		t.read(whole(text[len(text)-sampleWindow:]))
	}
	return t.class()
}

// whole drops the cut line a window begins with, or at least the cut character.
func whole(window string) string {
	if i := strings.IndexByte(window, '\n'); i >= 0 && i < len(window)/2 {
		return window[i+1:]
	}
	for len(window) > 0 && !utf8.RuneStart(window[0]) {
		window = window[1:]
	}
	return window
}

// traits counts what tells the classes apart. Characters are counted without white space.
type traits struct {
	chars, digits, cjk int
	unbroken           int // characters in long words that mix letters and digits
	structure          int // braces, brackets, quotes, colons, commas
	markup             int // tags, and references of accessibility trees

	lines, code, log int
	first            byte // first character of the text
}

// class weighs the traits. The order matters: what is dense in one way is often dense in a weaker one too.
func (t *traits) class() Class {
	switch {
	case t.chars == 0:
		return Prose
	case t.cjk*4 > t.chars:
		return CJK
	case t.unbroken*2 > t.chars:
		return Hex
	case t.markup*50 > t.chars:
		return Page
	case (t.first == '{' || t.first == '[') && t.structure*10 > t.chars:
		return JSON
	case t.digits*10 > t.chars*3:
		return Numbers
	case t.log*3 > t.lines:
		return Log
	case t.code*3 > t.lines:
		return Code
	case t.structure*6 > t.chars:
		return JSON
	}
	return Prose
}

// read adds a window of the text.
func (t *traits) read(window string) {
	for line := range strings.Lines(window) {
		line = strings.TrimSpace(unnumbered(line))
		if line == "" {
			continue
		}
		if t.first == 0 {
			t.first = line[0]
		}
		t.lines++
		if isLog(line) {
			t.log++
		} else if isCode(line) {
			t.code++
		}
		t.markup += strings.Count(line, "</") + strings.Count(line, "/>") + strings.Count(line, "[ref=")
		for word := range strings.FieldsSeq(line) {
			t.word(word)
		}
	}
}

// word counts the characters of one word.
func (t *traits) word(word string) {
	letters, digits, symbols := 0, 0, 0
	for _, r := range word {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r|0x20 >= 'a' && r|0x20 <= 'z':
			letters++
		case r < utf8.RuneSelf:
			symbols++
			if strings.ContainsRune(`{}[]":,`, r) {
				t.structure++
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			t.cjk++
		case unicode.IsLetter(r):
			letters++
		default:
			symbols++
		}
		t.chars++
	}
	t.digits += digits
	if n := letters + digits; n >= 32 && digits*12 > n && letters*12 > n && symbols*10 < n {
		t.unbroken += n + symbols
	}
}

// unnumbered cuts the line number a file viewer printed in front of a line: blanks, digits, and an arrow or a tab.
func unnumbered(line string) string {
	rest := strings.TrimLeft(line, " ")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	if digits == 0 {
		return line
	}
	for _, mark := range [...]string{"→", "\t"} {
		if cut, ok := strings.CutPrefix(rest[digits:], mark); ok {
			return cut
		}
	}
	return line
}

// isLog recognises a line of machine output: a time or a level in front, a colour escape, or a bare path.
func isLog(line string) bool {
	if strings.Contains(line, "\x1b[") {
		return true
	}
	head := line[:min(len(line), 40)]
	for _, level := range [...]string{"INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL"} {
		if strings.Contains(head, level) {
			return true
		}
	}
	if colons := strings.Count(head, ":"); colons >= 2 && head[0] >= '0' && head[0] <= '9' || strings.HasPrefix(head, "[20") {
		return true
	}
	path, _, _ := strings.Cut(line, ":")
	return len(path) > 3 && strings.Contains(path, "/") && !strings.ContainsAny(path, " <>(){};=\"'*`")
}

// codeWords begin a line of source code in some widespread language.
var codeWords = [...]string{
	"func ", "def ", "class ", "import ", "from ", "return", "if ", "if(", "for ", "for(", "while ", "else", "var ", "let ",
	"const ", "public ", "private ", "static ", "package ", "type ", "struct ", "use ", "fn ", "impl ", "export ", "async ",
	"await ", "#include", "//", "/*", "* ", "case ", "elif ", "try", "except", "@", "} ",
}

// isCode recognises a line of source code by how it begins or ends, or by an operator prose has not.
func isCode(line string) bool {
	switch line[len(line)-1] {
	case '{', '}', ';', '(', ')', '[', ']', ',':
		return true
	}
	for _, w := range codeWords {
		if strings.HasPrefix(line, w) {
			return true
		}
	}
	for _, op := range [...]string{":=", " = ", "=>", "->", "==", "!=", "&&", "||", "();"} {
		if strings.Contains(line, op) {
			return true
		}
	}
	return false
}
