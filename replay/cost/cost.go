// Package cost prices prompts under a provider's prefix cache.
//
// Its unit is a thousandth of one uncached input token, so that all sums are integers. A call reads from the cache
// the longest prefix it shares with the prompt before it and writes the rest; what the provider really cached is
// not claimed. Where a prompt is changed in the middle, everything behind the first changed byte is written again:
// this is why fewer tokens can cost more.
package cost

import "perch/formats/transcript"

// Rates are what tokens cost, in thousandths of an uncached input token.
type Rates struct {
	Read   int64 // read from the cache
	Write  int64 // written to the cache
	Output int64 // generated
}

// Uncached is the rate of an input token that no cache touches: the unit.
const Uncached int64 = 1000

// Cache follows the cached prefix of one thread of calls. The zero value is a cold cache.
type Cache struct {
	prompt transcript.Ledger // of the last call
	kept   transcript.Ledger // how much of it still stands unchanged at the front
}

// Break says that everything behind the first prefix tokens of the last prompt has changed.
func (c *Cache) Break(prefix transcript.Ledger) { c.kept = min(c.kept, max(prefix, 0)) }

// Read is one call's use of the cache.
type Read struct {
	Kept  transcript.Ledger // tokens read from the cache
	Milli int64             // input cost of the call, in thousandths
	Broke bool              // part of the last prompt could not be read again
}

// Call sends a prompt of the given size and makes it the cached one.
func (c *Cache) Call(prompt transcript.Ledger, r Rates) Read {
	kept := min(c.kept, prompt)
	read := Read{Kept: kept, Milli: int64(kept)*r.Read + int64(prompt-kept)*r.Write, Broke: kept < c.prompt}
	c.prompt, c.kept = prompt, prompt
	return read
}

// Request is the cost of one summarizer request: the prompt it reads is still cached, its answer is output.
func Request(prompt transcript.Ledger, output transcript.Estimated, r Rates) int64 {
	return int64(prompt)*r.Read + int64(output)*r.Output
}
