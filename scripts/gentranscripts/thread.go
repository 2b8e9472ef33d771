package main

import (
	"time"

	"perch/formats/transcript"
)

// thread builds a transcript directly, for recordings in perch's own format. Like a [session] it keeps the true size
// of the prompt and records usage that follows from it.
type thread struct {
	t     *transcript.Transcript
	text  source
	ids   source
	meter meter
	now   time.Time

	metered bool // the provider's counts were recorded
	size    int  // true size of the prompt
	cached  int
	sizes   []int // of each message
}

// newThread starts a transcript.
func newThread(seed uint64, t transcript.Transcript, overhead int) *thread {
	return &thread{
		t: &t, text: newSource(seed, 1), ids: newSource(seed, 2), meter: meter{newSource(seed, 3)},
		now: time.Date(2026, 4, 7, 9, 0, 0, 0, time.UTC), size: overhead,
	}
}

// add puts a message of some size at the end of the prompt.
func (h *thread) add(m transcript.Message, tokens int) {
	h.now = h.now.Add(time.Duration(h.text.between(200, 4000)) * time.Millisecond)
	m.Time = h.now
	h.t.Messages = append(h.t.Messages, m)
	h.sizes = append(h.sizes, tokens)
	h.size += tokens
}

// say adds what a person typed.
func (h *thread) say(text string) {
	part := transcript.Part{Kind: transcript.Text, Text: text}
	h.add(transcript.Message{Role: transcript.User, Origin: transcript.Person, Parts: []transcript.Part{part}}, messageTokens+h.meter.text(transcript.Prose, text))
}

// step adds one call of the model: its response and the results of the tools it called.
func (h *thread) step(model string, limit transcript.Limit, say string, calls ...call) {
	at := len(h.t.Messages)
	c := transcript.Call{
		At: at, Reply: transcript.Span{From: at, To: at + 1}, Key: h.ids.id("resp_"), Kind: transcript.Main, Model: model, Limit: limit,
		Stopped: true, Time: h.now,
	}
	prompt := h.size
	reply, output := h.reply(say, calls)
	if h.metered {
		c.Usage = transcript.Usage{
			Prompt: transcript.Of(prompt), CacheRead: transcript.Of(min(h.cached, prompt)), CacheWrite: transcript.Of(0), Output: transcript.Of(output),
		}
		h.cached = prompt &^ 127 // a provider that caches by itself, in blocks of 128
	}
	h.add(reply, output)
	h.t.Calls = append(h.t.Calls, c)
	for i, o := range calls {
		h.result(reply.Parts[len(reply.Parts)-len(calls)+i].CallID, o)
	}
}

// reply returns the response and its size.
func (h *thread) reply(say string, calls []call) (transcript.Message, int) {
	m := transcript.Message{Role: transcript.Assistant, Origin: transcript.Agent}
	tokens := messageTokens
	if say != "" {
		m.Parts = append(m.Parts, transcript.Part{Kind: transcript.Text, Text: say})
		tokens += h.meter.text(transcript.Prose, say)
	}
	for _, c := range calls {
		in := string(marshal(c.input))
		subject, effect := about(c)
		m.Parts = append(m.Parts, transcript.Part{
			Kind: transcript.ToolCall, Text: in, Tool: c.tool, CallID: h.ids.id("call_"), Subject: subject, Effect: effect,
		})
		tokens += h.meter.text(inputClass(c), in)
	}
	return m, tokens
}

// result adds a tool's result.
func (h *thread) result(id string, c call) {
	subject, effect := about(c)
	parts := []transcript.Part{{
		Kind: transcript.ToolResult, Text: c.result, Tool: c.tool, CallID: id, Subject: subject, Effect: effect, IsError: c.failed,
	}}
	tokens := resultTokens + h.meter.text(c.class, c.result)
	if c.image != nil {
		png := c.image.png()
		parts = append(parts, transcript.Part{
			Kind: transcript.Image, Tool: c.tool, CallID: id,
			Media: transcript.Media{Mime: "image/png", Width: c.image.width, Height: c.image.height, Bytes: len(png), Data: c.image.base64()},
		})
		tokens += h.meter.image(*c.image)
	}
	h.add(transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: parts}, tokens)
}

// about says what a call is about and what it does to it.
func about(c call) (string, transcript.Effect) {
	switch in := c.input.(type) {
	case pathInput:
		return in.Path, transcript.Reads
	case editInput:
		return in.Path, transcript.Writes
	case writeInput:
		return in.Path, transcript.Writes
	case bashInput:
		return in.Command, transcript.Runs
	case grepInput:
		return in.Pattern, transcript.Searches
	case gotoInput:
		return in.URL, transcript.Browses
	}
	return "", ""
}

// clear records that the agent took the bodies of its results out of the prompt, those of the newest keep excepted.
func (h *thread) clear(keep int) {
	change := transcript.Change{At: len(h.t.Messages), Kind: transcript.Clear, Trigger: "auto"}
	var results []int
	for i := range h.t.Messages {
		if h.t.Messages[i].Role == transcript.Tool {
			results = append(results, i)
		}
	}
	for _, i := range results[:len(results)-keep] {
		change.Reduce = append(change.Reduce, transcript.PartID{Message: i})
		h.size -= h.sizes[i] - markerTokens
		h.sizes[i] = markerTokens
	}
	h.cached = 0
	h.t.Changes = append(h.t.Changes, change)
}

// compact records that the agent replaced everything before its last unit by a summary.
func (h *thread) compact(summary string) {
	at := len(h.t.Messages)
	from := at - 1
	for h.t.Messages[from].Role == transcript.Tool {
		from--
	}
	gone := 0
	for _, n := range h.sizes[:from] {
		gone += n
	}
	before := h.size
	part := transcript.Part{Kind: transcript.Summary, Text: summary}
	h.add(transcript.Message{Role: transcript.User, Origin: transcript.Compaction, Parts: []transcript.Part{part}}, messageTokens+h.meter.text(transcript.Prose, summary))
	h.size -= gone
	h.cached = 0
	h.t.Changes = append(h.t.Changes, transcript.Change{
		At: at, Kind: transcript.Compact, Trigger: "auto", Prompt: []transcript.Span{{From: at, To: at + 1}, {From: from, To: at}},
		Before: transcript.Count{N: transcript.Recorded(before), From: transcript.Client},
	})
}
