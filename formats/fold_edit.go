package formats

import (
	"slices"

	"perch/formats/transcript"
)

// turn makes the beginning of an exchange's history the prompt, as far as the thread can, and returns how much of it
// stands there then.
func (th *foldThread) turn(x *exchange) int {
	common, deep := th.common(x), th.deep(x)
	switch {
	case deep > common: // back on a branch that was left
		th.restart(0)
		for i := range deep {
			th.stand(th.known[x.paths[i]], x.marks[i])
		}
		th.change(transcript.Rewind, len(th.t.Messages), x.line)
		return deep
	case common < len(th.prompt):
		return th.edit(x, common)
	}
	return common
}

// restart cuts the prompt back to its first messages.
func (th *foldThread) restart(n int) {
	th.prompt, th.marks, th.paths = slices.Clone(th.prompt[:n]), slices.Clone(th.marks[:n]), slices.Clone(th.paths[:n])
	th.awaited, th.replied = false, false
}

// change records that the prompt is another one from a message on.
func (th *foldThread) change(kind transcript.ChangeKind, at, line int) {
	spans := spansOf(slices.Concat(th.head, th.prompt))
	th.spans += len(spans)
	th.t.Changes = append(th.t.Changes, transcript.Change{At: at, Kind: kind, Prompt: spans, Line: line})
}

// edit makes a history that parts from the prompt the prompt, up to the last message that comes again, and returns
// how much of it that is. What comes again behind the common part shows what happened: nothing, and the thread went
// back; the same results with less text, and they were cleared; some of it behind other messages, and turns were
// replaced.
func (th *foldThread) edit(x *exchange, common int) int {
	again, cleared := th.comesAgain(x, common)
	th.clear(cleared, x.line)
	last := common // behind the last message that comes again
	if x.resumes {
		last = max(last, 1)
	}
	for i := range again {
		last = max(last, i+1)
	}
	before, awaited, replied := th.prompt, th.awaited, th.replied
	at := len(th.t.Messages)
	th.restart(common)
	for i := common; i < last; i++ {
		if m, ok := again[i]; ok {
			th.stand(m, x.marks[i])
			continue
		}
		th.put(summed(x.history[i]), x.marks[i])
	}
	switch {
	case slices.Equal(th.prompt, before): // no more than cleared
		th.awaited, th.replied = awaited, replied
	case len(th.prompt) < len(before) && slices.Equal(th.prompt, before[:len(th.prompt)]):
		th.change(transcript.Rewind, at, x.line)
	default:
		th.change(transcript.Compact, at, x.line)
	}
	return last
}

// summed is a message that stands before turns that come again: a compaction put it there.
func summed(m transcript.Message) transcript.Message {
	if m.Role != transcript.User {
		return m
	}
	m.Origin, m.Parts = transcript.Compaction, slices.Clone(m.Parts)
	for i := range m.Parts {
		if m.Parts[i].Kind == transcript.Text {
			m.Parts[i].Kind = transcript.Summary
		}
	}
	return m
}

// clear records that the bodies of results left the prompt.
func (th *foldThread) clear(results []int, line int) {
	if len(results) == 0 {
		return
	}
	change := transcript.Change{At: len(th.t.Messages), Kind: transcript.Clear, Line: line}
	for _, m := range results {
		for p := range th.t.Messages[m].Parts {
			change.Reduce = append(change.Reduce, transcript.PartID{Message: m, Part: p})
		}
	}
	th.t.Changes = append(th.t.Changes, change)
}

// comesAgain finds which messages behind the common part come again in the history, in their order: history index to
// message. A result of the same call with less text comes again too, cleared. Without a response nothing does: a
// question may be put again in the same words.
func (th *foldThread) comesAgain(x *exchange, common int) (again map[int]int, cleared []int) {
	places := map[mark][]int{}
	results := map[string]int{}
	for i := common; i < len(th.prompt); i++ {
		places[th.marks[i]] = append(places[th.marks[i]], i)
		if id := callOf(&th.t.Messages[th.prompt[i]]); id != "" {
			results[id] = i
		}
	}
	again = map[int]int{}
	next, response := common, false
	for i := common; i < len(x.history); i++ {
		m := &x.history[i]
		same := places[x.marks[i]]
		for len(same) > 0 && same[0] < next {
			same = same[1:]
		}
		places[x.marks[i]] = same
		place, isResult := results[callOf(m)]
		switch {
		case len(same) > 0:
			place = same[0]
		case isResult && place >= next && textOf(m) < textOf(&th.t.Messages[th.prompt[place]]):
			cleared = append(cleared, th.prompt[place])
		default:
			continue
		}
		again[i], next = th.prompt[place], place+1
		response = response || m.Role == transcript.Assistant
	}
	if !response && len(cleared) == 0 {
		return nil, nil
	}
	return again, cleared
}

// callOf is the id of the call that a result answers; "" for other messages.
func callOf(m *transcript.Message) string {
	if m.Role != transcript.Tool {
		return ""
	}
	return m.Parts[0].CallID
}

// textOf is how much text and pictures a message has, in bytes.
func textOf(m *transcript.Message) int {
	n := 0
	for i := range m.Parts {
		n += len(m.Parts[i].Text) + m.Parts[i].Media.Bytes
	}
	return n
}
