package formats_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perch/estimate"
	"perch/formats"
	"perch/formats/transcript"
)

// codexSessions reads the real Codex sessions that lie beside the project.
func codexSessions(t *testing.T) []*transcript.Transcript {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no real recordings at ../shared/corpus")
	}
	f, ok := formats.Lookup("codex")
	if !ok {
		t.Fatal("no format has the name codex")
	}
	files, err := filepath.Glob(filepath.Join(dir, "codex*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*transcript.Transcript
	for _, file := range files {
		for tr, err := range f.Read(os.DirFS(filepath.Dir(file)), filepath.Base(file)) {
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			out = append(out, tr)
		}
	}
	return out
}

// Within a turn the next prompt is the last one, its output, and the new results by the real tokenizer with a few
// tokens around each. That it comes out shows that every item was given to the right prompt, in all three orders:
// with an item in the wrong one it is off by the item.
func TestCorpusCodexPrediction(t *testing.T) {
	counter, err := estimate.NewCounter("o200k")
	if err != nil {
		t.Fatal(err)
	}
	order := func(tr *transcript.Transcript) string {
		_, rest, _ := strings.Cut(tr.Version, ".")
		minor, _, _ := strings.Cut(rest, ".")
		switch n, _ := strconv.Atoi(minor); {
		case n < 64:
			return "A"
		case n < 130:
			return "B"
		}
		return "C"
	}
	wrapper := map[string]int{"A": 7, "B": 11, "C": 11} // tokens around a result
	off := map[string][]float64{}
	for _, tr := range codexSessions(t) {
		o := order(tr)
		for _, s := range cleanSteps(tr, o == "A") {
			predicted := s.output
			for _, text := range s.results {
				predicted += int(counter.Count(text)) + wrapper[o]
			}
			off[o] = append(off[o], max(float64(predicted-s.delta), float64(s.delta-predicted))/float64(s.delta))
		}
	}
	for _, o := range []string{"A", "B", "C"} {
		slices.Sort(off[o])
		n := len(off[o])
		if n < 100 {
			t.Errorf("order %s: %d clean steps", o, n)
			continue
		}
		median := off[o][n/2]
		t.Logf("order %s: %d clean steps, off by %.2f %% at the median, %.2f %% at the 90th percentile", o, n, 100*median, 100*off[o][n*9/10])
		if median > 0.01 {
			t.Errorf("order %s: the next prompt is off by %.2f %% of its growth at the median, want at most 1 %%", o, 100*median)
		}
	}
}

// cleanStep is what came between two counted calls.
type cleanStep struct {
	delta, output int
	results       []string
}

// cleanSteps lists the steps of a run in which nothing but a response and results of text came between two counts.
// Order A leaves out responses with reasoning: its versions recorded reasoning in multiples of 64, rounded down.
func cleanSteps(tr *transcript.Transcript, noReasoning bool) []cleanStep {
	var out []cleanStep
	var last *transcript.Call // nil: not clean
	var results []string
	for e := range tr.Walk() {
		switch e.Kind {
		case transcript.Alter:
			last = nil
		case transcript.Append:
			m := &tr.Messages[e.Index]
			if last == nil || m.Role == transcript.Assistant && last.Reply.From == e.Index && !(noReasoning && m.Parts[0].Kind == transcript.Thinking) {
				continue
			}
			if m.Role != transcript.Tool {
				last = nil
				continue
			}
			text := ""
			for i := range m.Parts {
				text += m.Parts[i].Text
				if m.Parts[i].Kind != transcript.ToolResult {
					last = nil
					break
				}
			}
			results = append(results, text)
		case transcript.Send:
			c := &tr.Calls[e.Index]
			if last != nil && len(results) > 0 && c.Usage.Prompt.N > last.Usage.Prompt.N && !c.Hosted && c.Model == last.Model {
				out = append(out, cleanStep{int(c.Usage.Prompt.N - last.Usage.Prompt.N), int(last.Usage.Output.N), results})
			}
			if last, results = c, nil; !c.Usage.Prompt.Known() || c.Hosted {
				last = nil
			}
		}
	}
	return out
}
