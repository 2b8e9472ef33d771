package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"perch/formats/transcript"
)

// The generators of random transcripts, settings and meters that the invariants are tested on.

// recipe draws the messages of a run, in order, with a mark before every response.
type recipe struct {
	t    *rapid.T
	msgs []transcript.Message
	asks []int // a call is sent before the message at this index
	id   int
}

// transcripts draws a run of any shape that transcript.Check would accept.
func transcripts(t *rapid.T) *recipe {
	r := &recipe{t: t}
	if r.bool("system") {
		r.say(transcript.System, transcript.Injected, "system", 2000)
	}
	for range rapid.IntRange(0, 2).Draw(t, "injected") {
		r.say(transcript.User, transcript.Injected, "instructions", 4000)
	}
	if r.bool("summary") {
		r.add(transcript.User, transcript.Compaction, transcript.Part{Kind: transcript.Summary, Text: r.text("recorded", 4000)})
	}
	for range rapid.IntRange(1, 25).Draw(t, "turns") {
		switch rapid.IntRange(0, 5).Draw(t, "what") {
		case 0:
			r.typed()
		case 1:
			r.say(transcript.User, transcript.Injected, "reminder", 3000)
		default:
			r.response()
		}
	}
	r.asks = append(r.asks, len(r.msgs))
	return r
}

func (r *recipe) bool(what string) bool { return rapid.Bool().Draw(r.t, what) }

// text draws a text of any length up to most characters, with short ones as likely as long ones.
func (r *recipe) text(what string, most int) string {
	r.id++
	n := rapid.SampledFrom([]int{1, 10, 100, most / 10, most}).Draw(r.t, what)
	word := fmt.Sprintf("%s %d says é", what, r.id)
	return strings.Repeat(word+"\n", n/len(word)+1)
}

func (r *recipe) add(role transcript.Role, origin transcript.Origin, parts ...transcript.Part) {
	r.msgs = append(r.msgs, transcript.Message{Role: role, Origin: origin, Parts: parts})
}

func (r *recipe) say(role transcript.Role, origin transcript.Origin, what string, most int) {
	r.add(role, origin, transcript.Part{Kind: transcript.Text, Text: r.text(what, most)})
}

func (r *recipe) typed() {
	parts := []transcript.Part{{Kind: transcript.Text, Text: r.text("typed", 6000)}}
	if r.bool("picture") {
		parts = append(parts, transcript.Part{Kind: transcript.Image, Media: transcript.Media{Mime: "image/png", Width: 1200, Height: 900}})
	}
	r.add(transcript.User, transcript.Person, parts...)
}

// response draws a response, sometimes with thinking and parallel calls, and the results of its calls.
func (r *recipe) response() {
	r.asks = append(r.asks, len(r.msgs))
	var parts []transcript.Part
	if r.bool("thinks") {
		parts = append(parts, transcript.Part{Kind: transcript.Thinking, Text: r.text("thought", 800), Opaque: rapid.IntRange(0, 1).Draw(r.t, "signed") * 400})
	}
	parts = append(parts, transcript.Part{Kind: transcript.Text, Text: r.text("answer", 1500)})
	calls := rapid.SampledFrom([]int{0, 1, 1, 1, 2, 4}).Draw(r.t, "calls")
	first := r.id
	for i := range calls {
		parts = append(parts, transcript.Part{Kind: transcript.ToolCall, Tool: r.tool(), CallID: fmt.Sprint("c", first, "-", i), Text: `{"path":"` + r.text("arg", 600) + `"}`})
	}
	r.add(transcript.Assistant, transcript.Agent, parts...)
	for i := range calls {
		if rapid.IntRange(0, 9).Draw(r.t, "answered") > 0 {
			r.result(fmt.Sprint("c", first, "-", i))
		}
	}
}

func (r *recipe) tool() string {
	return rapid.SampledFrom([]string{"Read", "Bash", "mcp__memory", "browser_snapshot"}).Draw(r.t, "tool")
}

func (r *recipe) result(call string) {
	p := transcript.Part{Kind: transcript.ToolResult, Tool: r.tool(), CallID: call, IsError: rapid.IntRange(0, 7).Draw(r.t, "error") == 0}
	parts := []transcript.Part{p}
	switch rapid.IntRange(0, 4).Draw(r.t, "result") {
	case 0:
		parts[0].Text = r.page()
	case 1:
		parts[0].Text = r.text("shot", 100)
		parts = append(parts, transcript.Part{Kind: transcript.Image, Tool: p.Tool, CallID: call, Media: transcript.Media{Mime: "image/png", Width: rapid.SampledFrom([]int{0, 300, 1600}).Draw(r.t, "width"), Height: 1000}})
	default:
		parts[0].Text = r.text("result", 30000)
	}
	r.add(transcript.Tool, transcript.FromTool, parts...)
}

