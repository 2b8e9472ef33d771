package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// committed is the data in the tree, seen from this folder.
const committed = "../../testdata/transcripts"

// TestCommittedData fails when somebody edited a recording by hand or changed the generator without running it: what
// the tests read would then not be what the generator says it shows.
func TestCommittedData(t *testing.T) {
	folder := t.TempDir()
	if err := write([]string{folder}, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	want, got := contents(t, folder), contents(t, committed)
	if diff := cmp.Diff(names(want), names(got)); diff != "" {
		t.Fatalf("files (-generated +committed):\n%s", diff)
	}
	for name := range want {
		if !bytes.Equal(want[name], got[name]) {
			t.Errorf("%s differs from what the generator writes at byte %d; run go run ./scripts/gentranscripts", name, firstDifference(want[name], got[name]))
		}
	}
}

// TestDataIsSmall keeps the repository small enough to clone without a thought.
func TestDataIsSmall(t *testing.T) {
	total := 0
	for name, data := range contents(t, committed) {
		if total += len(data); len(data) >= 1_000_000 {
			t.Errorf("%s: %d bytes, want less than 1,000,000", name, len(data))
		}
	}
	if total >= 3_000_000 {
		t.Errorf("all files: %d bytes, want less than 3,000,000", total)
	}
}

// TestPicture fails when a screenshot is no PNG any more, so that image sizes in examples are made up.
func TestPicture(t *testing.T) {
	for _, p := range []picture{{1280, 720}, {390, 844}, {2560, 1440}, {1, 1}} {
		data, err := base64.StdEncoding.DecodeString(p.base64())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		if diff := cmp.Diff([2]int{p.width, p.height}, [2]int{img.Bounds().Dx(), img.Bounds().Dy()}); diff != "" {
			t.Errorf("%v (-want +got):\n%s", p, diff)
		}
	}
}

// TestUsageFollowsContent fails when recorded usage stops being plausible: a call's cache read must be what the call
// before it had sent, and the prompt may only fall by the thinking of a turn that is over.
func TestUsageFollowsContent(t *testing.T) {
	for _, name := range []string{"coding-long", "browser", "forensic", "financial", "overflow"} {
		t.Run(name, func(t *testing.T) {
			previous, cached, calls := 0, 0, 0
			for _, u := range usages(t, contents(t, committed)["claude-code/"+name+".jsonl"]) {
				prompt := u.Input + u.CacheRead + u.CacheCreation
				if prompt < previous-500 {
					t.Errorf("call %d: prompt %d after %d, want growth", calls, prompt, previous)
				}
				if u.CacheRead > cached && calls > 0 {
					t.Errorf("call %d: read %d from the cache, which held %d", calls, u.CacheRead, cached)
				}
				previous, cached, calls = prompt, u.CacheRead+u.CacheCreation, calls+1
			}
			if calls < 30 {
				t.Errorf("%d calls, want a run of some length", calls)
			}
		})
	}
}

// TestDamage fails when the damaged file is not damaged any more, so that the readers' tests on it prove nothing.
func TestDamage(t *testing.T) {
	data := damaged()[0].data
	for name, there := range map[string]bool{
		"byte order mark":        bytes.HasPrefix(data, []byte("\xef\xbb\xbf")),
		"two values":             bytes.Contains(data, []byte("}{")),
		"bytes that are no text": !utf8.Valid(data),
		"hole":                   bytes.Contains(data, []byte("\n\x00\x00")),
		"empty line":             bytes.Contains(data, []byte("\n\n")),
		"unknown record":         bytes.Contains(data, []byte(`"hologram"`)),
		"torn end":               !bytes.HasSuffix(data, []byte("}\n")),
	} {
		if !there {
			t.Errorf("%s: missing", name)
		}
	}
}

// TestCanonicalRuns fails when a run breaks the rules of a transcript, or no longer shows what its name says.
func TestCanonicalRuns(t *testing.T) {
	small, bare := smallWindow(), noCounts()
	for _, tr := range []*transcript.Transcript{small, bare} {
		if err := transcript.Check(tr); err != nil {
			t.Errorf("%s: %v", tr.ID, err)
		}
	}
	peak := transcript.Recorded(0)
	for _, c := range small.Calls {
		peak = max(peak, c.Usage.Prompt.N)
	}
	if limit := small.Calls[0].Limit.Tokens; int(peak) < limit*3/4 || int(peak) > limit {
		t.Errorf("peak %d, want the window of %d nearly full", peak, limit)
	}
	if got := len(small.Changes); got != 2 {
		t.Errorf("%d changes, want a clear and a compaction", got)
	}
	for _, c := range bare.Calls {
		if c.Usage != (transcript.Usage{}) {
			t.Errorf("usage %v was recorded, want none", c.Usage)
		}
	}
}

// usages returns the usage of each accepted call in order.
func usages(t *testing.T, data []byte) []usage {
	t.Helper()
	var list []usage
	last := ""
	for line := range bytes.Lines(data) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "assistant" && !r.IsAPIError && r.Message.ID != last {
			list, last = append(list, *r.Message.Usage), r.Message.ID
		}
	}
	return list
}

// contents reads every file below a folder, by its name there.
func contents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// names returns the set of names.
func names(files map[string][]byte) map[string]bool {
	set := map[string]bool{}
	for name := range files {
		set[name] = true
	}
	return set
}

// firstDifference is the first offset at which two files differ.
func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
