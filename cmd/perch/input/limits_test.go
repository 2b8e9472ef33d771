package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// small are limits that a few kilobytes reach.
func small() Options {
	o := DefaultOptions()
	o.Limits = Limits{Line: 2000, Lines: 100, File: 20_000, Unpacked: 40_000, Total: 100_000}
	return o
}

// A file that is larger than it should be must cost its own results, with a word on what to do, and nothing else.
func TestLimits(t *testing.T) {
	unknown := strings.Repeat(`{"type":"x"}`+"\n", 99)
	large := recording + strings.Repeat(`{"type":"x"}`+strings.Repeat(" ", 1500)+"\n", 50)
	lay(t, map[string]string{
		"good.jsonl": recording, "lines.jsonl": recording + unknown, "large.jsonl": large, "large.jsonl.gz": gzipped(large), "large.jsonl.zst": zstandard(large),
	})
	for _, tt := range []struct {
		name, file, stdin, want string
	}{
		{"too many lines", "lines.jsonl", "", "has more than --max-lines 100"},
		{"large file", "large.jsonl", "", "more than --max-file 20KB"},
		{"large gzip", "large.jsonl.gz", "", "unpacks to more than --max-unpacked 40KB"},
		{"large zstd", "large.jsonl.zst", "", "unpacks to more than --max-unpacked 40KB"},
		{"large standard input", "-", large, "has more than --max-file 20KB"},
		{"large packed standard input", "-", gzipped(large), "unpacks to more than --max-unpacked 40KB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := listWith(t, small(), tt.stdin, tt.file, "good.jsonl")
			if len(got) != 2 || !strings.Contains(got[0].Reason, tt.want) || !got[0].Named {
				t.Errorf("got %v, want a problem with %q", got, tt.want)
			}
			if diff := cmp.Diff(seen{Source: "good.jsonl"}, got[len(got)-1]); diff != "" {
				t.Errorf("the file after it (-want +got):\n%s", diff)
			}
		})
	}
}

// A walk over a whole disk ends, says so, and keeps what it has.
func TestTotalLimit(t *testing.T) {
	lay(t, map[string]string{"runs/a.jsonl": recording, "runs/b.jsonl": recording, "runs/c.jsonl": recording})
	o := small()
	o.Limits.Total = Size(len(recording)*3/2 + 1)
	want := []seen{{Source: "runs/a.jsonl"}, {"runs/b.jsonl", "reading line 1: " + errTotal.Error(), true}}
	if diff := cmp.Diff(want, listWith(t, o, "", "runs", "runs/a.jsonl")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A line that is too long costs its own record; who reads the results is told.
func TestLongLine(t *testing.T) {
	before, after, _ := strings.Cut(recording, "\n")
	long := `{"type":"user","uuid":"u2","parentUuid":"u1","message":{"role":"user","content":"` + strings.Repeat("x", 5000) + `"}}`
	lay(t, map[string]string{"a.jsonl": strings.Join([]string{before, long, after}, "\n")})
	var told []transcript.Warning
	calls := 0
	for tr, err := range Open(t.Context(), []string{"a.jsonl"}, nil, small()).Transcripts() {
		if err != nil {
			t.Fatal(err)
		}
		told, calls = tr.Warnings, len(tr.Calls)
	}
	want := []transcript.Warning{{Line: 2, Message: "the line is longer than --max-line 2KB and was cut off there: raise it if that is what it should be"}}
	if diff := cmp.Diff(want, told); diff != "" || calls != 1 {
		t.Errorf("%d calls, want 1; warnings (-want +got):\n%s", calls, diff)
	}
}

// Lines are cut wherever the reads end, and only those that are too long.
func TestCutter(t *testing.T) {
	const text = "ab\n\nabcdefgh\nabc\nabcd\nxyzabc"
	for piece := 1; piece <= len(text); piece++ {
		var noted []int
		c := &cutter{r: pieces{strings.NewReader(text), piece}, most: 3, lines: 10, note: func(line int, _ string, _ ...any) { noted = append(noted, line) }}
		got, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("ab\n\nabc\nabc\nabc\nxyz", string(got)); diff != "" {
			t.Errorf("in pieces of %d (-want +got):\n%s", piece, diff)
		}
		if diff := cmp.Diff([]int{3, 5, 6}, noted); diff != "" {
			t.Errorf("lines noted in pieces of %d (-want +got):\n%s", piece, diff)
		}
	}
}

// pieces reads at most so many bytes at a time.
type pieces struct {
	r io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n)]) }

// growing is a file system whose files another program appends to between their opening and their reading.
type growing struct{ fstest.MapFS }

func (g growing) Open(name string) (fs.File, error) {
	f, err := g.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	return &grown{File: f, more: strings.NewReader(recording)}, nil
}

// grown is such a file.
type grown struct {
	fs.File
	more  io.Reader
	asked int
}

func (g *grown) Read(p []byte) (int, error) {
	n, err := g.File.Read(p)
	if n > 0 || err == nil {
		return n, nil
	}
	return g.more.Read(p)
}