func (r *recipe) page() string {
	r.id++
	var b strings.Builder
	fmt.Fprintf(&b, "### Page\n- Page URL: http://site/%d\n- Page Title: Page %d\n### Snapshot\n```yaml\n- main [ref=e1]:\n", r.id, r.id)
	for i := range rapid.SampledFrom([]int{1, 5, 60, 400}).Draw(r.t, "lines") {
		fmt.Fprintf(&b, "  - paragraph [ref=p%d]: some words that nobody can act upon\n  - button \"Go %d\" [ref=b%d]\n", i, i, i)
	}
	changed := ""
	if r.bool("incremental") {
		changed = "- <changed> generic [ref=e9]\n"
	}
	return b.String() + changed + "```\nThe end."
}

// amounts draws an amount of every form.
func amounts(t *rapid.T, what string, most float64) Amount {
	n := func() float64 {
		return rapid.OneOf(rapid.Float64Range(0, 1), rapid.Map(rapid.Float64Range(1, most), func(x float64) float64 { return float64(int(x)) })).Draw(t, what)
	}
	switch rapid.IntRange(0, 2).Draw(t, what+" form") {
	case 0:
		return MinOf(n(), n())
	case 1:
		return MaxOf(n(), n())
	}
	return Tokens(n())
}

// pipelines draws the four stages with random settings in the usual order.
func pipelines(t *rapid.T) Pipeline {
	n := func(what string, least, most int) int { return rapid.IntRange(least, most).Draw(t, what) }
	pins := [][]Pin{DefaultPins(), DefaultPins(), {PinSystem}, nil}
	pr := Prune{
		Snapshot: SnapshotRule{KeepFull: n("full", 0, 2), KeepActionable: n("actionable", 0, 3), MaxTokens: n("max", 1, 3000)},
		Image:    ImageRule{KeepLast: n("images", 0, 3), MaxTokensEach: n("each", 0, 1700), UserImages: n("user images", 0, 3)},
		Batch:    Batch{Calls: n("batch", 0, 3), MinFreed: amounts(t, "batch freed", 3000)},
	}
	mc := Microcompact{
		KeepLast: n("keep last", 0, 5), KeepTokens: amounts(t, "keep tokens", 20000), KeepTurns: n("keep turns", 0, 2),
		Boundary: rapid.SampledFrom([]Boundary{BoundaryKeep, BoundaryPrune}).Draw(t, "boundary"),
		MinFreed: amounts(t, "min freed", 5000), MinBody: transcript.Estimated(n("min body", 0, 100)),
		KeepErrors: rapid.Bool().Draw(t, "errors"), Oversized: amounts(t, "oversized", 5000),
		Stop:         rapid.SampledFrom([]Stop{{}, {AtTarget: true}}).Draw(t, "stop"),
		Replace:      rapid.SampledFrom([]Replace{{Kind: Marker}, {Kind: OneLine}, {Kind: HeadTail, Chars: 500}}).Draw(t, "replace"),
		ExcludeTools: rapid.SampledFrom([][]string{nil, {"mcp__*"}}).Draw(t, "exclude"),
	}
	sm := DefaultSummarize()
	sm.Pin = rapid.SampledFrom(pins).Draw(t, "pins")
	sm.Tail = Tail{Tokens: amounts(t, "tail", 20000), Min: amounts(t, "tail min", 3000), Max: amounts(t, "tail max", 20000), Fit: rapid.Bool().Draw(t, "fit")}
	sm.KeepUserText = amounts(t, "user text", 8000)
	sm.Fold = rapid.SampledFrom([]FoldMode{FoldPrevious, FoldAll}).Draw(t, "fold")
	sm.Size = Size{Share: rapid.Float64Range(0, 1).Draw(t, "share"), Min: 10, Max: transcript.Estimated(n("summary", 10, 5000)), Wrapper: 20}
	sm.MustShrink = rapid.Float64Range(0, 0.5).Draw(t, "shrink")
	sm.Rearm = Rearm{Tokens: transcript.Estimated(n("rearm", 0, 3000)), Calls: n("rearm calls", 0, 2)}
	sm.Escalate = n("escalate", 0, 4)
	sm.Reinject = transcript.Estimated(rapid.SampledFrom([]int{0, 0, 300}).Draw(t, "reinject"))
	sm.LoopAtomic = rapid.Bool().Draw(t, "atomic")
	if rapid.Bool().Draw(t, "writes") {
		sm.By = scribe{}
	}
	en := Enforce{Pin: sm.Pin, FloorUnits: n("floor", 1, 3), Margin: 0.05, LoopAtomic: sm.LoopAtomic}
	return Pipeline{Steps: []Step{
		{ID: "prune", Stage: pr, When: When(Always)},
		{ID: "micro", Stage: mc, When: When(OverTrigger)},
		{ID: "summarize", Stage: sm, When: When(OverTrigger)},
		{ID: "enforce", Stage: en, When: When(OverLimit)},
	}}
}

