package formats

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// Calls, peaks and compactions of real recordings agree with the list that came with them, and nothing of them is
// lost on the way to the canonical form and back.
func TestCorpusLogs(t *testing.T) {
	for _, tt := range []struct {
		folder      string
		f           Format
		compactions int
	}{
		{"pi", pi(), 2}, {"pi-2026", pi(), 1}, {"openclaw", pi(), 0}, {"mini-swe-agent", miniSWE(), 0}, {"openai-chat", openAIChat(), 0},
	} {
		t.Run(tt.folder, func(t *testing.T) {
			want, got, compactions := map[string][2]string{}, map[string][2]string{}, 0
			for name, row := range manifest(t, tt.folder) {
				want[name] = [2]string(row[:2])
			}
			for name, list := range readFolder(t, tt.f, tt.folder) {
				roundTrip(t, list)
				for _, tr := range list {
					row := counted(tr)
					got[name] = [2]string(row[:2])
					for i := range tr.Changes {
						if tr.Changes[i].Kind == transcript.Compact {
							compactions++
						} else {
							t.Errorf("%s: a %s at line %d, where no session goes back", name, tr.Changes[i].Kind, tr.Changes[i].Line)
						}
					}
					if tr.Damaged > 0 || len(tr.Unknown) > 0 || len(tr.Warnings) > 0 {
						t.Errorf("%s: damage %d, unknown %v, warnings %v in a sound recording", name, tr.Damaged, tr.Unknown, tr.Warnings)
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("calls and peaks (-want +got):\n%s", diff)
			}
			if compactions != tt.compactions {
				t.Errorf("%d compactions, want %d", compactions, tt.compactions)
			}
		})
	}
}

// A real run filled its window of 372,000 tokens, was refused, compacted and went on. An audit of it begins here.
func TestCorpusPiOverflow(t *testing.T) {
	var got []string
	for _, list := range readFolder(t, pi(), "pi-2026") {
		for _, tr := range list {
			for k := range tr.Calls {
				if !tr.Calls[k].Overflow {
					continue
				}
				got = append(got, fmt.Sprintf("%d, refused, %d, %d", tr.Calls[k-1].Usage.Prompt.N, tr.Changes[0].Before.N, tr.Calls[k+1].Usage.Prompt.N))
				if at := tr.Changes[0].At; at != tr.Calls[k].At || at != tr.Calls[k+1].At-1 {
					t.Errorf("the compaction stands at message %d, the calls around it at %d and %d", at, tr.Calls[k].At, tr.Calls[k+1].At)
				}
			}
		}
	}
	if diff := cmp.Diff([]string{"371532, refused, 371606, 42208"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Real logs hold every text of their requests but the schemas of the tools, and those are what is missing from the
// visible tokens: nothing else is hidden.
func TestCorpusAnthropicLog(t *testing.T) {
	type run struct{ Calls, Peak, First, Withheld int }
	want := map[string]run{
		"baseline_run1":            {16, 85_022, 23_331, 63_088},
		"comparison_baseline_run1": {3, 50_591, 23_313, 63_088},
		"minimal_sysprompt_run1":   {2, 23_326, 23_200, 63_088},
		"minimal_sysprompt_run2":   {2, 19_923, 19_802, 63_088},
	}
	got := map[string]run{}
	for file, list := range readFolder(t, anthropicLog(), "anthropic-log") {
		roundTrip(t, list)
		name, _, _ := strings.Cut(file, "__")
		if len(list) != 1 {
			t.Errorf("%s: %d threads, want 1", name, len(list))
			continue
		}
		tr, r := list[0], run{Calls: len(list[0].Calls)}
		for i := range tr.Calls {
			r.Peak = max(r.Peak, int(tr.Calls[i].Usage.Prompt.N))
		}
		r.First = int(tr.Calls[0].Usage.Prompt.N)
		if _, err := fmt.Sscanf(tr.Warnings[0].Message, "about %d bytes", &r.Withheld); err != nil {
			t.Errorf("%s: warnings %v", name, tr.Warnings)
		}
		got[name] = r
		visible := 0
		for _, m := range tr.PromptAt(0) {
			for _, p := range tr.Messages[m].Parts {
				visible += len(p.Text)
			}
		}
		recorded, whole := textsOf(t, file)
		if visible != recorded {
			t.Errorf("%s: %d bytes of text in the first prompt, want the %d of the log", name, visible, recorded)
		}
		if perToken := float64(r.Withheld) / float64(r.First-visible/4); whole && (perToken < 3.7 || perToken > 4.2) {
			t.Errorf("%s: %.2f bytes of schemas for each token that is not visible, want about 4", name, perToken)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// textsOf is how many bytes of text the first request of a log holds, and whether it holds its messages.
func textsOf(t *testing.T, file string) (bytes int, whole bool) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus(t), "anthropic-log", file))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	type text struct{ Text string }
	var request struct {
		System   []text                     `json:"system_prompt_full"`
		Messages []struct{ Content []text } `json:"messages_full"`
	}
	if err := json.Unmarshal([]byte(line), &request); err != nil {
		t.Fatal(err)
	}
	for _, s := range request.System {
		bytes += len(s.Text)
	}
	for _, m := range request.Messages {
		for _, c := range m.Content {
			bytes += len(c.Text)
		}
	}
	return bytes, len(request.Messages) > 0
}
