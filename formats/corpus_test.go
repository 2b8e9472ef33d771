package formats

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// corpus is the folder of real recordings that lies beside the project, where there is one.
func corpus(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", "corpus")
	if _, err := os.Stat(path); err != nil {
		t.Skip("no real recordings at ../shared/corpus")
	}
	return path
}

// readFolder reads every recording of a folder, by file name.
func readFolder(t *testing.T, f Format, folder string) map[string][]*transcript.Transcript {
	t.Helper()
	dir := filepath.Join(corpus(t), folder)
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]*transcript.Transcript{}
	for _, file := range files {
		for tr, err := range f.Read(os.DirFS(dir), file.Name()) {
			if err != nil {
				t.Errorf("%s: %v", file.Name(), err)
				continue
			}
			if err := transcript.Check(tr); err != nil {
				t.Errorf("%s, thread %s: %v", file.Name(), tr.Thread, err)
			}
			out[file.Name()] = append(out[file.Name()], tr)
		}
	}
	return out
}

// sums are the totals over the distinct calls of a folder, as two public tools count them.
type sums struct{ Calls, WithPrompt, Input, Output, Read, Write int }

// total adds up the calls, the last copy of each.
func total(runs map[string][]*transcript.Transcript, names []string, nested bool) sums {
	last := map[string]*transcript.Call{}
	for _, name := range names {
		for _, tr := range runs[name] {
			if tr.Nested && !nested {
				continue
			}
			for i := range tr.Calls {
				if c := &tr.Calls[i]; c.Err == "" {
					last[c.Key] = c
				}
			}
		}
	}
	var s sums
	for _, c := range last {
		s.Calls++
		if c.Usage.Prompt.N > 0 {
			s.WithPrompt++
		}
		s.Input += int(c.Usage.Uncached())
		s.Output += int(c.Usage.Output.N)
		s.Read += int(c.Usage.CacheRead.N)
		s.Write += int(c.Usage.CacheWrite.N)
	}
	return s
}

// The sums of whole folders agree with other tools to the token; anything else here is a wrong bill.
func TestCorpusClaudeTotals(t *testing.T) {
	for _, tt := range []struct {
		folder string
		nested bool
		want   sums
	}{
		// Three calls of a trimmed recording have no id to count them by, so other tools see three fewer.
		{"claude-code", false, sums{4051 + 3, 4041, 115_292, 556_367, 389_274_143, 16_067_838}},
		{"claude-code", true, sums{4509 + 3, 4499, 171_424, 559_508, 412_160_814, 18_257_178}},
		{"claude-code-2026", false, sums{2395, 2395, 70_613, 1_666_415, 536_532_989, 10_544_263}},
	} {
		runs := readFolder(t, claudeCode(), tt.folder)
		if diff := cmp.Diff(tt.want, total(runs, sortedKeys(runs), tt.nested)); diff != "" {
			t.Errorf("%s, nested %v (-want +got):\n%s", tt.folder, tt.nested, diff)
		}
	}
}

// Each file's calls and peak are those of the list that came with the recordings.
func TestCorpusClaudeFiles(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus(t), "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	type file struct{ Calls, Peak int }
	for _, folder := range []string{"claude-code", "claude-code-2026"} {
		runs := readFolder(t, claudeCode(), folder)
		want, got := map[string]file{}, map[string]file{}
		for _, row := range rows {
			if filepath.Dir(row[1]) != folder {
				continue
			}
			calls, _ := strconv.Atoi(row[8])
			peak, _ := strconv.Atoi(row[9])
			want[filepath.Base(row[1])] = file{calls, peak}
		}
		for name, list := range runs {
			peak := 0
			for _, tr := range list {
				for i := range tr.Calls {
					if !tr.Nested {
						peak = max(peak, int(tr.Calls[i].Usage.Prompt.N))
					}
				}
			}
			got[name] = file{total(runs, []string{name}, false).WithPrompt, peak}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", folder, diff)
		}
	}
}

