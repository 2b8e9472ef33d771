package input

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// session is a recording under an id that ended at an hour of a day.
func session(id string, hour int) string {
	return strings.NewReplacer(`"sessionId":"s"`, fmt.Sprintf("%q:%q", "sessionId", id), "T03:04", fmt.Sprintf("T%02d:04", hour)).Replace(recording)
}

// at is a moment of that day.
func at(hour int) time.Time { return time.Date(2026, 1, 2, hour, 30, 0, 0, time.UTC) }

// keep lays sessions into a home; each was changed half an hour after it ended.
func keep(t *testing.T, hours map[string]int) Options {
	t.Helper()
	files := map[string]string{}
	for id, hour := range hours {
		files["home/"+id+".jsonl"] = session(id, hour)
	}
	lay(t, files)
	for id, hour := range hours {
		if err := os.Chtimes("home/"+id+".jsonl", at(hour), at(hour)); err != nil {
			t.Fatal(err)
		}
	}
	o := DefaultOptions()
	o.Homes, o.Workers = []Home{{"home", "*.jsonl"}}, 2
	return o
}

// ids are the ids of what was found.
func ids(runs []Found[int]) []string {
	var list []string
	for i := range runs {
		list = append(list, runs[i].ID)
	}
	return list
}

func calls(t *transcript.Transcript) int { return len(t.Calls) }

