package pipeline

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"perch/formats/transcript"
)

// TestBodies: what the model reads in place of a body does not tell what stood there.
func TestBodies(t *testing.T) {
	result := transcript.Part{Kind: transcript.ToolResult, Tool: "Read", Text: strings.Repeat("first line\n", 30)}
	page := transcript.Part{Kind: transcript.ToolResult, Tool: "browser_snapshot", Subject: "http://call/", Text: snapshotText(20, false)}
	bare := page
	bare.Text = strings.TrimPrefix(bare.Text, "- Page URL: http://site/\n- Page Title: Site\n")
	image := transcript.Part{Kind: transcript.Image, Media: transcript.Media{Mime: "image/png", Width: 640, Height: 480}}
	for _, c := range []struct {
		name string
		part transcript.Part
		form Form
		want string
	}{
		{"marker", result, Form{Marker, 83}, "[Read result cleared, 83 tokens]"},
		{"marker of the recording", result, Form{Kind: Marker}, "[Read result cleared]"},
		{"marker of an unnamed tool", transcript.Part{Kind: transcript.ToolResult, Text: result.Text}, Form{Kind: Marker}, "[tool result cleared]"},
		{"marker longer than the body", transcript.Part{Kind: transcript.ToolResult, Tool: "Read", Text: "ok"}, Form{Marker, 1}, "ok"},
		{"one line", result, Form{OneLine, 80}, "first line [80 tokens cleared]"},
		{"one line is all there is", transcript.Part{Kind: transcript.ToolResult, Text: "done"}, Form{OneLine, 80}, "done"},
		{"head and tail", result, Form{HeadTail, 60}, "first line\nfirst li\n[... middle cut ...]\nst line\nfirst line\n"},
		{"head and tail of less", result, Form{HeadTail, 1000}, result.Text},
		{"actionable page", page, Form{Actionable, 2000}, "- Page URL: http://site/\n- Page Title: Site\n```yaml\n- main [ref=e1]:\n  - button \"Go\" [ref=e3]\n```"},
		{"page stub", page, Form{Stub, 212}, "- Page URL: http://site/\n- Page Title: Site\n[page snapshot removed: Site <http://site/>, 212 tokens]"},
		{"page stub with the call's address", bare, Form{Stub, 212}, "[page snapshot removed <http://call/>, 212 tokens]"},
		{"image stub", image, Form{Stub, 409}, "[image removed: image/png, 640 x 480, 409 tokens]"},
		{"stub of an image without size", transcript.Part{Kind: transcript.Image}, Form{Kind: Stub}, "[image removed]"},
		{"document stub", transcript.Part{Kind: transcript.Document, Media: transcript.Media{Mime: "application/pdf", Pages: 3}}, Form{Stub, 774}, "[document removed: application/pdf, 3 pages, 774 tokens]"},
		{"gone", result, Form{Kind: Gone}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &transcript.Message{Role: transcript.Tool, Parts: []transcript.Part{c.part}}
			if diff := cmp.Diff(c.want, Body(m, 0, c.form)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBodiesSettle: a body that changes from call to call breaks the provider's cache each time.
func TestBodiesSettle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.IntRange(0, 60), func(n int) string { return snapshotText(n, n%2 == 0) }),
			rapid.Map(rapid.SliceOf(rapid.StringMatching(`[a-z é]{0,90}`)), func(lines []string) string { return strings.Join(lines, "\n") }),
		).Draw(t, "text")
		f := Form{rapid.SampledFrom([]FormKind{Actionable, HeadTail, OneLine, Stub, Marker}).Draw(t, "kind"), rapid.IntRange(0, 500).Draw(t, "n")}
		m := &transcript.Message{Role: transcript.Tool, Parts: []transcript.Part{{Kind: transcript.ToolResult, Tool: "Read", Text: text}}}
		once := Body(m, 0, f)
		if len(once) > len(text) {
			t.Fatalf("%v grew %q to %q", f, text, once)
		}
		if utf8.ValidString(text) && !utf8.ValidString(once) {
			t.Fatalf("%v cut through a character: %q", f, once)
		}
		if f.Kind == HeadTail && f.N > len(cutNote) && utf8.RuneCountInString(once) > f.N {
			t.Fatalf("%v left %d characters", f, utf8.RuneCountInString(once))
		}
		m.Parts[0].Text = once
		if again := Body(m, 0, f); again != once {
			t.Fatalf("%v of %q is %q, and of that %q", f, text, once, again)
		}
	})
}

// shrinker scales images down by name only.
type shrinker struct{ err error }

func (s shrinker) Image(m transcript.Media, maxTokens int) (transcript.Media, error) {
	m.Data = "small"
	return m, s.err
}

// TestRender: what is sent is not what was decided.
func TestRender(t *testing.T) {
	p := stateOf(t, "budget H=100000 T=30 G=20", `step prune {"Image": {"KeepLast": 1, "MaxTokensEach": 100}}`, `step microcompact {"KeepLast": 0, "KeepTokens": 0, "MinFreed": 0}`,
		"user 1", "Read 100", "Camera image 300x300", "Camera image 600x600", "say 1", "call")
	msgs, err := p.s.Render(shrinker{})
	if err != nil {
		t.Fatal(err)
	}
	got := []transcript.Part{msgs[2].Parts[0], msgs[4].Parts[0], msgs[6].Parts[0]}
	want := []transcript.Part{
		{Kind: transcript.ToolResult, Tool: "Read", CallID: "call1", Text: "[Read result cleared, 100 tokens]"},
		{Kind: transcript.ToolResult, Tool: "Camera", CallID: "call2", Text: "[image removed: image/png, 300 x 300, 120 tokens]"},
		{Kind: transcript.Image, Tool: "Camera", CallID: "call3", Media: transcript.Media{Mime: "image/png", Width: 600, Height: 600, Data: "small"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := p.s.Render(shrinker{errors.New("no decoder")}); err == nil || !strings.Contains(err.Error(), "message 6: scaling the image of part 0 down to 100 tokens: no decoder") {
		t.Errorf("error %v", err)
	}
	if msgs, _ := p.s.Render(nil); msgs[6].Parts[0].Media.Data != "" {
		t.Errorf("an image changed without a renderer")
	}
}

// denseEnds is a meter that finds the ends of a text three times as dense as its middle.
type denseEnds struct{ CharsMeter }

func (d denseEnds) Part(id PartID, f Form) transcript.Estimated {
	n := d.CharsMeter.Part(id, f)
	if f.Kind == HeadTail {
		return min(3*n, d.CharsMeter.Part(id, Form{}))
	}
	return n
}

// TestFitAsksTheMeter: a cut by length alone leaves a dense text over the limit.
func TestFitAsksTheMeter(t *testing.T) {
	p := stateOf(t, "Read 9000")
	v := View{s: p.s, m: denseEnds{p.m}}
	f := v.fit(part(1), 3000)
	if size := v.SizeAs(part(1), f); size > 3000 || size < 2500 {
		t.Errorf("cut to %v, which costs %d", f, size)
	}
	if f := v.fit(part(1), -5); f.N != minHeadTail {
		t.Errorf("cut to %v, less than is any use", f)
	}
}
