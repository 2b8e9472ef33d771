package input

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats"
)

// An agent that was told to keep its runs elsewhere keeps them there.
func TestPlaceOfHome(t *testing.T) {
	claude := formats.Home{Env: "CLAUDE_CONFIG_DIR", Dir: "~/.claude"}
	config := formats.Home{Env: "AGENT_DIR", Dir: "~/.config/agent/runs"}
	for _, tt := range []struct {
		name string
		home formats.Home
		user string
		env  map[string]string
		want string
	}{
		{"below the user's home", claude, "/home/ada", nil, "/home/ada/.claude"},
		{"moved by its variable", claude, "/home/ada", map[string]string{"CLAUDE_CONFIG_DIR": "/data/claude"}, "/data/claude"},
		{"moved by XDG", config, "/home/ada", map[string]string{"XDG_CONFIG_HOME": "/etc/ada"}, "/etc/ada/agent/runs"},
		{"own variable before XDG", config, "/home/ada", map[string]string{"XDG_CONFIG_HOME": "/etc/ada", "AGENT_DIR": "/data"}, "/data"},
		{"XDG of another kind", config, "/home/ada", map[string]string{"XDG_DATA_HOME": "/etc/ada"}, "/home/ada/.config/agent/runs"},
		{"no user", claude, "", nil, ""},
		{"no user, moved", claude, "", map[string]string{"CLAUDE_CONFIG_DIR": "/data/claude"}, "/data/claude"},
		{"fixed", formats.Home{Dir: "/var/runs"}, "", nil, "/var/runs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := place(tt.home, func(key string) string { return tt.env[key] }, tt.user); got != filepath.FromSlash(tt.want) {
				t.Errorf("place = %q, want %q", got, tt.want)
			}
		})
	}
}

// `perch list` says where it looked; the places must be those of the formats.
func TestHomesOfFormats(t *testing.T) {
	var folders []string
	for _, h := range Homes(func(string) string { return "" }, "/home/ada") {
		folders = append(folders, filepath.ToSlash(h.Folder()))
	}
	for _, want := range []string{"/home/ada/.claude/projects", "/home/ada/.codex/sessions"} {
		if !slices.Contains(folders, want) {
			t.Errorf("%s is not among %v", want, folders)
		}
	}
}

// Only what an agent keeps is looked at, each file once, whatever lies beside it.
func TestAgents(t *testing.T) {
	lay(t, map[string]string{
		"home/projects/-srv-shop/a.jsonl": recording, "home/projects/-srv-shop/b/subagents/c.jsonl": recording, "home/projects/notes.txt": "milk\n", "home/settings.jsonl": recording,
	})
	o := DefaultOptions()
	o.Homes = []Home{{"home", "projects/**/*.jsonl"}, {"home", "projects/*/*.jsonl"}, {"gone", "**"}}
	var got []string
	for tr, err := range Agents(o).Transcripts() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, filepath.ToSlash(tr.Source))
	}
	if diff := cmp.Diff([]string{"home/projects/-srv-shop/a.jsonl", "home/projects/-srv-shop/b/subagents/c.jsonl"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
