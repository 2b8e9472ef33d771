package estimate

import (
	"strings"
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go"

	"perch/formats/transcript"
)

// A user compares these counts with other tools' counts of the same text: they must be the published ones.
func TestCounters(t *testing.T) {
	for _, c := range []struct {
		name, counter, text string
		want                transcript.Local
	}{
		{"nothing", "o200k", "", 0},
		{"nothing, naively", "chars/4", "", 0},
		{"two words", "o200k", "hello world", 2},
		{"long word", "o200k", "antidisestablishmentarianism", 6},
		{"long word, older vocabulary", "cl100k", "antidisestablishmentarianism", 6},
		{"long word, oldest vocabulary", "tiktoken:r50k_base", "antidisestablishmentarianism", 5},
		{"sum", "cl100k", "2 + 2 = 4", 7},
		{"sum, oldest vocabulary", "tiktoken:p50k_base", "2 + 2 = 4", 5},
		{"Japanese", "o200k", "お誕生日おめでとう", 8},
		{"Japanese, older vocabulary", "cl100k", "お誕生日おめでとう", 9},
		{"special token as text", "o200k", "<|endoftext|>", 7},
		{"characters begun", "chars/4", "12345", 2},
		{"characters, not bytes", "chars/4", "お誕生日", 1},
		{"thirds", "chars/3", "1234", 2},
		{"bytes", "bytes/4", "お誕生日", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			counter, err := NewCounter(c.counter)
			if err != nil {
				t.Fatal(err)
			}
			if got := counter.Count(c.text); got != c.want {
				t.Errorf("%s counts %d tokens in %q, want %d", c.counter, got, c.text, c.want)
			}
			if counter.Name() != c.counter {
				t.Errorf("the counter %s calls itself %s", c.counter, counter.Name())
			}
		})
	}
}

// A user who mistypes a counter must be told which one was meant, and a counter that is listed must work.
func TestCounterNames(t *testing.T) {
	for _, name := range CounterNames() {
		counter, err := NewCounter(name)
		if err != nil {
			t.Errorf("%s is listed and refused: %v", name, err)
			continue
		}
		if got := counter.Count("a b c d"); got <= 0 {
			t.Errorf("%s counts %d tokens in four letters", name, got)
		}
	}
	_, err := NewCounter("o20k")
	if err == nil || !strings.Contains(err.Error(), `did you mean "o200k"?`) || !strings.Contains(err.Error(), "chars/4") {
		t.Errorf("error %v, want the nearest name and the list", err)
	}
}

// A user with one long line in a log would wait for minutes: the vocabulary's library is quadratic in a run without
// a split point. The count is then approximate, and says so.
func TestLongRuns(t *testing.T) {
	counter := newBPE("o200k", o200kBase)
	for _, c := range []struct {
		name, text string
		cut        bool
	}{
		{"words", strings.Repeat("word ", 5000), false},
		{"numbers", strings.Repeat("12 ", 5000), false},
		{"one letter", strings.Repeat("a", 50_000), true},
		{"blanks", strings.Repeat(" ", 50_000), true},
		{"dashes", strings.Repeat("-", 50_000), true},
		{"letters of two bytes", strings.Repeat("é", 30_000), true},
		{"bytes that are no text", strings.Repeat("\xff", 30_000), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			joined, longest := 0, 0
			for piece := range pieces(c.text) {
				joined += len(piece)
				if c.cut {
					longest = max(longest, len(piece))
				}
			}
			if joined != len(c.text) || longest > maxRun+3 {
				t.Errorf("pieces of %d bytes for a text of %d, the longest %d", joined, len(c.text), longest)
			}
			if got := counter.Approximate(c.text); got != c.cut {
				t.Errorf("approximate %v, want %v", got, c.cut)
			}
			if n := counter.Count(c.text); n <= 0 || int(n) > len(c.text) {
				t.Errorf("%d tokens in %d bytes", n, len(c.text))
			}
		})
	}
}

// TestLongTexts: a large result is counted otherwise than by the published tokenizer, because it was cut to save memory.
func TestLongTexts(t *testing.T) {
	text := strings.Repeat("one line of text, 42\n\n  - and (more) of it\r\n/path/to;\n7 things\n", 6000)
	for name, load := range map[string]func() *tiktoken.Tiktoken{"o200k": o200kBase, "cl100k": cl100kBase} {
		c, err := NewCounter(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range pieces(text) {
			n++
		}
		want := transcript.Local(len(load().EncodeOrdinary(text)))
		if got := c.Count(text); got != want || n < 2 {
			t.Errorf("%s: %d tokens in %d pieces, want %d in several", name, got, n, want)
		}
	}
}

// A user who replays in parallel shares one counter between all runs.
func TestCounterIsShared(t *testing.T) {
	counter, err := NewCounter("o200k")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"one", "two words", "and three more words", ""}
	want := make([]transcript.Local, len(texts))
	for i, text := range texts {
		want[i] = counter.Count(text)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			fresh, err := NewCounter("o200k")
			if err != nil {
				t.Error(err)
				return
			}
			for i, text := range texts {
				if a, b := counter.Count(text), fresh.Count(text); a != want[i] || b != want[i] {
					t.Errorf("%q: %d and %d, want %d", text, a, b, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// A user's memory must not grow with the number of runs.
func TestCounterForgets(t *testing.T) {
	counter := newBPE("o200k", o200kBase)
	for i := range maxRemembered {
		counter.known[digest{length: i}] = 1
	}
	counter.Count("one more")
	if len(counter.known) > maxRemembered {
		t.Errorf("%d texts remembered, want at most %d", len(counter.known), maxRemembered)
	}
}
