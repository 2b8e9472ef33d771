package estimate

import (
	"hash/maphash"
	"iter"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"perch/formats/transcript"
)

// maxRun is the longest run of characters without a split point, in bytes, that is encoded whole. tiktoken-go needs
// time quadratic in it: 40 KB of one letter take 1.7 s.
const maxRun = 2000

// maxPiece is how many bytes are encoded at a time where the text has a place to cut: the encoder takes some 60 times
// the memory of its text.
const maxPiece = 64 << 10

// maxRemembered is how many texts a counter remembers before it starts anew.
const maxRemembered = 1 << 16

// bpe counts with one of OpenAI's byte-pair vocabularies, embedded in the program.
type bpe struct {
	name string
	load func() *tiktoken.Tiktoken
	seed [2]maphash.Seed

	mu    sync.Mutex
	known map[digest]transcript.Local
}

// digest identifies a text by two independent hashes and its length.
type digest struct {
	hash   [2]uint64
	length int
}

// newBPE returns a counter over a vocabulary.
func newBPE(name string, load func() *tiktoken.Tiktoken) *bpe {
	return &bpe{
		name: name, load: load,
		seed:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		known: map[digest]transcript.Local{},
	}
}

// The vocabularies embedded in the program. Each is loaded once, when a counter first needs it: that takes a
// quarter of a second.
var (
	o200kBase  = vocabulary("o200k_base")
	cl100kBase = vocabulary("cl100k_base")

	vocabularies = [...]struct {
		name string
		load func() *tiktoken.Tiktoken
	}{
		{"o200k_base", o200kBase},
		{"cl100k_base", cl100kBase},
		{"p50k_base", vocabulary("p50k_base")},
		{"p50k_edit", vocabulary("p50k_edit")},
		{"r50k_base", vocabulary("r50k_base")},
	}
)

// vocabulary returns a function that loads an embedded vocabulary at its first call. Loading can only fail in a
// program that was built without it.
func vocabulary(encoding string) func() *tiktoken.Tiktoken {
	return sync.OnceValue(func() *tiktoken.Tiktoken {
		useEmbeddedTables()
		t, err := tiktoken.GetEncoding(encoding)
		if err != nil {
			panic("estimate: loading the embedded vocabulary " + encoding + ": " + err.Error())
		}
		return t
	})
}

// useEmbeddedTables keeps tiktoken-go from fetching its vocabularies over the network.
var useEmbeddedTables = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

// Name implements Counter.
func (c *bpe) Name() string { return c.name }

// Count implements Counter. Special tokens such as <|endoftext|> count as the plain text they are in a transcript.
func (c *bpe) Count(text string) transcript.Local {
	if text == "" {
		return 0
	}
	key := digest{[2]uint64{maphash.String(c.seed[0], text), maphash.String(c.seed[1], text)}, len(text)}
	c.mu.Lock()
	n, ok := c.known[key]
	c.mu.Unlock()
	if ok {
		return n
	}
	encoding := c.load()
	for piece := range pieces(text) {
		n += transcript.Local(len(encoding.EncodeOrdinary(piece)))
	}
	c.mu.Lock()
	if len(c.known) >= maxRemembered {
		clear(c.known)
	}
	c.known[key] = n
	c.mu.Unlock()
	return n
}

// Approximate reports whether the count of a text may be off because a long run of it was cut.
func (c *bpe) Approximate(text string) bool {
	for piece := range pieces(text) {
		return len(piece) < len(text)
	}
	return false
}

// pieces yields a text in pieces of bounded memory that hold no run longer than maxRun. A cut inside a run can add a
// token or two, because no vocabulary merges across it; one between a line break and a letter or a digit adds none,
// because no vocabulary's splitter joins those.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, run, last := 0, 0, -1 // run: where the current run began
		for i, r := range text {
			kind := runKind(r)
			if kind != last {
				run, last = i, kind
			}
			fresh := i-start >= maxPiece && text[i-1] == '\n' && (kind == letters || kind == digits)
			if fresh || i+utf8.RuneLen(r)-run > maxRun {
				if !yield(text[start:i]) {
					return
				}
				start, run = i, i
			}
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

// runKind groups characters between which every vocabulary's splitter leaves no split point.
func runKind(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return int(asciiKind[r])
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letters
	case unicode.IsNumber(r):
		return digits
	case unicode.IsSpace(r):
		return spaces
	}
	return symbols
}

// The kinds of runs.
const (
	symbols = iota
	letters
	digits
	spaces
)

// asciiKind is runKind for ASCII.
var asciiKind = func() (kinds [utf8.RuneSelf]uint8) {
	for r := range kinds {
		switch c := rune(r); {
		case unicode.IsLetter(c):
			kinds[r] = letters
		case unicode.IsDigit(c):
			kinds[r] = digits
		case unicode.IsSpace(c):
			kinds[r] = spaces
		}
	}
	return kinds
}()