// changes counts what happened to the prompts of a folder's threads.
type changes struct{ Auto, Manual, Clears, Rewinds, Falls int }

// What the agents did to their context is all found and nothing is invented: a false rewind or a missed compaction
// shows as a fall of the recorded prompt that nothing explains.
func TestCorpusClaudeChanges(t *testing.T) {
	for _, tt := range []struct {
		folder string
		want   changes
	}{
		// Nine of the rewinds are those of files that are no Claude Code sessions of their own: one was cut down to a
		// fixture, one was written by an agent that hangs every response on the first message. The falls are silent
		// clears of 2.0.76 to 2.1.44, thinking that was dropped at a person's message, and two changes of the model.
		{"claude-code", changes{Auto: 19, Manual: 6, Clears: 4, Rewinds: 10, Falls: 18}},
		{"claude-code-2026", changes{Auto: 2, Manual: 1, Falls: 1}},
	} {
		var got changes
		for _, list := range readFolder(t, claudeCode(), tt.folder) {
			for _, tr := range list {
				if !tr.Nested {
					got.count(tr)
				}
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.folder, diff)
		}
	}
}

// count adds the changes of a thread, and the falls of its recorded prompt by more than 2,000 tokens without one.
func (c *changes) count(tr *transcript.Transcript) {
	var last *transcript.Call
	changed := false
	for e := range tr.Walk() {
		switch e.Kind {
		case transcript.Alter:
			changed = true
			switch x := &tr.Changes[e.Index]; {
			case x.Kind == transcript.Clear:
				c.Clears++
			case x.Kind == transcript.Rewind:
				c.Rewinds++
			case x.Trigger == "auto":
				c.Auto++
			case x.Trigger != "":
				c.Manual++
			}
		case transcript.Send:
			call := &tr.Calls[e.Index]
			if call.Usage.Prompt.N == 0 {
				continue
			}
			if last != nil && !changed && call.Usage.Prompt.N < last.Usage.Prompt.N-2000 {
				c.Falls++
			}
			last, changed = call, false
		}
	}
}

// In one recording the chain runs past its compaction; the prompt must still begin at the summary.
func TestCorpusClaudeKeptTail(t *testing.T) {
	for _, list := range readFolder(t, claudeCode(), "claude-code-2026") {
		tr := list[0]
		if len(tr.Changes) == 0 || tr.Changes[0].Trigger != "manual" {
			continue
		}
		for k := range tr.Calls {
			if tr.Calls[k].At < tr.Changes[0].At {
				continue
			}
			before, after := tr.Calls[k-1].Usage.Prompt.N, tr.Calls[k].Usage.Prompt.N
			if before != 296_331 || after != 66_107 {
				t.Errorf("the recorded prompt went from %d to %d, want 296,331 to 66,107", before, after)
			}
			prompt := tr.PromptAt(k)
			if len(prompt) > 20 || tr.Messages[prompt[0]].Parts[0].Kind != transcript.Summary || prompt[1] >= prompt[0] {
				t.Errorf("the prompt after the compaction is %v: not the summary, the kept tail and what came since", prompt)
			}
			return
		}
	}
	t.Error("the recording with the manual compaction is not there")
}

// What the corpus holds survives the way to the canonical form and back.
func TestCorpusCanonical(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, list := range readFolder(t, claudeCode(), "claude-code-2026") {
		roundTrip(t, list)
	}
	for _, list := range readFolder(t, claudeCode(), "claude-code") {
		roundTrip(t, list)
	}
}

// BenchmarkReadClaude reads the large folder of real sessions.
func BenchmarkReadClaude(b *testing.B) {
	dir := filepath.Join("..", "..", "shared", "corpus", "claude-code")
	files, err := os.ReadDir(dir)
	if err != nil {
		b.Skip("no real recordings at ../shared/corpus")
	}
	var bytes int64
	for _, f := range files {
		if info, err := f.Info(); err == nil {
			bytes += info.Size()
		}
	}
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			for _, err := range claudeCode().Read(os.DirFS(dir), f.Name()) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
