package formats

import (
	"perch/formats/transcript"
)

// foldThread is a thread that is being folded.
type foldThread struct {
	t      *transcript.Transcript
	head   []int        // the messages of the system prompt and the tools
	prompt []int        // the others in the prompt
	marks  []mark       // of each of these
	paths  []mark       // to each of these
	known  map[mark]int // the message at the end of every path that was ever gone
	kept   map[mark]bool

	awaited  bool // the last call's response may stand in the next request
	replied  bool // the prompt ends with the recorded response of the last call
	requests int
	brief    bool
	logged   bool // it began with a request
	name     string
	spans    int // spent on changes
}

// isResponse reports whether a message of the prompt is one of the model.
func (th *foldThread) isResponse(i int) bool {
	return th.t.Messages[th.prompt[i]].Role == transcript.Assistant
}

// common is how many messages of an exchange stand in the prompt, from its beginning on.
func (th *foldThread) common(x *exchange) int {
	n := 0
	for n < len(x.paths) && n < len(th.paths) && x.paths[n] == th.paths[n] {
		n++
	}
	return n
}

// deep is the same for all that the thread ever held.
func (th *foldThread) deep(x *exchange) int {
	n := 0
	for n < len(x.paths) {
		if _, ok := th.known[x.paths[n]]; !ok {
			break
		}
		n++
	}
	return n
}

// put appends a message to the thread and its prompt.
func (th *foldThread) put(m transcript.Message, k mark) {
	th.stand(len(th.t.Messages), k)
	th.t.Messages = append(th.t.Messages, m)
}

// stand makes a message the last one of the prompt.
func (th *foldThread) stand(message int, k mark) {
	path := mark{}
	if n := len(th.paths); n > 0 {
		path = th.paths[n-1]
	}
	path = path.then(k)
	th.prompt, th.marks, th.paths = append(th.prompt, message), append(th.marks, k), append(th.paths, path)
	th.known[path] = message
}

// keepUnsent adds messages that cannot have been sent, each once.
func (th *foldThread) keepUnsent(list []transcript.Message) {
	for i := range list {
		if m := markOf(&list[i]); !th.kept[m] {
			th.kept[m] = true
			th.t.Messages = append(th.t.Messages, list[i])
		}
	}
}

// extend appends what of an exchange's history the thread does not hold yet, and its call with the answer. A response
// that the log shows only in the next request belongs to the call before it.
func (th *foldThread) extend(x *exchange, common int) {
	for i := common; i < len(x.history); i++ {
		th.keepUnsent(x.unsent[i])
		at := len(th.t.Messages)
		if x.history[i].Role == transcript.Assistant {
			reply := transcript.Span{From: at, To: at + 1}
			switch {
			case x.call == nil:
				th.t.Calls = append(th.t.Calls, bareCall(&x.history[i], reply, x.model))
			case th.awaited:
				th.t.Calls[len(th.t.Calls)-1].Reply = reply
			}
		}
		th.awaited, th.replied = false, false
		th.put(x.history[i], x.marks[i])
	}
	th.keepUnsent(x.unsent[len(x.history)])
	th.requests++
	if x.call == nil {
		return
	}
	c := *x.call
	c.At = len(th.t.Messages)
	th.awaited, th.replied = c.Err == "", false
	if x.reply != nil {
		c.Reply = transcript.Span{From: c.At, To: c.At + 1}
		th.put(*x.reply, markOf(x.reply))
		th.awaited, th.replied = false, true
	}
	th.t.Calls = append(th.t.Calls, c)
}

// sum adds the request for a summary of the thread. What it asked for is no part of the conversation.
func (th *foldThread) sum(x *exchange) {
	c := *x.call
	c.At, c.Kind = len(th.t.Messages), transcript.Compacting
	th.t.Calls = append(th.t.Calls, c)
	th.awaited = false
}

// bareCall is the call behind a response of which nothing else is recorded.
func bareCall(m *transcript.Message, reply transcript.Span, model string) transcript.Call {
	return transcript.Call{At: reply.From, Reply: reply, Kind: transcript.Main, Model: model, Time: m.Time, Line: m.Line}
}
