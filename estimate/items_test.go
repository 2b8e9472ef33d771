package estimate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// A user's sizes are wrong by orders of magnitude where media or withheld content are counted as text, or not at all.
func TestItems(t *testing.T) {
	image := func(w, h int) transcript.Part {
		return transcript.Part{Kind: transcript.Image, Media: transcript.Media{Width: w, Height: h, Data: strings.Repeat("iVBO", 10_000)}}
	}
	for _, c := range []struct {
		name  string
		model string
		part  transcript.Part
		want  Item
	}{
		{"text", "keep", said(9), Item{Local: 9, Naive: 3, Class: transcript.Prose}},
		{"tool call", "keep", transcript.Part{Kind: transcript.ToolCall, Text: `{"a":1}`}, Item{Local: 7, Naive: 2, Class: transcript.JSON}},
		{"input the client filled in", "keep", transcript.Part{Kind: transcript.ToolCall, Text: `{"plan":"..."}`, Unsent: true}, Item{Class: transcript.JSON}},
		{"result", "keep", transcript.Part{Kind: transcript.ToolResult, Text: "a b"}, Item{Local: 3, Naive: 1, Class: transcript.Prose}},
		{"picture", "keep", image(1280, 720), Item{Local: 1229, Class: transcript.Picture}},
		{"picture in patches", "claude-opus-5", image(320, 200), Item{Local: 96, Class: transcript.Picture}},
		{"picture of unknown size", "keep", image(0, 0), Item{Local: 1450, Class: transcript.Picture, Approximate: true}},
		{"document", "keep", transcript.Part{Kind: transcript.Document, Media: transcript.Media{Pages: 3}}, Item{Local: 300, Class: transcript.Picture}},
		{"document of unknown length", "keep", transcript.Part{Kind: transcript.Document}, Item{Local: 500, Class: transcript.Picture, Approximate: true}},
		{"document with its text", "keep", transcript.Part{Kind: transcript.Document, Text: "a b"}, Item{Local: 3, Naive: 1, Class: transcript.Prose}},
		{"readable thinking", "keep", thought(40), Item{Local: 40, Naive: 10, Class: transcript.Thought}},
		{"withheld thinking", "keep", transcript.Part{Kind: transcript.Thinking, Opaque: 400}, Item{Local: 200, Class: transcript.Thought, Approximate: true}},
		{"summary of thinking", "keep", transcript.Part{Kind: transcript.Thinking, Text: text(40), Opaque: 400}, Item{Local: 200, Naive: 10, Class: transcript.Thought, Approximate: true}},
		{"encrypted reasoning", "gpt-5.4", transcript.Part{Kind: transcript.Thinking, Opaque: 40_000}, Item{Local: 300, Class: transcript.Thought, Approximate: true}},
		{"encrypted item", "keep", transcript.Part{Kind: transcript.Opaque, Opaque: 40_000}, Item{Local: 90, Class: transcript.Withheld, Approximate: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			s.add(transcript.Assistant, transcript.Agent, said(1), c.part)
			s.call(100, 0).Model = c.model
			items := NewItems(s.t, byteTokens{}, testTable(t))
			if diff := cmp.Diff(c.want, items.Item(part(0, 1))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A user who switches models has each picture sized by the model it was first sent to.
func TestItemsFollowTheModel(t *testing.T) {
	s := newScript()
	picture := transcript.Part{Kind: transcript.Image, Media: transcript.Media{Width: 320, Height: 200}}
	s.add(transcript.User, transcript.Person, picture)
	s.call(100, 0).Model = "claude-opus-4-5"
	s.add(transcript.User, transcript.Person, picture)
	s.call(100, 0).Model = "claude-opus-5"
	s.add(transcript.User, transcript.Person, picture)
	items := NewItems(s.t, byteTokens{}, testTable(t))
	for m, want := range []transcript.Local{86, 96, 96} {
		if got := items.Item(part(m, 0)).Local; got != want {
			t.Errorf("picture %d: %d tokens, want %d", m, got, want)
		}
	}
}

// A user with a long run must see that its count is approximate.
func TestItemsSayApproximate(t *testing.T) {
	counter, err := NewCounter("o200k")
	if err != nil {
		t.Fatal(err)
	}
	items := NewItems(&transcript.Transcript{}, counter, testTable(t))
	if short, long := items.Text("a word"), items.Text(strings.Repeat("a", 3*maxRun)); short.Approximate || !long.Approximate {
		t.Errorf("a word: %+v, a long run: %+v", short, long)
	}
}