// scribe writes short summaries.
type scribe struct{}

func (scribe) Summarize(_ context.Context, r SummaryRequest) (string, error) {
	return fmt.Sprintf("%d messages, after %q", len(r.Messages), r.Previous), nil
}

// oddMeter prices parts by a ratio of their own and a constant, and the whole prompt above the sum of its parts.
type oddMeter struct {
	CharsMeter
	Ratio float64
	Each  transcript.Estimated
	Slack transcript.Estimated
	known map[Reduction]transcript.Estimated // what CharsMeter said before
}

func (o oddMeter) Part(id PartID, f Form) transcript.Estimated {
	n, ok := o.known[Reduction{id, f}]
	if !ok {
		n = o.CharsMeter.Part(id, f)
		o.known[Reduction{id, f}] = n
	}
	return o.Each + transcript.Estimated(float64(n)*(o.Ratio+0.1*float64((int(id.Message)+id.Part)%5)))
}

func (o oddMeter) Prompt() transcript.Estimated {
	v := View{s: o.State, m: o}
	return o.Hidden + o.Slack + v.spanSize(0, len(o.State.prompt))
}

// world is one random run under random settings, followed call by call.
type world struct {
	t        *rapid.T
	r        *recipe
	p        Pipeline
	b        Budget
	ix       *Index
	s        *State
	m        oddMeter
	appended int
}

func worlds(t *rapid.T) *world {
	w := &world{t: t, r: transcripts(t), p: pipelines(t), ix: NewIndex()}
	h := transcript.Estimated(rapid.SampledFrom([]int{300, 2000, 8000, 20000, 60000}).Draw(t, "H"))
	w.b = Budget{Limit: h, Trigger: h * 8 / 10, Target: h * 6 / 10}
	w.s = NewState(w.ix)
	w.m = oddMeter{
		CharsMeter: CharsMeter{State: w.s, Hidden: transcript.Estimated(rapid.SampledFrom([]int{0, 200, 5000}).Draw(t, "S"))},
		Ratio:      rapid.Float64Range(0.5, 2).Draw(t, "ratio"),
		Each:       transcript.Estimated(rapid.IntRange(0, 8).Draw(t, "each")),
		Slack:      transcript.Estimated(rapid.IntRange(0, 100).Draw(t, "slack")),
		known:      map[Reduction]transcript.Estimated{},
	}
	for i := range w.r.msgs {
		w.ix.Add(&w.r.msgs[i])
	}
	return w
}

// calls appends what was recorded before each call and hands over.
func (w *world) calls(call func()) {
	for _, at := range w.r.asks {
		for ; w.appended < at; w.appended++ {
			w.s.Append(MessageID(w.appended))
		}
		call()
	}
}

// view prepares a call the way Next does.
func (w *world) view() *View {
	w.s.calls++
	return &View{s: w.s, m: w.m, steps: w.p.Steps, budget: w.b, now: w.m.Prompt()}
}

// step runs one step of a call.
func (w *world) step(v *View, i int) Outcome {
	v.step = &v.steps[i]
	o, err := v.run(context.Background())
	if err != nil {
		w.t.Fatalf("step %s: %v", v.step.ID, err)
	}
	return o
}

// next runs a whole call.
func (w *world) next() []Outcome {
	out, err := w.p.Next(context.Background(), w.s, w.b, w.m)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// clone copies a state through its JSON form, and the meter with it.
func (w *world) clone() *world {
	c := *w
	c.s = copyState(w.t, w.s)
	c.m.State = c.s
	return &c
}

func copyState(t rapid.TB, s *State) *State {
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	c := NewState(s.ix)
	if err := json.Unmarshal(b, c); err != nil {
		t.Fatal(err)
	}
	return c
}

// rendered is the prompt as text, a string a message.
func rendered(t rapid.TB, s *State) []string {
	msgs, err := s.Render(nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(msgs))
	for i := range msgs {
		b, err := json.Marshal(msgs[i])
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(b)
	}
	return out
}

// byID is the rendered prompt by message.
func byID(t rapid.TB, s *State) map[MessageID]string {
	texts := rendered(t, s)
	m := make(map[MessageID]string, len(texts))
	for i, id := range s.Prompt() {
		m[id] = texts[i]
	}
	return m
}

func forRandomRuns(t *testing.T, check func(w *world)) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) { check(worlds(rt)) })
}
