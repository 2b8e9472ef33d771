package formats

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// readRecords returns the records of a text as "line raw" and its warnings.
func readRecords(t *testing.T, r io.Reader, max int) (got, warnings []string, err error) {
	t.Helper()
	n := notes{}
	for rec, e := range records(r, max, &n) {
		if e != nil {
			return got, warnings, e
		}
		got = append(got, fmt.Sprintf("%d %s", rec.line, rec.obj.Raw))
	}
	tr := &transcript.Transcript{}
	n.into(tr)
	return got, messages(tr), nil
}

// One bad line must cost that line alone, and the user must learn where it is.
func TestRecords(t *testing.T) {
	for _, tt := range []struct {
		name     string
		data     string
		want     []string
		warnings []string
	}{
		{"lines and empty lines", "{\"a\":1}\n\n  \n{\"b\":2}\n", []string{`1 {"a":1}`, `4 {"b":2}`}, nil},
		{"no line break at the end", `{"a":1}`, []string{`1 {"a":1}`}, nil},
		{"carriage returns", "{\"a\":\"x\\r\\ny\"}\r\n{\"b\":2}\r\n", []string{`1 {"a":"x\r\ny"}`, `2 {"b":2}`}, nil},
		{"byte order mark", "\xef\xbb\xbf{\"a\":1}\n", []string{`1 {"a":1}`}, nil},
		{"several values on a line", `{"a":{"b":["}"]}}{"c":"\"}{"} {"d":4}`, []string{`1 {"a":{"b":["}"]}}`, `1 {"c":"\"}{"}`, `1 {"d":4}`}, nil},
		{"record cut off in a string", "{\"a\":\"x\n{\"b\":2}\n", []string{`2 {"b":2}`}, []string{"1: a record that is cut off was skipped"}},
		{"record cut off between values", "{\"b\":2}\n{\"a\":{\"c\":1}", []string{`1 {"b":2}`}, []string{"2: a record that is cut off was skipped"}},
		{"record cut off behind a whole one", `{"a":1}{"b":`, []string{`1 {"a":1}`}, []string{"1: a record that is cut off was skipped"}},
		{"no JSON", "hello\n[1]\n{\"a\":1}\n", []string{`3 {"a":1}`}, []string{"1: a line that is no JSON object was skipped", "2: a line that is no JSON object was skipped"}},
		{"missing colon, bad number, bad escape", "{\"a\" 1}\n{\"a\":01}\n{\"a\":\"\\q\"}\n", nil, []string{
			"1: a record that is not valid JSON was skipped", "2: a record that is not valid JSON was skipped", "3: a record that is not valid JSON was skipped",
		}},
		{"bad value between good ones", `{"a":1}{"b":nope}{"c":3}`, []string{`1 {"a":1}`, `1 {"c":3}`}, []string{"1: a record that is not valid JSON was skipped"}},
		{"NULs around records", "\x00\x00{\"a\":1}\n\x00\x00\x00\n{\"b\":2}\x00\n", []string{`1 {"a":1}`, `3 {"b":2}`}, []string{"1: NUL bytes around a record were skipped here and in every later line that had them"}},
		{"text that is not UTF-8", "{\"a\":\"\xff\"}\n{\"b\":\"\xc3\x28\"}\n", []string{"1 {\"a\":\"\uFFFD\"}", "2 {\"b\":\"\uFFFD(\"}"}, []string{"1: text that is not UTF-8 was repaired here and in every later line that needed it"}},
		{"depth that would end the process", strings.Repeat("{\"a\":[", 200_000), nil, []string{"1: a record nested deeper than 1000 levels was skipped"}},
		{"brackets in a string", `{"a":"` + strings.Repeat("[", 5000) + `"}`, []string{`1 {"a":"` + strings.Repeat("[", 5000) + `"}`}, nil},
		{"many damaged lines", strings.Repeat("x\n", 13), nil, append(slicesOf(10, "a line that is no JSON object was skipped"), "11: a line that is no JSON object was skipped (3 more from here on)")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, warnings, err := readRecords(t, strings.NewReader(tt.data), MaxLine)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.warnings, warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// slicesOf lists a message for the lines from 1 to n.
func slicesOf(n int, message string) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%d: %s", i+1, message))
	}
	return out
}

// A line of any length is read; one beyond the limit is skipped and the next one is not lost.
func TestLongLines(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 3*bufBytes) + `"}`
	data := long + "\n{\"b\":2}\n" + long
	got, warnings, err := readRecords(t, iotest.HalfReader(strings.NewReader(data)), MaxLine)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if diff := cmp.Diff([]string{"1 " + long, `2 {"b":2}`, "3 " + long}, got); diff != "" {
		t.Errorf("a long line was not read whole")
	}
	const limit = 1 << 20
	got, warnings, err = readRecords(t, strings.NewReader(`{"a":"`+strings.Repeat("x", 2*limit)+"\"}\n{\"b\":2}\n"), limit)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`2 {"b":2}`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1: a line of more than 1 MiB was skipped"}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// Someone who gives the wrong file must read what it is and what to do.
func TestRefusedFiles(t *testing.T) {
	wide := func(s, mark string) string {
		b := []byte(mark)
		for _, r := range s {
			b = append(b, byte(r), 0)
		}
		return string(b)
	}
	record := `{"type":"user","uuid":"u1"}`
	for _, tt := range []struct {
		name, data, want string
	}{
		{"UTF-16 with a mark", wide(record, "\xff\xfe"), "this is UTF-16 text, not UTF-8: convert it first, for example with iconv -f UTF-16 -t UTF-8"},
		{"UTF-16 without a mark", wide(record, ""), "this is UTF-16 text, not UTF-8: convert it first, for example with iconv -f UTF-16 -t UTF-8"},
		{"gzip", "\x1f\x8b\x08\x00", "this is gzip data: unpack it first, or give the .gz file by its name"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", "this is zstd data: unpack it first, or give the .zst file by its name"},
		{"a program", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x03\x00\x3e", "this is binary data, not a recording in JSON lines: give the session file itself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, f := range All {
				_, err := read(t, f, tt.data)
				if err == nil || err.Error() != tt.want {
					t.Errorf("%s: got %v, want %q", f.Name, err, tt.want)
				}
			}
		})
	}
}

// A disk or an archive that fails in the middle must not pass for a short run.
func TestReadError(t *testing.T) {
	_, _, err := readRecords(t, io.MultiReader(strings.NewReader("{\"a\":1}\n{\"b\""), iotest.ErrReader(io.ErrUnexpectedEOF)), MaxLine)
	if err == nil || err.Error() != "reading line 2: unexpected EOF" {
		t.Errorf("got %v", err)
	}
}

// Numbers of a recording may be anything; none may become a negative or overflowing count.
func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		raw string
		n   int
		ok  bool
	}{
		{"0", 0, true}, {"12", 12, true}, {"12.9", 12, true}, {"1e3", 1000, true}, {"1e400", maxTokens, true}, {"9223372036854775808", maxTokens, true},
		{"-1", 0, false}, {`"12"`, 0, false}, {"null", 0, false}, {"true", 0, false}, {"[1]", 0, false},
	} {
		if n, ok := tokens(gjson.Parse(tt.raw)); n != tt.n || ok != tt.ok {
			t.Errorf("%s: got %d, %v, want %d, %v", tt.raw, n, ok, tt.n, tt.ok)
		}
	}
}

// A time that JSON cannot hold would make a run unwritable.
func TestInstant(t *testing.T) {
	for raw, want := range map[string]string{
		`"2026-02-03T04:05:06.789Z"`:    "2026-02-03T04:05:06.789Z",
		`"2026-02-03T04:05:06+02:00"`:   "2026-02-03T02:05:06Z",
		`"9999-12-31T23:59:59-23:00"`:   "0001-01-01T00:00:00Z",
		`"[trimmed]"`:                   "0001-01-01T00:00:00Z",
		`1700000000`:                    "0001-01-01T00:00:00Z",
		`{"at":"2026-02-03T04:05:06Z"}`: "0001-01-01T00:00:00Z",
	} {
		if got := instant(gjson.Parse(raw)).Format("2006-01-02T15:04:05.999Z07:00"); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

// Names are shown in reports: a cut must not leave half a character.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"aäb", 2, "a"}, {"日本", 4, "日"}, {"日", 1, ""}} {
		if got := cut(tt.s, tt.n); got != tt.want {
			t.Errorf("%q at %d: got %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
}
