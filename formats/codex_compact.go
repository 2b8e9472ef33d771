package formats

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// compacted reads a compaction. Its history is the prompt from here on; versions that record none keep the beginning
// and the last messages of the user, as [codexThread.oldHistory] says.
func (r *codexReader) compacted(p gjson.Result, at place) {
	th := r.thread
	th.alone()
	th.flush()
	if th.spent(at) {
		return
	}
	th.ownCall(own(p.Get("compaction_response_id")))
	change := transcript.Change{At: len(th.t.Messages), Kind: transcript.Compact, Line: at.line}
	if h := p.Get("replacement_history"); h.IsArray() {
		history, summarized := th.history(h, at)
		if !summarized && p.Get("compaction_response_id").Raw != "null" { // a cut that was meant to leave none says so
			th.notes.warn(at.line, "the history that this compaction left holds no summary: what was sent in its place is not in the recording")
		}
		th.prompt = append(th.beginning(false), th.bring(history)...)
	} else {
		th.prompt = th.oldHistory(own(p.Get("message")), at)
	}
	th.change(change)
	th.fresh = true
	if r.turn.id == "" {
		return
	}
	r.turn.cuts = append(r.turn.cuts, len(th.t.Changes)-1)
	if r.turn.worked {
		r.settle("auto")
	}
}

// ownCall finds the request that wrote the summary, if it is among the calls: its count is named by the compaction,
// or is the last one and of a response of which nothing was recorded.
func (th *codexThread) ownCall(response string) {
	if len(th.calls) == 0 {
		return
	}
	c := th.calls[len(th.calls)-1]
	if c.Reply.Len() == 0 && c.Err == "" && c.At == len(th.t.Messages) || response != "" && c.Key == response {
		c.Kind = transcript.Compacting
	}
}

// spent reports whether the changes of the context have taken what they may.
func (th *codexThread) spent(at place) bool {
	if th.spans <= maxSpans {
		return false
	}
	th.notes.once(at.line, "the context changes more often than can be followed; later changes of it are passed over")
	return true
}

// change records a change whose prompt is th.prompt.
func (th *codexThread) change(c transcript.Change) {
	c.Prompt = spansOf(th.prompt)
	th.spans += len(c.Prompt)
	th.t.Changes = append(th.t.Changes, c)
}

// spansOf lists messages as spans. It is never nil: an empty prompt is not "no prompt".
func spansOf(messages []int) []transcript.Span {
	out := []transcript.Span{}
	for _, m := range messages {
		if n := len(out); n > 0 && out[n-1].To == m {
			out[n-1].To++
			continue
		}
		out = append(out, transcript.Span{From: m, To: m + 1})
	}
	return out
}

// beginning is what of the prompt no change takes away: the system prompt, and with context everything before the
// first turn.
func (th *codexThread) beginning(context bool) []int {
	n := 0
	for n < len(th.prompt) && (th.based && th.prompt[n] == 0 || context && th.isContext(th.prompt[n])) {
		n++
	}
	return slices.Clone(th.prompt[:n])
}

// isContext reports whether a message is one that the client adds around those of a person.
func (th *codexThread) isContext(m int) bool {
	msg := &th.t.Messages[m]
	if msg.Role != transcript.System && msg.Role != transcript.User || th.turns[m] {
		return false
	}
	return len(msg.Parts) == 0 || msg.Parts[0].Kind != transcript.Summary && msg.Parts[0].Kind != transcript.Opaque
}

// history reads the items of a replaced history as messages of their own, and reports whether a summary is among them.
func (th *codexThread) history(items gjson.Result, at place) (out []codexInput, summarized bool) {
	in := &codexThread{t: &transcript.Transcript{}, notes: th.notes}
	items.ForEach(func(_, p gjson.Result) bool {
		in.item(p, at)
		return true
	})
	in.flush()
	for i, m := range in.t.Messages {
		if len(m.Parts) == 1 && m.Parts[0].Kind == transcript.Opaque { // the encrypted summary: not the model's turn
			m.Role, m.Origin = transcript.User, transcript.Compaction
			summarized = true
		}
		if !m.NotSent {
			out = append(out, codexInput{m, in.turns[i]})
		}
	}
	return out, summarized
}

