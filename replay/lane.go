package replay

import (
	"slices"

	"perch/estimate"
	"perch/formats/transcript"
	"perch/pipeline"
	"perch/replay/cost"
)

// lane is one way the run could have gone: a prompt, what it costs in ledger tokens, and what a pipeline deciding
// in it would know.
type lane struct {
	state *pipeline.State
	meter meter
	price *pricer

	parts  transcript.Ledger // price of the parts in the prompt, in the forms they stand in
	unseen transcript.Ledger // growth of the recorded prompt that no visible part explains
	prompt transcript.Ledger // what the last call cost
	cache  cost.Cache
}

// total is everything of the lane's prompt that has a ledger price; hidden overhead is not in it.
func (l *lane) total() transcript.Ledger { return l.parts + l.unseen }

// append adds a message to the end of the prompt.
func (l *lane) append(id pipeline.MessageID) {
	l.state.Append(id)
	l.parts += l.message(id)
	l.meter.appended(id)
}

// message prices a message in the forms its parts stand in.
func (l *lane) message(id pipeline.MessageID) transcript.Ledger {
	if id < 0 {
		return summaryPrice(l.state.Summary(id))
	}
	var sum transcript.Ledger
	for i := range l.state.Message(id).Parts {
		part := pipeline.PartID{Message: id, Part: i}
		sum += l.price.part(part, l.state.Form(part))
	}
	return sum
}

// reset makes the lane's prompt what a recorded compaction made it and forgets what the lane did. Parts that were
// cleared before and survived it stay cleared.
func (l *lane) reset(prompt []pipeline.MessageID, cleared []pipeline.PartID, overhead transcript.Ledger) {
	l.cache.Break(overhead + l.common(l.state.Prompt(), prompt))
	l.state.Reset(prompt, cleared)
	l.unseen = 0
	l.reprice()
	l.meter.reset()
}

// clear takes what the recorded agent cleared and the lane still holds.
func (l *lane) clear(parts []pipeline.PartID, overhead transcript.Ledger) {
	moves := l.state.Clear(parts)
	if len(moves) == 0 {
		return
	}
	first := moves[0].Part.Message
	for _, m := range moves {
		first = min(first, m.Part.Message)
		l.meter.cleared(m)
		l.parts -= l.moved(m)
	}
	l.cache.Break(overhead + l.front(l.place(first)))
}

// rewind makes the lane's prompt these messages and keeps what the lane did to them.
func (l *lane) rewind(prompt []pipeline.MessageID, overhead transcript.Ledger) {
	l.cache.Break(overhead + l.common(l.state.Prompt(), prompt))
	l.state.Rewind(prompt)
	l.reprice()
	l.meter.reset()
}

// missing lists the ids of a that b does not have.
func missing(a, b []pipeline.MessageID) []pipeline.MessageID {
	have := make(map[pipeline.MessageID]bool, len(b))
	for _, id := range b {
		have[id] = true
	}
	var ids []pipeline.MessageID
	for _, id := range a {
		if !have[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// reprice sums the prompt anew; only changes of the recording need it.
func (l *lane) reprice() {
	l.parts = 0
	for _, id := range l.state.Prompt() {
		l.parts += l.message(id)
	}
}

// common prices the front that two prompts share.
func (l *lane) common(before, after []pipeline.MessageID) transcript.Ledger {
	var sum transcript.Ledger
	for i := 0; i < len(before) && i < len(after) && before[i] == after[i]; i++ {
		sum += l.message(before[i])
	}
	return sum
}

// take prices one outcome and returns what it freed. Negative: the prompt grew.
func (l *lane) take(o *pipeline.Outcome, overhead transcript.Ledger) transcript.Ledger {
	if !o.Fired() {
		return 0
	}
	var freed transcript.Ledger
	for _, m := range o.Moves {
		freed += l.moved(m)
	}
	if o.Wrote != 0 {
		freed -= summaryPrice(l.state.Summary(o.Wrote))
	}
	l.parts -= freed
	l.cache.Break(overhead + l.front(o.FirstAt))
	return freed
}

// moved is what one part's move to a smaller form freed.
func (l *lane) moved(m pipeline.Move) transcript.Ledger {
	if m.Part.Message < 0 {
		return summaryPrice(l.state.Summary(m.Part.Message))
	}
	return l.price.part(m.Part, m.From) - l.price.part(m.Part, m.To)
}

// front prices the first n messages of the prompt.
func (l *lane) front(n int) transcript.Ledger {
	var sum transcript.Ledger
	prompt := l.state.Prompt()
	for _, id := range prompt[:min(n, len(prompt))] {
		sum += l.message(id)
	}
	return sum
}

// place is where a message stands in the prompt; behind its end if it does not.
func (l *lane) place(id pipeline.MessageID) int {
	prompt := l.state.Prompt()
	if i := slices.Index(prompt, id); i >= 0 {
		return i
	}
	return len(prompt)
}

// unexplained takes growth or a fall of the recorded prompt that no visible content explains. A fall takes effect
// where the parts it is attributed to still stand whole, and breaks the cache at the first of them; one that is
// attributed to none may have happened anywhere.
func (l *lane) unexplained(u estimate.Unseen, overhead transcript.Ledger) {
	if len(u.Parts) == 0 {
		l.unseen += u.Tokens
		if u.Tokens < 0 {
			l.cache.Break(overhead)
		}
		return
	}
	first := pipeline.MessageID(-1)
	for i, id := range u.Parts {
		part := stateID(id)
		if l.state.Form(part).Kind != pipeline.Full {
			continue
		}
		l.parts += u.Share[i]
		if first < 0 || part.Message < first {
			first = part.Message
		}
	}
	if first >= 0 {
		l.cache.Break(overhead + l.front(l.place(first)))
	}
}

// settle takes the call's price and passes it to the lane's meter as the provider's report.
func (l *lane) settle(prompt transcript.Ledger, rates cost.Rates) cost.Read {
	l.prompt = prompt
	l.meter.reported(prompt)
	return l.cache.Call(prompt, rates)
}

// summaryPrice is what a summary costs: a simulated one its stated size, unchanged in every meter.
func summaryPrice(s pipeline.Summary) transcript.Ledger { return transcript.Ledger(s.Simulated) }
