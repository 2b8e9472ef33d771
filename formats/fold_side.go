package formats

import (
	"cmp"
	"slices"

	"perch/formats/transcript"
)

// maxStretch is how much of a system prompt may differ for it to count as the same, in bytes, if that is no more than
// an eighth of it: dates and counters change in it from request to request.
const maxStretch = 256

// sameHead reports whether an exchange has the thread's system prompt and tools, but for a few words.
func (th *foldThread) sameHead(x *exchange) bool {
	return slices.EqualFunc(th.headMessages(), x.head, func(a, b transcript.Message) bool {
		return slices.EqualFunc(a.Parts, b.Parts, func(a, b transcript.Part) bool {
			return a.Text == b.Text || stretch(a.Text, b.Text) <= min(maxStretch, max(len(a.Text), len(b.Text))/8)
		})
	})
}

// stretch is how long the part is between what two texts have in common at their beginning and their end.
func stretch(a, b string) int {
	head, most := 0, min(len(a), len(b))
	for head < most && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < most-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return max(len(a), len(b)) - head - tail
}

// headMessages lists the messages of the thread's system prompt and tools.
func (th *foldThread) headMessages() []transcript.Message {
	var out []transcript.Message
	for _, m := range th.head {
		out = append(out, th.t.Messages[m])
	}
	return out
}

// setHead appends an exchange's system prompt and tools, and makes them the thread's.
func (th *foldThread) setHead(x *exchange) {
	th.head = nil
	for _, m := range x.head {
		th.head = append(th.head, len(th.t.Messages))
		th.t.Messages = append(th.t.Messages, m)
	}
}

// settleHead makes the exchange's system prompt and tools the thread's, where they have changed. A transcript knows
// no change of that kind; the nearest is a rewind to the same messages behind another beginning.
func (f *folder) settleHead(th *foldThread, x *exchange) {
	if th.sameHead(x) {
		return
	}
	f.notes.once(x.line, "the system prompt or the tools of a thread change here, and maybe further on")
	at := len(th.t.Messages)
	th.setHead(x)
	th.change(transcript.Rewind, at, x.line)
}

// transcripts finishes the threads: the main one first, the others in the order of the log.
func (f *folder) transcripts() []*transcript.Transcript {
	var main *foldThread
	for _, th := range f.threads {
		if main == nil || th.requests > main.requests {
			main = th
		}
	}
	if main == nil {
		return nil
	}
	main.t.Thread = "main"
	beside := &exchange{head: main.headMessages()}
	out := []*transcript.Transcript{main.t}
	for _, th := range f.threads {
		switch {
		case th == main:
		case th.logged && th.requests == 1 && len(th.t.Calls) == 1 && (th.brief || !th.sameHead(beside)):
			f.beside = append(f.beside, th.t.Calls[0])
		default:
			th.t.Thread = th.name
			out = append(out, th.t)
		}
	}
	slices.SortStableFunc(f.beside, func(a, b transcript.Call) int { return cmp.Compare(a.Line, b.Line) })
	putBeside(main.t, f.beside)
	return out
}

// putBeside adds side calls, in the order of their lines, where they were made: behind what was recorded on earlier
// lines.
func putBeside(t *transcript.Transcript, beside []transcript.Call) {
	var calls []transcript.Call
	at, next := 0, 0
	for _, c := range beside {
		for next < len(t.Calls) && t.Calls[next].Line <= c.Line {
			at = max(at, t.Calls[next].At)
			calls = append(calls, t.Calls[next])
			next++
		}
		for at < len(t.Messages) && t.Messages[at].Line < c.Line {
			at++
		}
		if next < len(t.Calls) {
			at = min(at, t.Calls[next].At)
		}
		c.Kind, c.Reply, c.At = transcript.Side, transcript.Span{}, at
		calls = append(calls, c)
	}
	t.Calls = append(calls, t.Calls[next:]...)
}
