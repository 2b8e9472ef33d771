package main

import (
	"time"

	"perch/formats/transcript"
)

// reply is one response of the model.
type reply struct {
	think int    // tokens of thinking, 0 for none
	say   string // text, "" for none
	calls []call
}

// open is a tool call that has no result yet.
type open struct {
	call
	id   string
	line string // the record of the call
	tip  string // the last record that hangs off it
}

// step is the common case: a response, and the results of its calls.
func (s *session) step(think int, say string, calls ...call) {
	for _, o := range s.respond(reply{think, say, calls}) {
		s.answer(o)
	}
}

// respond records one response: a record for each content block, all with the same ids and the same usage. The next
// record hangs off the last block.
func (s *session) respond(r reply) []*open {
	s.wait(time.Duration(s.text.between(1500, 14_000)) * time.Millisecond)
	prompt := s.size()
	blocks, opened, output := s.blocks(r)

	fresh := s.text.between(1, 6) // behind the last mark of the cache
	s.cached = min(s.cached, prompt-fresh)
	u := usage{Input: fresh, CacheRead: s.cached, CacheCreation: prompt - fresh - s.cached, Tier: "standard"}
	u.Creation = &lifetime{FiveMinutes: u.CacheCreation}
	m := message{Model: s.model, ID: s.ids.id("msg_01"), Type: "message", Role: "assistant"}
	request := s.ids.id("req_01")
	calls := 0
	for i, b := range blocks {
		m, u := m, u
		m.Content, m.Usage = []block{b}, &u
		u.Output, m.StopReason = s.recordedOutput(output, i == len(blocks)-1, len(opened) > 0)
		s.wait(time.Duration(s.text.between(150, 2500)) * time.Millisecond)
		line := s.emit(record{Type: "assistant", Message: &m, RequestID: request})
		if b.Type == "tool_use" {
			opened[calls].line, opened[calls].tip = line, line
			calls++
		}
	}
	s.cached = prompt - fresh
	s.last, s.tail = prompt+output, 0
	return opened
}

// blocks returns a reply's content blocks, its open calls, and its true size, and charges it to the prompt.
func (s *session) blocks(r reply) (blocks []block, opened []*open, output int) {
	add := func(tokens int, text string) {
		output += tokens
		s.charge(tokens, text)
	}
	if r.think > 0 {
		text := s.text.prose(r.think / 2)
		blocks = append(blocks, block{Type: "thinking", Thinking: &text, Signature: s.ids.base64(signature(r.think))})
		add(r.think, text)
		s.prompt[len(s.prompt)-1].think = true
	}
	if r.say != "" {
		blocks = append(blocks, block{Type: "text", Text: r.say})
		add(messageTokens+s.meter.text(transcript.Prose, r.say), r.say)
	}
	for _, c := range r.calls {
		o := &open{call: c, id: s.ids.id("toolu_01")}
		blocks = append(blocks, block{Type: "tool_use", ID: o.id, Name: c.tool, Input: c.input})
		opened = append(opened, o)
		in := string(marshal(c.input))
		add(callTokens+s.meter.text(inputClass(c), in), in)
	}
	return blocks, opened, output
}

// inputClass is what the input of a call is made of, for the most part.
func inputClass(c call) transcript.Class {
	if c.tool == "Task" {
		return transcript.Prose
	}
	return transcript.Code
}

// recordedOutput is the output count and the stop reason of one block's record. Older clients write the record when
// the block starts: the count is a placeholder and no reason is known yet.
func (s *session) recordedOutput(output int, last, calls bool) (int, *string) {
	if !s.final {
		return s.text.between(1, 8), nil
	}
	reason := "end_turn"
	if calls {
		reason = "tool_use"
	}
	if !last {
		return min(output, s.text.between(1, 40)), nil
	}
	return output, &reason
}

// answer records the result of a call, behind its own call and not behind the last record.
func (s *session) answer(o *open) {
	s.wait(time.Duration(s.text.between(40, 6000)) * time.Millisecond)
	if o.tool == "Bash" && len(o.result) > 2000 {
		s.progress(o)
	}
	content := any(o.result)
	if o.list || o.image != nil {
		list := []block{{Type: "text", Text: o.result}}
		if o.image != nil {
			list = append(list, block{Type: "image", Source: &media{Type: "base64", Mime: "image/png", Data: o.image.base64()}})
		}
		content = list
	}
	result := block{Type: "tool_result", ToolUseID: o.id, Content: content, IsError: o.failed}
	s.emitAfter(o.tip, record{
		Type: "user", Message: &message{Role: "user", Content: []block{result}}, ToolUseResult: o.ui, SourceUUID: o.line,
	})
	tokens := resultTokens + s.meter.text(o.class, o.result)
	if o.image != nil {
		tokens += s.meter.image(*o.image)
	}
	s.charge(tokens, o.result)
	s.prompt[len(s.prompt)-1].result = o.id
}

// progress records that a command is still running.
func (s *session) progress(o *open) {
	type bashProgress struct {
		Type    string `json:"type"`
		Output  string `json:"output"`
		Elapsed int    `json:"elapsedTimeSeconds"`
		Lines   int    `json:"totalLines"`
	}
	o.tip = s.emitAfter(o.tip, record{
		Type: "progress", ToolUseID: "bash-progress-0", ParentToolUse: o.id,
		Data: bashProgress{Type: "bash_progress", Output: brief(o.result), Elapsed: s.text.between(2, 30), Lines: 1},
	})
}

// refuse records that the provider answered with an error instead of a response.
func (s *session) refuse(class, text string) {
	stop := "stop_sequence"
	s.wait(900 * time.Millisecond)
	s.emit(record{
		Type: "assistant", Error: class, IsAPIError: true,
		Message: &message{
			Model: "<synthetic>", ID: s.ids.uuid(), Type: "message", Role: "assistant", StopReason: &stop, Usage: &usage{},
			Content: []block{{Type: "text", Text: text}},
		},
	})
}