// The number of a run is its place in this order: it must be that of the recorded times, not of the files.
func TestSurveyOrder(t *testing.T) {
	o := keep(t, map[string]int{"aaaa1": 5, "bbbb2": 9, "cccc3": 7, "dddd4": 7})
	if err := os.Chtimes("home/aaaa1.jsonl", at(23), at(23)); err != nil { // copied later
		t.Fatal(err)
	}
	steps := 0
	runs, problems := Survey(t.Context(), Agents(o), SurveyOptions{Step: func(string) { steps++ }}, calls)
	if diff := cmp.Diff([]string{"bbbb2", "cccc3", "dddd4", "aaaa1"}, ids(runs)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(problems) > 0 || steps != 4 || runs[0].Run != 1 || !runs[0].Ended.Equal(time.Date(2026, 1, 2, 9, 4, 6, 0, time.UTC)) {
		t.Errorf("problems %v, %d steps, first run %+v", problems, steps, runs[0])
	}
}

// Whoever asks for last week, or for the newest run, does not wait until years of sessions are read.
func TestSurveyPassesBy(t *testing.T) {
	o := keep(t, map[string]int{"aaaa1": 5, "bbbb2": 9, "cccc3": 7, "dddd4": 3})
	o.Workers = 1
	for _, tt := range []struct {
		name    string
		options SurveyOptions
		want    []string
	}{
		{"since", SurveyOptions{Since: at(6)}, []string{"bbbb2", "cccc3"}},
		{"since the moment of a change", SurveyOptions{Since: at(7)}, []string{"bbbb2", "cccc3"}},
		{"newest", SurveyOptions{Most: 1}, []string{"bbbb2"}},
		{"newest two", SurveyOptions{Most: 2}, []string{"bbbb2", "cccc3"}},
		{"more than there are", SurveyOptions{Most: 9}, []string{"bbbb2", "cccc3", "aaaa1", "dddd4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runs, problems := Survey(t.Context(), Agents(o), tt.options, calls)
			if diff := cmp.Diff(tt.want, ids(runs)); diff != "" || len(problems) > 0 {
				t.Errorf("problems %v (-want +got):\n%s", problems, diff)
			}
		})
	}
}

// What stands beside the runs is told as it is when they are replayed.
func TestSurveyProblems(t *testing.T) {
	lay(t, map[string]string{"runs/a.jsonl": recording, "runs/z.txt": "milk\n", "none/z.txt": "milk\n"})
	if err := os.Mkdir("home", 0o755); err != nil {
		t.Fatal(err)
	}
	runs, problems := Survey(t.Context(), Open(t.Context(), []string{"runs", "none", "gone.jsonl", "runs/z.txt"}, nil, DefaultOptions()), SurveyOptions{}, calls)
	var got []seen
	for _, p := range problems {
		got = append(got, seen{p.Source, p.Err.Error(), p.Named})
	}
	want := []seen{
		{"none/z.txt", ErrUnknown.Error(), false}, {"runs/z.txt", ErrUnknown.Error(), false}, {"runs/z.txt", ErrUnknown.Error(), true},
		{"none", ErrVoid.Error(), true}, {"gone.jsonl", ErrMissing.Error(), true},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(runs) != 1 {
		t.Errorf("%d runs (-want +got):\n%s", len(runs), diff)
	}
	o := DefaultOptions()
	o.Homes = []Home{{"home", "*.jsonl"}}
	if runs, problems := Survey(t.Context(), Agents(o), SurveyOptions{}, calls); len(runs)+len(problems) > 0 {
		t.Errorf("an empty home holds %v, %v", runs, problems)
	}
}

// An interrupted survey returns at once, with what it has.
func TestSurveyEnds(t *testing.T) {
	o := keep(t, map[string]int{"aaaa1": 5, "bbbb2": 9, "cccc3": 7, "dddd4": 3})
	o.Workers = 1
	ctx, cancel := context.WithCancel(t.Context())
	runs, _ := Survey(ctx, Agents(o), SurveyOptions{Step: func(string) { cancel() }}, calls)
	if len(runs) == 0 || len(runs) > 2 {
		t.Errorf("%d runs", len(runs))
	}
}

// What `perch list` prints can be typed after any command.
func TestNamesOfRuns(t *testing.T) {
	o := keep(t, map[string]int{"aaaa1111": 5, "bbbb2222": 9, "bbbb3333": 7, "dddd": 3, "dddd4": 2})
	agent := strings.ReplaceAll(session("aaaa1111", 4), `"isSidechain":false`, "")
	agent = strings.ReplaceAll(agent, `"type":"user",`, `"type":"user","isSidechain":true,"agentId":"e5f6a7",`)
	agent = strings.ReplaceAll(agent, `"type":"assistant",`, `"type":"assistant","isSidechain":true,"agentId":"e5f6a7",`)
	if err := os.WriteFile("home/agent-e5f6a7.jsonl", []byte(agent), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bbbb9", []byte(recording), 0o644); err != nil {
		t.Fatal(err)
	}
	missing := "no such file or folder, and no run whose id begins with it; `perch list` shows the runs"
	for _, tt := range []struct {
		name string
		args []string
		want []seen
	}{
		{"newest", []string{"@1"}, []seen{{Source: "home/bbbb2222.jsonl"}}},
		{"several numbers", []string{"@3", "@2"}, []seen{{Source: "home/aaaa1111.jsonl"}, {Source: "home/bbbb3333.jsonl"}}},
		{"id", []string{"bbbb2222"}, []seen{{Source: "home/bbbb2222.jsonl"}}},
		{"beginning of an id", []string{"bbbb3"}, []seen{{Source: "home/bbbb3333.jsonl"}}},
		{"id with a sub-agent's file", []string{"aaaa"}, []seen{{Source: "home/aaaa1111.jsonl"}, {Source: "home/agent-e5f6a7.jsonl"}}},
		{"sub-agent", []string{"e5f6"}, []seen{{Source: "home/agent-e5f6a7.jsonl"}}},
		{"id that begins another", []string{"dddd"}, []seen{{Source: "home/dddd.jsonl"}}},
		{"labelled", []string{"before=@1"}, []seen{{Source: "before"}}},
		{"labelled id of two files", []string{"before=aaaa"}, []seen{{Source: "before/aaaa1111.jsonl"}, {Source: "before/agent-e5f6a7.jsonl"}}},
		{"file before an id", []string{"bbbb9"}, []seen{{Source: "bbbb9"}}},
		{"number and id", []string{"@1", "dddd4"}, []seen{{Source: "home/bbbb2222.jsonl"}, {Source: "home/dddd4.jsonl"}}},
		{"ambiguous", []string{"bbbb"}, []seen{{"bbbb", "the ids of 2 runs begin with it, among them bbbb2222 and bbbb3333: give more of it", true}}},
		{"unknown id", []string{"cafe0001"}, []seen{{"cafe0001", missing, true}}},
		{"too short for an id", []string{"aaa"}, []seen{{"aaa", ErrMissing.Error(), true}}},
		{"number too large", []string{"@9"}, []seen{{"@9", "there is no such run: the agents' folders hold 6; `perch list` shows them", true}}},
		{"number zero", []string{"@0"}, []seen{{"@0", "runs are numbered from @1, the newest", true}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, listWith(t, o, "", tt.args...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Only what asks for the agents' folders looks at them: what is private stays unread.
func TestFoldersAreNotReadUnasked(t *testing.T) {
	o := keep(t, map[string]int{"aaaa1111": 5})
	if got := listWith(t, o, recording, "-"); len(got) != 1 {
		t.Errorf("standard input gave %v", got)
	}
	if got := listWith(t, o, "", "*.jsonl", "aaaa1111.jsonl"); len(got) != 2 || got[0].Reason == "" || got[1].Reason == "" {
		t.Errorf("a pattern and a file name gave %v", got)
	}
}
