package formats

import (
	"slices"

	"perch/formats/transcript"
)

// folder makes threads of a log of requests, each of which repeats the history of the one before it:
//
//   - A request that holds all of a thread's messages goes on with it.
//   - One that shares a response with a thread belongs to it too: it went back (a rewind), cleared results, or had
//     turns replaced (a compaction), whichever explains its history.
//   - One that begins with the summary of a whole history goes on with the last thread of the same system prompt; the
//     request that asked for the summary is a call of the compaction.
//   - Any other request begins a thread: two that share no response may be two runs of one task.
//   - A thread of a single request with another system prompt than the main one, or with an answer that may not be
//     long, is a side call of the main thread: a title, a topic, a count of tokens.
//
// The main thread is the one with the most requests. fold_mark.go says when two messages are the same, fold_thread.go
// and fold_edit.go what a request does to its thread, fold_side.go what becomes of the threads in the end.
type folder struct {
	format    string
	notes     *notes
	threads   []*foldThread
	beside    []transcript.Call      // requests that have no thread at all
	paths     map[mark][]*foldThread // the last threads that went along a path, at most sharers
	responses map[mark]*foldThread   // the last thread that a response stood in
}

// sharers is how many threads with the same beginning are told apart: a question, and titles and topics found for it.
const sharers = 4

// exchange is one entry of a log: a request with its whole history, and its answer.
type exchange struct {
	line    int
	name    string               // of its place in the log
	id      string               // of the session, where one is recorded
	agent   string               // the client
	model   string               // of a conversation
	head    []transcript.Message // the system prompt and the schemas of the tools
	history []transcript.Message // in canonical order
	reply   *transcript.Message  // nil where it is not recorded
	call    *transcript.Call     // nil for a conversation that is no request
	brief   bool                 // the answer may not be long enough for work
	resumes bool                 // the history begins with a summary that replaced all of another
	sums    bool                 // the request asks for such a summary

	marks, paths []mark                       // of the history
	unsent       map[int][]transcript.Message // what cannot have been sent, by the message behind it
}

// sort takes out of the history what cannot have been sent.
func (x *exchange) sort() {
	var sent []transcript.Message
	x.unsent = map[int][]transcript.Message{}
	for _, m := range x.history {
		if m.NotSent {
			x.unsent[len(sent)] = append(x.unsent[len(sent)], m)
			continue
		}
		sent = append(sent, m)
	}
	x.history = sent
}

// add folds an exchange into the thread it belongs to.
func (f *folder) add(x *exchange) {
	x.sort()
	x.marks, x.paths = marksOf(x.history)
	th := f.find(x)
	if th != nil && x.sums {
		th.sum(x)
		return
	}
	if th == nil {
		th = f.begin(x)
	}
	f.settleHead(th, x)
	th.extend(x, th.turn(x))
	f.index(th)
}

// begin starts a thread.
func (f *folder) begin(x *exchange) *foldThread {
	th := &foldThread{
		t:    &transcript.Transcript{Format: f.format, ID: x.id, Agent: x.agent},
		name: x.name, brief: x.brief, logged: x.call != nil, known: map[mark]int{}, kept: map[mark]bool{},
	}
	if x.call != nil {
		th.t.Version = x.call.Version
	}
	th.setHead(x)
	f.threads = append(f.threads, th)
	return th
}

// index makes a thread known by the paths it went and the responses it holds, as far as they are new.
func (f *folder) index(th *foldThread) {
	if f.paths == nil {
		f.paths, f.responses = map[mark][]*foldThread{}, map[mark]*foldThread{}
	}
	for i := len(th.paths) - 1; i >= 0; i-- {
		list := f.paths[th.paths[i]]
		if slices.Contains(list, th) {
			return
		}
		f.paths[th.paths[i]] = append(list[max(0, len(list)-sharers+1):], th)
		if th.isResponse(i) {
			f.responses[th.marks[i]] = th
		}
	}
}

// find looks for the thread that an exchange belongs to: the one that went along with it the longest, or else the one
// that its newest known response stood in, or else the one that was summed up.
func (f *folder) find(x *exchange) *foldThread {
	for _, p := range slices.Backward(x.paths) {
		list := f.paths[p]
		for _, th := range slices.Backward(list) {
			if f.follows(x, th) {
				return th
			}
		}
		if len(list) > 0 {
			break
		}
	}
	if x.call == nil {
		return nil
	}
	for i := len(x.marks) - 1; i >= 0; i-- {
		if x.history[i].Role != transcript.Assistant {
			continue
		}
		if th := f.responses[x.marks[i]]; th != nil && f.room(th, x) {
			return th
		}
	}
	if !x.resumes {
		return nil
	}
	for _, th := range slices.Backward(f.threads) {
		if th.sameHead(x) && f.room(th, x) {
			return th
		}
	}
	return nil
}

// follows reports whether an exchange goes on with a thread, or with an earlier point of it.
func (f *folder) follows(x *exchange, th *foldThread) bool {
	common, shares := th.common(x), false
	for i := range th.deep(x) {
		shares = shares || x.history[i].Role == transcript.Assistant
	}
	switch {
	case common == len(th.paths) && common > 0 && (shares || th.sameHead(x)):
		return true
	case x.call == nil: // a conversation that differs is another one
		return false
	case shares:
		return f.room(th, x)
	}
	// The client may have worded the only response anew.
	return th.replied && common == len(th.paths)-1 && common < len(x.history) && x.history[common].Role == transcript.Assistant && th.sameHead(x)
}

// room reports whether a thread may change once more.
func (f *folder) room(th *foldThread, x *exchange) bool {
	if th.spans <= maxSpans {
		return true
	}
	f.notes.once(x.line, "a thread changes more often than can be followed; it is read as a new one from here on")
	return false
}
