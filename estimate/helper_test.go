package estimate

import (
	"fmt"
	"strings"
	"testing"

	"perch/estimate/models"
	"perch/formats/transcript"
)

// byteTokens counts a token a byte, so that a test can say how large a text is.
type byteTokens struct{}

func (byteTokens) Name() string                       { return "test" }
func (byteTokens) Count(text string) transcript.Local { return transcript.Local(len(text)) }

// testTable knows two families without surprises: every ratio 1, no wrappers, and the models keep, drop (thinking
// leaves at a user turn) and dense (another tokenizer).
func testTable(t testing.TB) *models.Table {
	t.Helper()
	tb, err := models.Read(strings.NewReader(`{
		"families": {
			"plain": {"ratios": {"prose": 1, "code": 1, "json": 1, "numbers": 1, "page": 1, "log": 1, "cjk": 1, "hex": 1, "thinking": 1, "image": 1, "opaque": 1},
				"sd": 0.1, "call": 0, "result": 0, "message": 0, "signature": 0.5, "page_tokens": 100, "thought_tokens": 70, "opaque_tokens": 90},
			"dense": {"ratios": {"prose": 2, "code": 2, "json": 2, "numbers": 2, "page": 2, "log": 2, "cjk": 2, "hex": 2, "thinking": 2, "image": 1, "opaque": 1},
				"sd": 0.1, "page_tokens": 100, "thought_tokens": 70, "opaque_tokens": 90}
		},
		"models": [
			{"match": ["keep*"], "family": "plain", "thinking": "kept", "image": "claude-area", "window": 200000},
			{"match": ["drop*"], "family": "plain", "thinking": "dropped", "image": "claude-area", "window": 200000},
			{"match": ["dense*"], "family": "dense", "thinking": "kept", "image": "claude-area", "window": 200000}
		],
		"overheads": [{"format": "test", "tokens": 2000, "sd": 400}]
	}`), models.Default())
	if err != nil {
		t.Fatal(err)
	}
	return tb
}

// script builds a transcript the way a recording grows.
type script struct {
	t    *transcript.Transcript
	open int // calls of the last reply that have no result yet
}

// newScript starts a run of an agent the test table knows the overhead of.
func newScript() *script {
	return &script{t: &transcript.Transcript{Format: "test", Thread: "main", Version: "1"}}
}

// text is a body of n tokens by byteTokens; its class is prose.
func text(n int) string { return strings.Repeat("word ", n/5+1)[:n] }

// add appends a message and returns its index.
func (s *script) add(role transcript.Role, origin transcript.Origin, parts ...transcript.Part) int {
	s.t.Messages = append(s.t.Messages, transcript.Message{Role: role, Origin: origin, Parts: parts, Line: s.line()})
	return len(s.t.Messages) - 1
}

// line numbers messages and calls in the order they are added.
func (s *script) line() int { return len(s.t.Messages) + len(s.t.Calls) + len(s.t.Changes) + 1 }

// person types a message of n tokens.
func (s *script) person(n int) int {
	return s.add(transcript.User, transcript.Person, transcript.Part{Kind: transcript.Text, Text: text(n)})
}

// injected is a message the client wrote.
func (s *script) injected(n int) int {
	return s.add(transcript.User, transcript.Injected, transcript.Part{Kind: transcript.Text, Text: text(n)})
}

// result answers the next open tool call with n tokens, and with other parts beside them.
func (s *script) result(n int, beside ...transcript.Part) int {
	ps := append([]transcript.Part{{Kind: transcript.ToolResult, Text: text(n)}}, beside...)
	for i := range ps {
		ps[i].CallID = fmt.Sprint("c", s.open)
	}
	s.open--
	return s.add(transcript.Tool, transcript.FromTool, ps...)
}

// toolCall and thought are parts of a reply.
func toolCall(n int) transcript.Part {
	return transcript.Part{Kind: transcript.ToolCall, Text: text(n)}
}

func thought(n int) transcript.Part { return transcript.Part{Kind: transcript.Thinking, Text: text(n)} }

func said(n int) transcript.Part { return transcript.Part{Kind: transcript.Text, Text: text(n)} }

// call sends the prompt to model keep, which is recorded with these counts (0: not recorded), and appends the reply.
func (s *script) call(prompt, output int, reply ...transcript.Part) *transcript.Call {
	at := len(s.t.Messages)
	c := transcript.Call{At: at, Kind: transcript.Main, Model: "keep", Line: s.line()}
	if prompt > 0 {
		c.Usage.Prompt = transcript.Of(prompt)
	}
	if output > 0 {
		c.Usage.Output = transcript.Of(output)
	}
	s.open = 0
	for i := range reply {
		if reply[i].Kind == transcript.ToolCall {
			s.open++
			reply[i].CallID = fmt.Sprint("c", s.open)
		}
	}
	if len(reply) > 0 {
		s.add(transcript.Assistant, transcript.Agent, reply...)
	}
	c.Reply = transcript.Span{From: at, To: len(s.t.Messages)}
	s.t.Calls = append(s.t.Calls, c)
	return &s.t.Calls[len(s.t.Calls)-1]
}

// change adds a recorded change.
func (s *script) change(c transcript.Change) {
	c.At, c.Line = len(s.t.Messages), s.line()
	for _, span := range c.Prompt {
		if span.To > len(s.t.Messages) {
			c.At = min(c.At, span.From)
		}
	}
	s.t.Changes = append(s.t.Changes, c)
}

// compact replaces the prompt by a summary of n tokens.
func (s *script) compact(n int) int {
	m := len(s.t.Messages)
	s.change(transcript.Change{Kind: transcript.Compact, Prompt: []transcript.Span{{From: m, To: m + 1}}})
	return s.add(transcript.User, transcript.Compaction, transcript.Part{Kind: transcript.Summary, Text: text(n)})
}

// study checks the transcript and studies it.
func (s *script) study(t testing.TB) *Study {
	t.Helper()
	if err := transcript.Check(s.t); err != nil {
		t.Fatalf("the test's transcript is not one: %v", err)
	}
	return NewStudy(s.t, Options{Counter: byteTokens{}, Models: testTable(t)})
}

// part names a part.
func part(m, p int) transcript.PartID { return transcript.PartID{Message: m, Part: p} }
