package formats

import (
	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// codexThread gathers the items of a conversation into responses and what stands between them.
//
// Versions differ in where they write the token count of a response (T) among its items (reasoning r, calls c) and
// the outputs of its calls (o):
//
//	A, 0.34 to 0.63:     T r c o
//	B, 0.77 to 0.126:    r c T o
//	C, 0.139 and later:  r c o T
//
// Whatever is not the model's belongs to the next prompt, wherever the count stands. So a response goes on until
// something else follows its items, and a count belongs to the response before it if that has none yet; a file whose
// first count comes before anything the model wrote is of order A, where it belongs to the response after it.
type codexThread struct {
	t     *transcript.Transcript
	notes *notes

	model, version string
	limit          transcript.Limit

	reply   *codexReply        // the last response, with what followed it
	ahead   *transcript.Call   // a count in order A whose response has not begun
	orderA  bool               // counts stand before their responses
	began   bool               // the model has written something
	counted *transcript.Call   // the last call with a count
	calls   []*transcript.Call // in order

	prompt  []int        // indexes of the messages in it
	turns   map[int]bool // messages that begin a turn
	based   bool         // message 0 is the system prompt, which no change takes away
	outputs int          // tokens, by the client's measure, above which outputs are cut; 0: they are not
	patches bool         // patches are called for as free text
	fresh   bool         // a compaction is the last that happened: the client puts things back
	spans   int          // spent on changes
	made    int          // ids of calls that were recorded without one
}

// codexReply is a response and what followed it.
type codexReply struct {
	message transcript.Message
	call    *transcript.Call
	counted bool    // the call has a count
	closed  bool    // nothing more of it can come
	calls   callers // known from the first result on
	results []transcript.Message
	later   []codexInput
}

// codexInput is a message of the prompt, and whether it begins a turn.
type codexInput struct {
	message transcript.Message
	turn    bool
}

// write adds parts to the response that the model is writing, or begins one.
func (th *codexThread) write(at place, hosted bool, parts ...transcript.Part) {
	r := th.reply
	if r == nil || r.closed || len(r.results) > 0 || len(r.later) > 0 || th.ahead != nil {
		r = th.begin(at)
	}
	r.call.Hosted = r.call.Hosted || hosted
	r.message.Parts = append(r.message.Parts, parts...)
}

// begin begins a response.
func (th *codexThread) begin(at place) *codexReply {
	th.flush()
	r := &codexReply{call: th.ahead, counted: th.ahead != nil}
	if th.ahead = nil; r.call == nil {
		r.call = &transcript.Call{Kind: transcript.Main, Model: th.model, Version: th.version, Limit: th.limit, Time: at.time, Line: at.line}
		th.orderA = false // there every response has its count before it
	}
	r.message = transcript.Message{Role: transcript.Assistant, Origin: transcript.Agent, Time: at.time, Line: at.line}
	th.reply, th.began, th.fresh = r, true, false
	return r
}

// assign gives a call with its count to the response it is of.
func (th *codexThread) assign(c *transcript.Call) {
	th.counted = c
	switch r := th.reply; {
	case r != nil && !r.counted && !r.closed:
		c.Hosted = r.call.Hosted
		r.call, r.counted, r.closed = c, true, true
	case th.orderA || !th.began:
		th.alone()
		th.orderA, th.ahead = true, c
	default: // its response was not recorded
		th.flush()
		th.send(c, transcript.Span{})
	}
}

// alone sends a call of order A whose response never came.
func (th *codexThread) alone() {
	if c := th.ahead; c != nil {
		th.ahead = nil
		th.flush()
		th.send(c, transcript.Span{})
	}
}

// send adds a call at the end of what is there, or before its reply.
func (th *codexThread) send(c *transcript.Call, reply transcript.Span) {
	if c.At, c.Reply = reply.From, reply; reply.Len() == 0 {
		c.At = len(th.t.Messages)
	}
	th.calls = append(th.calls, c)
}

// input adds a message that is not the model's; turn: it begins a turn.
func (th *codexThread) input(m transcript.Message, turn bool) {
	th.alone()
	if th.fresh && m.Origin == transcript.Injected {
		m.Origin = transcript.Compaction
	}
	th.fresh = th.fresh && !turn
	if th.reply != nil {
		th.reply.later = append(th.reply.later, codexInput{m, turn})
		return
	}
	th.put(m, turn)
}

// result adds a tool result to the response that called for it. One that answers none of its calls is kept out of
// the prompt, as the client keeps it out.
func (th *codexThread) result(m transcript.Message) {
	th.alone()
	var none callers
	calls := &none
	if r := th.reply; r != nil {
		if calls = &r.calls; calls.last == nil { // whatever else the model writes is another response
			calls.response(len(th.t.Messages), &r.message)
		}
	}
	switch _, why := calls.answer(&m); why {
	case "":
		th.reply.results = append(th.reply.results, m)
		return
	case uncalledFor: // the call may be there, but further up
		th.notes.warn(m.Line, "a tool result that answers no call of the response before it was kept out of the prompt")
	default:
		th.notes.warn(m.Line, why)
	}
	th.input(m, false)
}

// flush puts the last response, the results of its calls and what came after into the transcript.
func (th *codexThread) flush() {
	r := th.reply
	if r == nil {
		return
	}
	th.reply = nil
	from := th.put(r.message, false)
	th.send(r.call, transcript.Span{From: from, To: from + 1})
	for i := range r.results {
		th.put(r.results[i], false)
	}
	for i := range r.later {
		th.put(r.later[i].message, r.later[i].turn)
	}
}

// put appends a message to the transcript, and to the prompt unless it was not sent.
func (th *codexThread) put(m transcript.Message, turn bool) int {
	i := len(th.t.Messages)
	th.t.Messages = append(th.t.Messages, m)
	if !m.NotSent {
		th.prompt = append(th.prompt, i)
	}
	if turn {
		if th.turns == nil {
			th.turns = map[int]bool{}
		}
		th.turns[i] = true
	}
	return i
}

// close ends the response under way: another turn begins.
func (th *codexThread) close() {
	if th.reply != nil {
		th.reply.closed = true
	}
}

// abort notes that the response under way was cut, if it was.
func (th *codexThread) abort(why string) {
	if r := th.reply; r != nil && !r.counted && !r.closed {
		r.call.Err = why
	}
	th.close()
}

// fail notes that a request failed: the one whose response is under way, or one that had none.
func (th *codexThread) fail(c *transcript.Call) {
	th.alone()
	if r := th.reply; r != nil && !r.counted && !r.closed {
		r.call.Err, r.call.Overflow, r.closed = c.Err, c.Overflow, true
		return
	}
	th.flush()
	if n := len(th.calls); n > 0 && th.calls[n-1].Err == c.Err && th.calls[n-1].At == len(th.t.Messages) {
		return // told twice
	}
	c.Kind, c.Model, c.Version = transcript.Main, th.model, th.version
	if c.Limit.Tokens == 0 {
		c.Limit = th.limit
	}
	th.send(c, transcript.Span{})
}

// limited follows the input limit that the client works with: 95 % of the model's window.
func (th *codexThread) limited(window gjson.Result) {
	if n, ok := tokens(window); ok && n > 0 {
		th.limit = transcript.Limit{Tokens: n, Kind: transcript.Input, From: transcript.FromRecord}
	}
}

// finish completes the transcript.
func (th *codexThread) finish() *transcript.Transcript {
	th.alone()
	th.flush()
	th.reword()
	for _, c := range th.calls {
		th.t.Calls = append(th.t.Calls, *c)
	}
	return th.t
}
