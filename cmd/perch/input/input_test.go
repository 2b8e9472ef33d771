package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// recording is the smallest thing a format recognises.
const recording = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"count the rows"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-02T03:04:06Z","requestId":"r1","message":{"id":"m1","role":"assistant","model":"claude-opus-4-5","stop_reason":"end_turn","content":[{"type":"text","text":"There are 12."}],"usage":{"input_tokens":12,"output_tokens":9,"cache_read_input_tokens":0,"cache_creation_input_tokens":4000}}}
`

// seen is what a caller gets for one element of the sequence.
type seen struct {
	Source string
	Reason string // of a problem
	Named  bool
}

// list runs through everything the arguments hold.
func list(t *testing.T, stdin string, args ...string) []seen {
	t.Helper()
	return listWith(t, DefaultOptions(), stdin, args...)
}

func listWith(t *testing.T, o Options, stdin string, args ...string) []seen {
	t.Helper()
	var out []seen
	for tr, err := range Open(t.Context(), args, strings.NewReader(stdin), o).Transcripts() {
		var p *Problem
		switch {
		case err == nil:
			out = append(out, seen{Source: tr.Source})
		case errors.As(err, &p):
			out = append(out, seen{p.Source, p.Err.Error(), p.Named})
		default:
			t.Errorf("an error that is no Problem: %v", err)
		}
	}
	return out
}

// lay writes files below a new folder and goes there.
func lay(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

func zstandard(s string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(s), nil))
}

func utf16(s string) string {
	b := []byte("\xff\xfe")
	for _, r := range s {
		b = append(b, byte(r), 0)
	}
	return string(b)
}

// A user names files in many ways; each must be found, in order, under the name the user knows.
func TestWaysToNameInputs(t *testing.T) {
	lay(t, map[string]string{
		"runs/b.jsonl": recording, "runs/a.jsonl": recording, "runs/deep/c.jsonl": recording,
		"packed/a.jsonl.gz": gzipped(recording), "packed/b.jsonl.zst": zstandard(recording), "packed/misnamed.jsonl": gzipped(recording),
		"x=y.jsonl": recording,
	})
	for _, tt := range []struct {
		name  string
		stdin string
		args  []string
		want  []seen
	}{
		{"file", "", []string{"runs/a.jsonl"}, []seen{{Source: "runs/a.jsonl"}}},
		{"file as given", "", []string{"./runs/a.jsonl"}, []seen{{Source: "./runs/a.jsonl"}}},
		{"order of arguments", "", []string{"runs/b.jsonl", "runs/a.jsonl"}, []seen{{Source: "runs/b.jsonl"}, {Source: "runs/a.jsonl"}}},
		{"folder", "", []string{"runs"}, []seen{{Source: "runs/a.jsonl"}, {Source: "runs/b.jsonl"}, {Source: "runs/deep/c.jsonl"}}},
		{"folder with a slash", "", []string{"runs/"}, []seen{{Source: "runs/a.jsonl"}, {Source: "runs/b.jsonl"}, {Source: "runs/deep/c.jsonl"}}},
		{"pattern", "", []string{"runs/*.jsonl"}, []seen{{Source: "runs/a.jsonl"}, {Source: "runs/b.jsonl"}}},
		{"deep pattern", "", []string{"**/c.jsonl"}, []seen{{Source: "runs/deep/c.jsonl"}}},
		{"pattern of folders", "", []string{"r*"}, []seen{{Source: "runs/a.jsonl"}, {Source: "runs/b.jsonl"}, {Source: "runs/deep/c.jsonl"}}},
		{"every depth once", "", []string{"runs/**"}, []seen{{Source: "runs/a.jsonl"}, {Source: "runs/b.jsonl"}, {Source: "runs/deep/c.jsonl"}}},
		{"packed", "", []string{"packed"}, []seen{{Source: "packed/a.jsonl.gz"}, {Source: "packed/b.jsonl.zst"}, {Source: "packed/misnamed.jsonl"}}},
		{"labelled file", "", []string{"before=runs/a.jsonl"}, []seen{{Source: "before"}}},
		{"labelled folder", "", []string{"before=runs/deep"}, []seen{{Source: "before/c.jsonl"}}},
		{"name with an equals sign", "", []string{"x=y.jsonl"}, []seen{{Source: "x=y.jsonl"}}},
		{"standard input", recording, []string{"-"}, []seen{{Source: "stdin"}}},
		{"packed standard input", zstandard(recording), []string{"-"}, []seen{{Source: "stdin"}}},
		{"labelled standard input", recording, []string{"run=-"}, []seen{{Source: "run"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, list(t, tt.stdin, tt.args...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever gives no transcript is told with what to do; the others are still read.
func TestProblems(t *testing.T) {
	torn := gzipped(strings.Repeat(recording, 50))
	lay(t, map[string]string{
		"good.jsonl": recording, "empty.jsonl": "", "blank.jsonl": "\n \n", "utf16.jsonl": utf16(recording), "notes.txt": "remember the milk\n",
		"picture.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "torn.jsonl.gz": torn[:len(torn)-20], "torn.jsonl.zst": zstandard(strings.Repeat(recording, 50))[:40],
		"nothing/notes.txt": "remember the milk\n", "nothing/more.txt": "and bread\n", "mixed/a.jsonl": recording, "mixed/z.txt": "milk\n",
	})
	if err := os.Mkdir("void", 0o755); err != nil {
		t.Fatal(err)
	}
	unknown := ErrUnknown.Error()
	for _, tt := range []struct {
		name string
		args []string
		want []seen
	}{
		{"missing", []string{"gone.jsonl", "good.jsonl"}, []seen{{"gone.jsonl", ErrMissing.Error(), true}, {Source: "good.jsonl"}}},
		{"pattern without a match", []string{"*.atif"}, []seen{{"*.atif", ErrMissing.Error(), true}}},
		{"empty", []string{"empty.jsonl"}, []seen{{"empty.jsonl", ErrEmpty.Error(), true}}},
		{"blank", []string{"blank.jsonl"}, []seen{{"blank.jsonl", ErrEmpty.Error(), true}}},
		{"UTF-16", []string{"utf16.jsonl"}, []seen{{"utf16.jsonl", ErrUTF16.Error(), true}}},
		{"prose", []string{"notes.txt"}, []seen{{"notes.txt", unknown, true}}},
		{"binary", []string{"picture.png"}, []seen{{"picture.png", ErrBinary.Error(), true}}},
		{"torn gzip", []string{"torn.jsonl.gz"}, []seen{{"torn.jsonl.gz", "the gzip archive is cut off: copy it again, or unpack what is there", true}}},
		{"torn zstd", []string{"torn.jsonl.zst"}, []seen{{"torn.jsonl.zst", "the zstd archive is cut off: copy it again, or unpack what is there", true}}},
		{"empty folder", []string{"void"}, []seen{{"void", ErrVoid.Error(), true}}},
		{"folder of other things", []string{"nothing"}, []seen{{"nothing/more.txt", unknown, false}, {"nothing/notes.txt", unknown, false}, {"nothing", ErrVoid.Error(), true}}},
		{"folder with junk", []string{"mixed"}, []seen{{Source: "mixed/a.jsonl"}, {"mixed/z.txt", unknown, false}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, list(t, "", tt.args...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A folder can hold anything; opening a pipe or following a loop of links would hang for ever.
func TestSpecialFiles(t *testing.T) {
	lay(t, map[string]string{"runs/a.jsonl": recording, "elsewhere/b.jsonl": recording})
	if err := syscall.Mkfifo("runs/pipe", 0o644); err != nil {
		t.Skip("no named pipes here:", err)
	}
	socket, err := net.Listen("unix", "runs/socket")
	if err != nil {
		t.Skip("no sockets here:", err)
	}
	defer socket.Close()
	for name, to := range map[string]string{"runs/loop": "../runs", "runs/link.jsonl": "../elsewhere/b.jsonl", "runs/broken": "nowhere", "folder": "runs"} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	in := []seen{
		{Source: "runs/a.jsonl"}, {"runs/broken", "no such file or directory", false}, {Source: "runs/link.jsonl"},
		{"runs/loop", ErrLink.Error(), false}, {"runs/pipe", ErrSpecial.Error(), false},
		{"runs/socket", ErrSpecial.Error(), false},
	}
	if diff := cmp.Diff(in, list(t, "", "runs")); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]seen{{"runs/pipe", ErrSpecial.Error(), true}}, list(t, "", "runs/pipe")); diff != "" {
		t.Errorf("named pipe (-want +got):\n%s", diff)
	}
	if got := list(t, "", "folder"); len(got) != len(in) {
		t.Errorf("a link to a folder that is named holds %v", got)
	}
	if got := list(t, "", "runs/**"); len(got) == 0 {
		t.Error("runs/** holds nothing")
	}
}

// What a person is told about a folder's other files fits into a few lines.
func TestTally(t *testing.T) {
	var tally Tally
	for _, p := range []Problem{
		{Source: "a.txt", Err: ErrUnknown}, {Source: "e.jsonl", Err: ErrEmpty}, {Source: "b.png", Err: ErrBinary}, {Source: "c.txt", Err: ErrUnknown},
		{Source: "d.txt", Err: ErrUnknown}, {Source: "locked", Err: fs.ErrPermission}, {Source: "odd", Err: errors.New("input/output error")},
	} {
		tally.Failed(&p)
	}
	for _, source := range []string{"run.jsonl", "run.jsonl", "two.jsonl"} {
		tally.Found(source)
	}
	tally.Failed(&Problem{Source: "pipe", Named: true, Err: ErrSpecial})
	tally.Failed(&Problem{Source: "void", Named: true, Err: ErrVoid})
	want := []string{
		"4 files are not transcripts: a.txt, b.png, c.txt, ...", "1 file is empty: e.jsonl", "1 file may not be read: locked",
		"1 file could not be read (input/output error): odd",
	}
	if diff := cmp.Diff(want, tally.Lines()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := tally.Sum(), "3 transcripts from 2 files, 2 not readable, 5 not transcripts, 1 passed by"; got != want {
		t.Errorf("Sum() = %q, want %q", got, want)
	}
}

// One file's own message says all there is to say.
func TestTallyOfOneFile(t *testing.T) {
	var read, failed Tally
	read.Found("a.jsonl")
	failed.Failed(&Problem{Source: "a.jsonl", Named: true, Err: ErrEmpty})
	if read.Sum() != "" || failed.Sum() != "" {
		t.Errorf("Sum() = %q and %q, want nothing", read.Sum(), failed.Sum())
	}
}
