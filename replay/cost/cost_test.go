package cost

import (
	"testing"

	"perch/formats/transcript"
)

var anthropic = Rates{Read: 100, Write: 1250, Output: 5000}

// A user who compares settings by cost loses if a call that only appends pays for the whole prompt again.
func TestAppendOnlyReadsTheWholeLastPrompt(t *testing.T) {
	var c Cache
	first := c.Call(10_000, anthropic)
	if first.Milli != 10_000*1250 || first.Broke {
		t.Errorf("cold call: got %+v, want everything written and no break", first)
	}
	second := c.Call(11_000, anthropic)
	want := Read{Kept: 10_000, Milli: 10_000*100 + 1_000*1250}
	if second != want {
		t.Errorf("appending call: got %+v, want %+v", second, want)
	}
}

// A user loses the warning that clearing early results costs more than it saves.
func TestBreakWritesEverythingBehindIt(t *testing.T) {
	var c Cache
	c.Call(100_000, anthropic)
	c.Break(20_000)
	c.Break(60_000) // a later break does not bring the prefix back
	got := c.Call(70_000, anthropic)
	want := Read{Kept: 20_000, Milli: 20_000*100 + 50_000*1250, Broke: true}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A prefix can never be larger than what is sent, nor negative.
func TestKeptIsBoundedByThePrompt(t *testing.T) {
	var c Cache
	c.Call(5_000, anthropic)
	if got := c.Call(3_000, anthropic); got.Kept != 3_000 || !got.Broke {
		t.Errorf("smaller prompt: got %+v", got)
	}
	c.Break(transcript.Ledger(-7))
	if got := c.Call(3_000, anthropic); got.Kept != 0 {
		t.Errorf("negative prefix: got %+v", got)
	}
}
