package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// A run that was killed while it wrote leaves half a document; all but its last message can still be read.
func TestReadDocument(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       string // the document
		warning    string
	}{
		{"object", "\n {\"a\":[1]} \n", `{"a":[1]}`, ""},
		{"array behind a byte order mark", bom + `[1,2]`, `[1,2]`, ""},
		{"brackets in strings", `{"a":"}]\"[{"}`, `{"a":"}]\"[{"}`, ""},
		{"cut in an element", "{\"m\":[\n{\"a\":1},\n{\"b\":{\"c\":[2]},\n\"d\":\"x", `{"m":[` + "\n" + `{"a":1}]}`, "4: the file ends in the middle; it was read up to the last whole element"},
		{"cut behind an element", `[[{"a":[]},{"b":1}`, `[[{"a":[]},{"b":1}]]`, "1: the file ends in the middle; it was read up to the last whole element"},
		{"something behind it", "{\"a\":1}\n{\"b\":2}", `{"a":1}`, "1: what follows the end of the JSON value was skipped"},
	} {
		var n notes
		d, err := readDocument(strings.NewReader(tt.data), MaxLine, &n)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got := ""
		if len(n.list) > 0 {
			got = fmt.Sprintf("%d: %s", n.list[0].Line, n.list[0].Message)
		}
		if d.root.Raw != tt.want || got != tt.warning {
			t.Errorf("%s: %s, %q, want %s, %q", tt.name, d.root.Raw, got, tt.want, tt.warning)
		}
	}
}

// A document that cannot be read must say why, and where; one that would end the process must not be parsed.
func TestReadDocumentErrors(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		max        int
		want       string
	}{
		{"too large", `[1,2,3]`, 5, "the file holds one JSON value of more than 0 MiB: record JSON lines, one message a line"},
		{"deep", strings.Repeat("[", maxDepth+1), 1 << 20, errDeep.Error()},
		{"a comma too many", "{\"m\":[\n1,\n2,\n]}", 1 << 20, "it is not valid JSON from line 4 on: invalid character ']' looking for beginning of value"},
		{"nothing whole", `{"m":["x`, 1 << 20, "it is cut off before anything in it is whole"},
		{"packed", "\x1f\x8b\x08", 1 << 20, errGzip.Error()},
	} {
		_, err := readDocument(strings.NewReader(tt.data), tt.max, &notes{})
		if fmt.Sprint(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// The line in a warning is where the user looks.
func TestDocumentLines(t *testing.T) {
	d, err := readDocument(strings.NewReader("\n\n{\n\"m\": [\n{\"a\":1},\n\n{\"b\":2}]}"), MaxLine, &notes{})
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	d.root.Get("m").ForEach(func(_, v gjson.Result) bool {
		lines = append(lines, d.lineOf(v))
		return true
	})
	lines = append(lines, d.lineOf(d.root.Get("m.0")))
	if got := fmt.Sprint(lines); got != "[5 7 5]" {
		t.Errorf("lines %s, want [5 7 5]", got)
	}
}
