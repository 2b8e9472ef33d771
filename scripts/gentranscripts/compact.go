package main

import (
	"slices"
	"time"

	"perch/formats/transcript"
)

// What Claude Code 2.1.22 does, in its own tokens (four characters each), as read off recorded runs.
const (
	autoCompactAt    = 167_000 // 200,000 less 20,000 for the summary and 13,000 of margin
	microcompactAt   = 147_000
	microcompactKeep = 40_000 // newest results that stay whole
	markerTokens     = 14
)

// compact records a compaction without a kept tail: everything is replaced by the summary, and the client attaches
// files and reminders again that no record shows.
func (s *session) compact(trigger, summary string, hidden int) {
	s.wait(50 * time.Second)
	before := s.known()
	last := s.parent
	edge := s.emitAfter("", record{
		LogicalParent: last, Type: "system", Subtype: "compact_boundary", Content: "Conversation compacted", Level: "info",
		Compact: &boundary{Trigger: trigger, PreTokens: before},
	})
	s.emitAfter(edge, record{
		Type: "user", TranscriptOnly: true, IsSummary: true, Message: &message{Role: "user", Content: summary},
	})
	s.forget()
	s.charge(messageTokens+s.meter.text(transcript.Prose, summary), summary)
	s.hide(hidden)
}

// compactKeeping records a compaction by a newer client, which keeps the last answer word for word. The kept records
// stand before the boundary; what comes next hangs off the last of them.
func (s *session) compactKeeping(trigger, summary, kept string, hidden int) {
	before, tail := s.known(), s.parent
	s.wait(40 * time.Second)
	keptTokens := s.prompt[len(s.prompt)-1]
	tokens := messageTokens + s.meter.text(transcript.Prose, summary)
	after := tokens + keptTokens.tokens + hidden
	s.dropped += before - after

	// The boundary names the summary, which is written behind it.
	anchor := s.ids.uuid()
	edge := s.emitAfter("", record{
		LogicalParent: tail, Type: "system", Subtype: "compact_boundary", Content: "Conversation compacted", Level: "info",
		Compact: &boundary{
			Trigger: trigger, PreTokens: before, DurationMs: 40_000, PostTokens: after, Dropped: s.dropped,
			Segment:  &segment{Head: kept, Anchor: anchor, Tail: tail},
			Messages: &preserved{Anchor: anchor, UUIDs: []string{kept, tail}, All: []string{kept, s.ids.uuid(), tail}},
		},
	})
	s.emitAfter(edge, record{
		UUID: anchor, Type: "user", TranscriptOnly: true, IsSummary: true, Message: &message{Role: "user", Content: summary},
	})
	s.forget()
	s.charge(tokens, summary)
	s.prompt = append(s.prompt, keptTokens)
	s.hide(hidden)
	s.parent = tail
}

// forget empties the prompt and the cache of it.
func (s *session) forget() {
	s.prompt = nil
	s.cached = min(s.cached, s.system)
	s.last, s.tail = 0, 0
}

// microcompact clears the bodies of all results behind the newest ones.
func (s *session) microcompact() {
	kept, saved, clearable, first := 0, 0, 0, 0
	var ids []string
	for i, c := range slices.Backward(s.prompt) {
		if c.result == "" {
			continue
		}
		clearable += c.chars / 4
		if kept += c.chars / 4; kept > microcompactKeep {
			saved += c.chars / 4
			ids = append(ids, c.result)
			s.prompt[i] = charge{tokens: markerTokens, result: c.result}
			first = i
		}
	}
	slices.Reverse(ids)
	front := s.overhead
	for _, c := range s.prompt[:first] {
		front += c.tokens
	}
	s.cached = min(s.cached, front)
	s.emit(record{
		Type: "system", Subtype: "microcompact_boundary", Content: "Context microcompacted", Level: "info",
		Microcompact: &cleared{Trigger: "auto", PreTokens: clearable, Saved: saved, Tools: ids, Attachments: []string{}},
	})
}
