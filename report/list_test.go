package report

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// someList are runs as a list has them.
func someList() []ListRun {
	at := func(day, hour int) *time.Time {
		t := time.Date(2026, 11, day, hour, 5, 59, 0, time.UTC)
		return &t
	}
	shop, deep := "/srv/shop", "/home/ada/work/a-project-with-a-long-name/service"
	peak, small := transcript.Recorded(166_919), transcript.Recorded(98_340)
	return []ListRun{
		{
			Name: "@1", Agent: "claude-code", Format: "claude-code", Project: &shop, ID: "a1b2c3d4-0001", Thread: "main", Source: "/home/ada/.claude/projects/-srv-shop/a1b2c3d4-0001.jsonl",
			Started: at(29, 8), Ended: at(30, 17), Calls: 258, Peak: &peak, Limit: transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromTable}, Compactions: 2,
		},
		{
			Name: "@2", Agent: "claude-code", Format: "claude-code", Project: &deep, ID: "a1b2c3d4-0002", Thread: "e5f6a7", Source: "/home/ada/.claude/projects/x/agent-e5f6a7.jsonl",
			Started: at(28, 8), Ended: at(28, 9), Calls: 89, Peak: &small, Limit: transcript.Limit{Tokens: 258_400, Kind: transcript.Input, From: transcript.FromRecord},
		},
		{Name: "@3", Agent: "codex", Format: "codex", ID: "=1+1", Thread: "main", Source: "a\x1b[31m.jsonl", Limit: transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromFallback}},
	}
}

// A person finds a run by its agent, its project and its time, and types what stands under name.
func TestListTables(t *testing.T) {
	unnamed := someList()[:1]
	unnamed[0].Name, unnamed[0].Source = "", "old runs/a.jsonl"
	for _, tt := range []struct {
		name  string
		runs  []ListRun
		write func(*bytes.Buffer, *Table) error
	}{
		{"list.txt", someList(), text(TextOptions{})},
		{"list.narrow.txt", someList(), text(TextOptions{Width: 80})},
		{"list.csv", someList(), func(b *bytes.Buffer, t *Table) error { return CSV(b, t) }},
		{"list.unnamed.txt", unnamed, text(TextOptions{})},
		{"list.empty.txt", nil, text(TextOptions{})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			table := List(tt.runs)
			if err := tt.write(&out, &table); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name, out.Bytes())
		})
	}
}

// What is listed of a run is what replaying it would say; what was not recorded is null.
func TestListed(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	limit := transcript.Limit{Tokens: 200_000, Kind: transcript.Window, From: transcript.FromTable}
	full := &transcript.Transcript{
		ID: "s1", Thread: "main", Source: "runs/a.jsonl", Format: "codex", Agent: "codex", Project: "/srv/shop",
		Messages: []transcript.Message{{Time: at}, {Time: at.Add(time.Hour)}},
		Calls: []transcript.Call{
			{Usage: transcript.Usage{Prompt: transcript.Of(900)}}, {Usage: transcript.Usage{Prompt: transcript.Of(4000)}}, {Usage: transcript.Usage{Prompt: transcript.Of(0)}},
			{Usage: transcript.Usage{Prompt: transcript.Count{N: 9000, From: transcript.Client}}}, {},
		},
		Changes: []transcript.Change{{Kind: transcript.Compact}, {Kind: transcript.Rewind}, {Kind: transcript.Clear}},
	}
	for _, tt := range []struct {
		name string
		t    *transcript.Transcript
		want string
	}{
		{"full", full, `{"agent":"codex","format":"codex","project":"/srv/shop","id":"s1","thread":"main","source":"runs/a.jsonl","started":"2026-01-02T03:04:05Z","ended":"2026-01-02T04:04:05Z","calls":2,"peak_prompt_tokens":4000,"limit":{"tokens":200000,"kind":"window","from":"table"},"compactions":1}`},
		{"nothing recorded", &transcript.Transcript{}, `{"agent":"","format":"","project":null,"id":"","thread":"","source":"","started":null,"ended":null,"calls":0,"peak_prompt_tokens":null,"limit":{"tokens":200000,"kind":"window","from":"table"},"compactions":0}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(Listed(tt.t, limit))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Old recordings without a working folder still stand below a folder that is named after it.
func TestProject(t *testing.T) {
	for _, tt := range []struct{ name, recorded, source, want string }{
		{"recorded", "/srv/shop", "/home/ada/.claude/projects/-srv-other/a.jsonl", "/srv/shop"},
		{"folder of Claude Code", "", "/home/ada/.claude/projects/-srv-shop/a.jsonl", "/srv/shop"},
		{"sub-agent's folder", "", "/home/ada/.claude/projects/-srv-shop/s1/subagents/agent-a.jsonl", "/srv/shop"},
		{"folder of pi", "", "/home/ada/.pi/agent/sessions/--srv-shop--/a.jsonl", "/srv/shop"},
		{"another folder", "", "runs/a.jsonl", ""},
		{"nothing but dashes", "", "--/a.jsonl", ""},
		{"standard input", "", "stdin", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := project(&transcript.Transcript{Project: tt.recorded, Source: tt.source}); got != tt.want {
				t.Errorf("project = %q, want %q", got, tt.want)
			}
		})
	}
}
