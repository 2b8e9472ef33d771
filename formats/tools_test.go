package formats

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// Superseded reads and loops are found by what a call is about: two calls on one file must get one subject.
func TestAbout(t *testing.T) {
	for _, tt := range []struct {
		tool, input string
		subject     string
		effect      transcript.Effect
	}{
		{"Read", `{"file_path":"/a/b.go","offset":3}`, "/a/b.go", transcript.Reads},
		{"Write", `{"content":"x","file_path":"/a/b.go"}`, "/a/b.go", transcript.Writes},
		{"Edit", `{"file_path":"/a/b.go","old_string":"x","new_string":"y"}`, "/a/b.go", transcript.Writes},
		{"MultiEdit", `{"file_path":"/a/b.go","edits":[]}`, "/a/b.go", transcript.Writes},
		{"NotebookEdit", `{"notebook_path":"/a/n.ipynb"}`, "/a/n.ipynb", transcript.Writes},
		{"Bash", `{"description":"list","command":"  ls -l\ncat x"}`, "ls -l", transcript.Runs},
		{"BashOutput", `{"bash_id":"b1"}`, "b1", transcript.Runs},
		{"Grep", `{"path":"/a","pattern":"func .*","output_mode":"content"}`, "func .*", transcript.Searches},
		{"Glob", `{"pattern":"**/*.go"}`, "**/*.go", transcript.Searches},
		{"LS", `{"path":"/a"}`, "/a", transcript.Reads},
		{"WebFetch", `{"prompt":"what","url":"https://example.org"}`, "https://example.org", transcript.Browses},
		{"WebSearch", `{"query":"perch"}`, "perch", transcript.Searches},
		{"mcp__playwright__browser_navigate", `{"url":"https://example.org"}`, "https://example.org", transcript.Browses},
		{"mcp__playwright__browser_snapshot", `{}`, "", transcript.Browses},
		{"mcp__playwright__browser_click", `{"element":"Save","ref":"e4"}`, "Save", transcript.Browses},
		{"mcp__files__read_file", `{"path":"/a/b.go"}`, "/a/b.go", transcript.Reads},
		{"read_many_files", `{"paths":["a"],"path":["x","y"]}`, "x y", transcript.Reads},
		{"search_replace", `{"file_path":"/a","query":"x"}`, "/a", transcript.Writes},
		{"str_replace_based_edit_tool", `{"command":"view","path":"/a"}`, "/a", transcript.Reads},
		{"str_replace_based_edit_tool", `{"command":"create","path":"/a","file_text":"x"}`, "/a", transcript.Writes},
		{"shell", `{"command":["bash","-lc","make test"],"workdir":"/a"}`, "bash -lc make test", transcript.Runs},
		{"apply_patch", `{"input":"*** Begin Patch"}`, "", ""},
		{"TodoWrite", `{"todos":[]}`, "", ""},
		{"weather", `{"url":"https://example.org","city":"x"}`, "https://example.org", ""},
		{"weather", `{"city":"x"}`, "", ""},
		{"", `null`, "", ""},
		{"Read", `{"file_path":17}`, "", ""},
		{"Bash", `{"command":"` + strings.Repeat("ä", 150) + `"}`, strings.Repeat("ä", 100), transcript.Runs},
	} {
		subject, effect := about(tt.tool, gjson.Parse(tt.input))
		if subject != tt.subject || effect != tt.effect {
			t.Errorf("%s %s: got %q, %q, want %q, %q", tt.tool, tt.input, subject, effect, tt.subject, tt.effect)
		}
	}
}