func (g *grown) Stat() (fs.FileInfo, error) {
	info, err := g.File.Stat()
	if g.asked++; g.asked > 1 && err == nil {
		return memoryInfo{info.Name(), info.Size() + int64(len(recording))}, nil
	}
	return info, err
}

// The newest session is often the one that is being written: reading it must end, at one moment.
func TestGrowingFile(t *testing.T) {
	in := newInput(DefaultOptions())
	in.targets = []target{{name: "a.jsonl", files: []file{{source: "a.jsonl", disk: growing{fstest.MapFS{"a.jsonl": {Data: []byte(recording)}}}, name: "a.jsonl"}}}}
	found := 0
	for tr, err := range in.Transcripts() {
		if err != nil {
			t.Fatal(err)
		}
		found++
		if len(tr.Calls) != 1 || len(tr.Warnings) != 1 || !strings.Contains(tr.Warnings[0].Message, "grew while it was read") {
			t.Errorf("%d calls, warnings %v", len(tr.Calls), tr.Warnings)
		}
	}
	if found != 1 {
		t.Errorf("%d transcripts", found)
	}
}

// Hostile files end with a message, in seconds, and in memory that does not follow their size.
func TestHostileFiles(t *testing.T) {
	const bound = 400 << 20 // bytes of memory that all of them may take from the system
	t.Chdir(t.TempDir())
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, tt := range []struct {
		file, head, unit, tail string
		size                   int // bytes of the unit repeated
		reason, warning        string
	}{
		{file: "deep.jsonl", unit: "[", size: 40 << 20, reason: ErrUnknown.Error()},
		{file: "deep-line.jsonl", head: recording, unit: "[", size: 40 << 20, warning: "no JSON object"},
		{file: "long-line.jsonl", head: recording + `{"type":"user","message":{"content":"`, unit: "x", size: 100 << 20, tail: `"}}`, warning: "longer than --max-line"},
		{file: "nul.jsonl", head: recording, unit: "\x00", size: 1 << 20},
		{file: "only-nul.jsonl", unit: "\x00", size: 100 << 20, reason: ErrBinary.Error()},
		{file: "one-line.jsonl.gz", head: recording, unit: " ", size: 1100 << 20, reason: "unpacks to more than --max-unpacked"},
		{file: "short-records.jsonl.gz", head: recording, unit: `{"type":"x"}` + "\n", size: 300 << 20, reason: "has more than --max-lines"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			fill(t, tt.file, tt.head, tt.unit, tt.size, tt.tail)
			o := DefaultOptions()
			o.Limits.Lines /= 4 // what they take, in time and memory, is in proportion
			var reason, warnings string
			for tr, err := range Open(t.Context(), []string{tt.file}, nil, o).Transcripts() {
				if err != nil {
					reason = err.Error()
					continue
				}
				for _, w := range tr.Warnings {
					warnings += w.Message + "\n"
				}
			}
			if (reason == "") != (tt.reason == "") || !strings.Contains(reason, tt.reason) || !strings.Contains(warnings, tt.warning) {
				t.Errorf("reason %q, want %q; warnings %q, want %q", reason, tt.reason, warnings, tt.warning)
			}
			var after runtime.MemStats
			runtime.ReadMemStats(&after)
			if used := int64(after.HeapSys) - int64(before.HeapSys); used > bound { // memory from the system only ever grows
				t.Errorf("%d MiB were taken, more than %d", used>>20, bound>>20)
			}
		})
	}
}

// fill writes a file of so many bytes of the same between a head and a tail, packed if its name says so.
func fill(t *testing.T, name, head, unit string, size int, tail string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	var w io.Writer = f
	finish := f.Close
	if strings.HasSuffix(name, ".gz") {
		z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
		w, finish = z, func() error { return errors.Join(z.Close(), f.Close()) }
	}
	_, err = io.WriteString(w, head)
	block := bytes.Repeat([]byte(unit), 1<<16)
	for n := 0; n < size && err == nil; n += len(block) {
		_, err = w.Write(block)
	}
	_, last := io.WriteString(w, tail)
	if err := errors.Join(err, last, finish()); err != nil {
		t.Fatal(err)
	}
}

// Sizes are typed by hand, in the units people use.
func TestSize(t *testing.T) {
	for _, tt := range []struct {
		text string
		want Size
		back string
	}{
		{"256MB", 256_000_000, "256MB"}, {"64MiB", 64 << 20, "67108864B"}, {"1.5GB", 1_500_000_000, "1500MB"}, {"1024", 1024, "1024B"},
		{" 2 kb ", 2000, "2KB"}, {"3g", 3_000_000_000, "3GB"}, {"7B", 7, "7B"}, {"1TiB", 1 << 40, "1099511627776B"},
		{"", 0, ""}, {"0", 0, ""}, {"-1MB", 0, ""}, {"many", 0, ""}, {"1e30", 0, ""}, {"NaN", 0, ""}, {"12 parsecs", 0, ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			var s Size
			if err := s.Set(tt.text); (err != nil) != (tt.want == 0) || s != tt.want {
				t.Fatalf("Set: %d, %v, want %d", s, err, tt.want)
			}
			if tt.want > 0 && s.String() != tt.back {
				t.Errorf("String() = %q, want %q", s.String(), tt.back)
			}
		})
	}
}
