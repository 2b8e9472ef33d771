package estimate

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"perch/formats/transcript"
)

// Counter counts the local tokens of visible text. A counter is safe for many goroutines, and the same text always
// has the same count.
type Counter interface {
	// Name is the name NewCounter knows it by.
	Name() string
	// Count returns the local tokens of a text; 0 for an empty one.
	Count(text string) transcript.Local
}

// DefaultCounter is the name of the counter used where none is asked for.
const DefaultCounter = "o200k"

// vocabularyPrefix stands before the name of an encoding of tiktoken.
const vocabularyPrefix = "tiktoken:"

// NewCounter returns the counter of a name: o200k or cl100k (exact byte-pair counts), chars/4, chars/3 or bytes/4
// (the formulas agents use), or tiktoken:<encoding>. The tables of a byte-pair counter are loaded at the first
// count that needs them. A counter is worth sharing: it remembers what it has counted.
func NewCounter(name string) (Counter, error) {
	switch name {
	case "o200k":
		return newBPE(name, o200kBase), nil
	case "cl100k":
		return newBPE(name, cl100kBase), nil
	case "chars/4":
		return charCounter{4}, nil
	case "chars/3":
		return charCounter{3}, nil
	case "bytes/4":
		return byteCounter{4}, nil
	}
	for _, v := range vocabularies {
		if name == vocabularyPrefix+v.name {
			return newBPE(name, v.load), nil
		}
	}
	return nil, fmt.Errorf("no counter %q; did you mean %q? the counters are %s", name, nearest(name), strings.Join(CounterNames(), ", "))
}

// CounterNames lists the names NewCounter knows.
func CounterNames() []string {
	names := []string{"o200k", "cl100k", "chars/4", "chars/3", "bytes/4"}
	for _, v := range vocabularies {
		names = append(names, vocabularyPrefix+v.name)
	}
	return names
}

// Chars4 is the naive estimate: one token for every four characters begun (Unicode code points, rounded up), as
// pi and many others count.
func Chars4(text string) transcript.Local { return charCounter{4}.Count(text) }

// charCounter takes a fixed number of characters for a token.
type charCounter struct{ per int }

// Name implements Counter.
func (c charCounter) Name() string { return fmt.Sprintf("chars/%d", c.per) }

// Count implements Counter: the number of code points divided by c.per, rounded up.
func (c charCounter) Count(text string) transcript.Local {
	return transcript.Local((utf8.RuneCountInString(text) + c.per - 1) / c.per)
}

// byteCounter takes a fixed number of bytes of UTF-8 for a token.
type byteCounter struct{ per int }

// Name implements Counter.
func (c byteCounter) Name() string { return fmt.Sprintf("bytes/%d", c.per) }

// Count implements Counter: the number of bytes divided by c.per, rounded up.
func (c byteCounter) Count(text string) transcript.Local {
	return transcript.Local((len(text) + c.per - 1) / c.per)
}

// nearest returns the counter whose name takes the fewest edits to reach from a mistyped one.
func nearest(name string) string {
	best, fewest := DefaultCounter, len(name)+1
	for _, known := range CounterNames() {
		if d := distance(name, known); d < fewest {
			best, fewest = known, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two short strings, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