// bring returns the messages of a new history as indexes: those that stand in the prompt word for word stay, the
// others are brought by the compaction.
func (th *codexThread) bring(history []codexInput) []int {
	type name struct {
		role transcript.Role
		text string
	}
	nameOf := func(m *transcript.Message) name {
		if len(m.Parts) == 0 {
			return name{m.Role, ""}
		}
		return name{m.Role, m.Parts[0].Text}
	}
	here := map[name][]int{}
	for _, m := range th.prompt {
		n := nameOf(&th.t.Messages[m])
		here[n] = append(here[n], m)
	}
	var out []int
	for _, h := range history {
		n := nameOf(&h.message)
		i := slices.IndexFunc(here[n], func(m int) bool { return isSame(&th.t.Messages[m], &h.message) })
		if i >= 0 {
			out = append(out, here[n][i])
			here[n] = slices.Delete(here[n], i, i+1)
			continue
		}
		h.message.Origin = transcript.Compaction
		out = append(out, th.bringOne(h))
	}
	return out
}

// isSame reports whether two messages say the same. What is encrypted may differ though it is as long.
func isSame(a, b *transcript.Message) bool {
	return slices.Equal(a.Parts, b.Parts) && !slices.ContainsFunc(a.Parts, func(p transcript.Part) bool { return p.Opaque > 0 })
}

// bringOne appends a message that the compaction itself put into the prompt.
func (th *codexThread) bringOne(h codexInput) int {
	i := th.put(h.message, h.turn)
	th.prompt = th.prompt[:len(th.prompt)-1]
	return i
}

// What a compaction without a recorded history keeps of the user's messages (codex-rs/core/src/compact.rs), by the
// client's measure of 4 bytes a token.
const (
	keptUserTokens = 20_000
	bytesPerToken  = 4
)

// oldHistory is what compactions left before they recorded it: everything before the first turn, then the user's
// last messages up to 20,000 tokens, the one that does not fit cut in the middle, then the summary.
func (th *codexThread) oldHistory(summary string, at place) []int {
	kept := th.beginning(true)
	var turns []int // from the last
	room := keptUserTokens
	for i := len(th.prompt) - 1; i >= len(kept) && room > 0; i-- {
		m := th.prompt[i]
		msg := &th.t.Messages[m]
		if msg.Role != transcript.User || !th.turns[m] || isSummary(msg) {
			continue
		}
		size := 0
		for j := range msg.Parts {
			size += len(msg.Parts[j].Text)
		}
		if room -= tokensOf(size); room >= 0 {
			turns = append(turns, m)
			continue
		}
		turns = append(turns, th.bringOne(codexInput{shortened(msg, size+room*bytesPerToken), true}))
	}
	slices.Reverse(turns)
	end := th.bringOne(codexInput{transcript.Message{
		Role: transcript.User, Origin: transcript.Compaction, Time: at.time, Line: at.line,
		Parts: []transcript.Part{{Kind: transcript.Summary, Text: summary}},
	}, true})
	return append(append(kept, turns...), end)
}

// isSummary reports whether a message is the summary of an earlier compaction.
func isSummary(m *transcript.Message) bool {
	return len(m.Parts) > 0 && m.Parts[0].Kind == transcript.Summary
}

// shortened is a user's message cut in the middle to so many bytes.
func shortened(m *transcript.Message, bytes int) transcript.Message {
	var texts []string
	for i := range m.Parts {
		texts = append(texts, m.Parts[i].Text)
	}
	out := *m
	out.Origin = transcript.Compaction
	out.Parts = []transcript.Part{{Kind: transcript.Text, Text: withoutMiddle(strings.Join(texts, "\n"), bytes)}}
	return out
}

// estimated notes the client's estimate of what a compaction left.
func (th *codexThread) estimated(total count) {
	if n := len(th.t.Changes); n > 0 && th.fresh && th.t.Changes[n-1].Kind == transcript.Compact && !th.t.Changes[n-1].After.Known() {
		th.t.Changes[n-1].After = total.client()
	}
}

// rolledBack reads a rollback: the last turns leave, with what the client put before the first of them. What stands
// before the first turn of all stays.
func (r *codexReader) rolledBack(p gjson.Result, at place) {
	th := r.thread
	drop, ok := tokens(p.Get("num_turns"))
	if !ok || drop == 0 {
		return
	}
	th.alone()
	th.flush()
	if th.spent(at) {
		return
	}
	end, first := len(th.prompt), -1
	for i := len(th.prompt) - 1; i >= 0; i-- {
		if !th.turns[th.prompt[i]] {
			continue
		}
		if first = i; drop > 0 {
			end = i
			drop--
		}
	}
	if first < 0 {
		return
	}
	for end > first && th.isContext(th.prompt[end-1]) {
		end--
	}
	th.prompt = th.prompt[:end]
	th.change(transcript.Change{At: len(th.t.Messages), Kind: transcript.Rewind, Line: at.line})
}
