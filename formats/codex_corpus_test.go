package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// manifest lists what the list that came with the recordings says of the files of a folder: the calls with usage, the
// largest prompt, the compactions and the images.
func manifest(t *testing.T, folder string) map[string][4]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus(t), "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][4]string{}
	for line := range strings.Lines(string(data)) {
		row := strings.Split(line, "\t")
		if name, ok := strings.CutPrefix(row[1], folder+"/"); ok {
			out[name] = [4]string(row[8:12])
		}
	}
	return out
}

// counted is what a transcript says of the same.
func counted(tr *transcript.Transcript) [4]string {
	var calls, peak, compactions, images int
	for i := range tr.Calls {
		if u := tr.Calls[i].Usage; u.Prompt.Known() {
			calls++
			peak = max(peak, int(u.Prompt.N))
		}
	}
	for i := range tr.Changes {
		if tr.Changes[i].Kind == transcript.Compact {
			compactions++
		}
	}
	for i := range tr.Messages {
		for j := range tr.Messages[i].Parts {
			if tr.Messages[i].Parts[j].Kind == transcript.Image {
				images++
			}
		}
	}
	return [4]string{fmt.Sprint(calls), fmt.Sprint(peak), fmt.Sprint(compactions), fmt.Sprint(images)}
}

// codexSums are totals in which the input holds what was cached, and the output the reasoning.
type codexSums struct{ Calls, Input, Cached, Output, Reasoning int }

// Calls, tokens and compactions of real sessions agree with counts made outside this project, to the token.
func TestCorpusCodex(t *testing.T) {
	for _, tt := range []struct {
		folder    string
		all, once codexSums // every copy of a call, and each call once
	}{
		{"codex", codexSums{2048, 219_878_140, 207_619_200, 818_933, 258_409}, codexSums{1746, 185_987_341, 175_715_712, 696_118, 223_910}},
		{"codex-2026", codexSums{1693, 206_110_665, 196_846_336, 488_807, 153_879}, codexSums{1590, 192_071_511, 183_738_880, 446_109, 144_824}},
	} {
		t.Run(tt.folder, func(t *testing.T) {
			runs, want := readFolder(t, codex(), tt.folder), manifest(t, tt.folder)
			var all, once codexSums
			seen := map[string]bool{}
			for _, name := range sortedKeys(runs) {
				tr := runs[name][0]
				if len(runs[name]) != 1 || tr.Damaged > 0 || len(tr.Unknown) > 0 {
					t.Errorf("%s: %d threads, %d damaged, unknown %v", name, len(runs[name]), tr.Damaged, tr.Unknown)
				}
				roundTrip(t, runs[name])
				compactedPrompts(t, name, tr)
				if got := counted(tr); got != want[name] {
					t.Errorf("%s: %v, want %v", name, got, want[name])
				}
				for i := range tr.Calls {
					c := &tr.Calls[i]
					if !c.Usage.Prompt.Known() {
						continue
					}
					if all.add(c); !seen[c.Key] {
						once.add(c)
					}
					seen[c.Key] = true
				}
			}
			if len(runs) != len(want) {
				t.Errorf("%d files were read, want %d", len(runs), len(want))
			}
			if diff := cmp.Diff(tt.all, all); diff != "" {
				t.Errorf("all copies (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.once, once); diff != "" {
				t.Errorf("each call once (-want +got):\n%s", diff)
			}
		})
	}
}

// add adds a call.
func (s *codexSums) add(c *transcript.Call) {
	s.Calls++
	s.Input += int(c.Usage.Prompt.N)
	s.Cached += int(c.Usage.CacheRead.N)
	s.Output += int(c.Usage.Output.N)
	s.Reasoning += int(c.Usage.Reasoning.N)
}

// compactedPrompts checks that every compaction stands between a large prompt and a small one.
func compactedPrompts(t *testing.T, name string, tr *transcript.Transcript) {
	t.Helper()
	for i := range tr.Changes {
		x := &tr.Changes[i]
		last, next := 0, 0
		for j := range tr.Calls {
			switch c := &tr.Calls[j]; {
			case !c.Usage.Prompt.Known():
			case c.At < x.At:
				last = int(c.Usage.Prompt.N)
			case next == 0:
				next = int(c.Usage.Prompt.N)
			}
		}
		if last == 0 || next == 0 || next*4 > last || !x.After.Known() || x.Trigger == "" {
			t.Errorf("%s:%d: prompts %d and %d around a compaction that left %v, by %q", name, x.Line, last, next, x.After, x.Trigger)
		}
		t.Logf("%.24s:%d %s: %d -> %d; the client's estimate was %d", name, x.Line, x.Trigger, last, next, x.After.N)
	}
}

// A stream states at its end what its calls cost together. Output is left out: messages hold its value from the start
// of the response.
func TestCorpusClaudeStream(t *testing.T) {
	runs, want := readFolder(t, claudeStream(), "claude-stream"), manifest(t, "claude-stream")
	if len(runs) == 0 || len(runs) != len(want) {
		t.Errorf("%d files were read, want %d", len(runs), len(want))
	}
	for _, name := range sortedKeys(runs) {
		roundTrip(t, runs[name])
		tr := runs[name][0]
		if got := counted(tr); got != want[name] {
			t.Errorf("%s: %v, want %v", name, got, want[name])
		}
		var uncached, read, written int
		for i := range tr.Calls {
			u := tr.Calls[i].Usage
			uncached, read, written = uncached+int(u.Uncached()), read+int(u.CacheRead.N), written+int(u.CacheWrite.N)
			if tr.Calls[i].Limit.Tokens != 200_000 {
				t.Errorf("%s: call %d has the limit %+v", name, i, tr.Calls[i].Limit)
			}
		}
		data, err := os.ReadFile(filepath.Join(corpus(t), "claude-stream", name))
		if err != nil {
			t.Fatal(err)
		}
		_, result, _ := strings.Cut(string(data), `{"type":"result"`)
		if total := fmt.Sprintf(`"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,`, uncached, written, read); !strings.Contains(result, total) {
			t.Errorf("%s: its result does not state %s", name, total)
		}
	}
}
