package page

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// corpus returns the folder of real recordings, or skips the test.
func corpus(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	path := filepath.Join(dir, "..", "shared", "corpus", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("corpus folder %s is not here", name)
	}
	return path
}

// texts returns every distinct string of the JSON lines below a folder that contains mark.
func texts(t *testing.T, root, mark string) []string {
	t.Helper()
	seen := map[string]bool{}
	var all []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if strings.Contains(v, mark) && !seen[v] {
				seen[v] = true
				all = append(all, v)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var v any
			if strings.Contains(lines.Text(), mark) && json.Unmarshal(lines.Bytes(), &v) == nil {
				walk(v)
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// control finds what a model can act upon: a ref on an interactive role or on something with a pointer.
var control = regexp.MustCompile(`(?m)^\s*- '?(?:<changed> )?(?:(?:button|checkbox|combobox|link|menuitem|menuitemcheckbox|menuitemradio|option|radio|searchbox|slider|spinbutton|switch|tab|textbox|treeitem)\b.*\[ref=(\w+)\]|.*\[ref=(\w+)\] \[cursor=pointer\])`)

// labelled finds the headings under which browser tools put their snapshots.
var labelled = regexp.MustCompile("(?m)^#+ (Snapshot|Page snapshot)\\n+```yaml$")

// share counts what is left of snapshots, in bytes and in controls.
type share struct{ texts, snapshots, before, after, controls, kept int }

// measure reduces a text and counts what is left.
func (s *share) measure(t *testing.T, text string) {
	t.Helper()
	s.texts++
	at, ok := Find(text)
	if !ok {
		return
	}
	body := text[at.Start:at.End]
	short := Actionable(text, 1<<20)
	rest := short[at.Start : len(short)-(len(text)-at.End)]
	s.snapshots++
	s.before += len(body)
	s.after += len(rest)
	for _, m := range control.FindAllStringSubmatch(body, -1) {
		ref := "[ref=" + m[1] + m[2] + "]"
		s.controls++
		if strings.Contains(rest, ref) {
			s.kept++
		} else {
			t.Errorf("control %s was lost", ref)
		}
	}
	if again := Actionable(short, 1<<20); again != short {
		t.Errorf("reducing twice changed a snapshot again")
	}
	if short[:at.Start] != text[:at.Start] || !strings.HasSuffix(short, text[at.End:]) {
		t.Errorf("the text around a snapshot changed")
	}
}

// TestRecordedSnapshots: a user whose browser run is pruned loses a control the model was about to click.
func TestRecordedSnapshots(t *testing.T) {
	t.Run("playwright", func(t *testing.T) {
		files, _ := filepath.Glob(filepath.Join(corpus(t, "playwright-mcp"), "*", "*.snapshot.yml"))
		var s share
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			s.measure(t, string(b))
		}
		if s.snapshots != len(files) {
			t.Errorf("found %d of %d snapshots", s.snapshots, len(files))
		}
		if s.after*4 > s.before {
			t.Errorf("%d of %d characters left, more than a quarter", s.after, s.before)
		}
		t.Logf("%+v, %.1f %% of the characters left", s, 100*float64(s.after)/float64(s.before))
	})
	for _, folder := range []string{"claude-code", "codex"} {
		t.Run(folder, func(t *testing.T) {
			var s share
			for _, text := range texts(t, corpus(t, folder), "[ref=") {
				_, found := Find(text)
				if real := labelled.MatchString(text); found != real {
					t.Errorf("found %v, labelled %v: %.300q", found, real, text)
				}
				s.measure(t, text)
			}
			if s.texts == s.snapshots {
				t.Error("no text that quotes refs without being a snapshot: this shows nothing about detection")
			}
			t.Logf("%+v, %.1f %% of the characters left", s, 100*float64(s.after)/float64(max(s.before, 1)))
		})
	}
}
