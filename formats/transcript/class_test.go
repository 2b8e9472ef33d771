package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// A user's estimates are only as good as the ratio their content gets: dense content taken for prose is estimated a
// third too low, the one direction that overflows.
func TestClassify(t *testing.T) {
	csv := "date,region,units,price,total\n"
	column := ""
	log := ""
	jsonl := ""
	for i := range 40 {
		csv += fmt.Sprintf("2025-03-%02d,%d,%d,%d.%02d,%d.50\n", i%28+1, i%5, 100+i*37, 10+i, i*7%100, i*1234)
		column += fmt.Sprintf("%d\n", 1_000_003*i+17)
		log += fmt.Sprintf("2025-03-01T10:%02d:07Z INFO worker started job queue ready\n", i)
		jsonl += fmt.Sprintf(`{"id":"%d","name":"item","tags":["a","b"],"ok":true}`+"\n", i)
	}
	code := strings.Repeat("func add(a, b int) int {\n\tsum := a + b\n\treturn sum\n}\n\n", 8)
	numbered := ""
	for i, line := range strings.Split(code, "\n") {
		numbered += fmt.Sprintf("%6d→%s\n", i+1000, line)
	}
	prose := strings.Repeat("The review found no sign of tampering, and the two parties agreed to meet again.\n", 10)
	for _, c := range []struct {
		name, text string
		want       Class
	}{
		{"empty text", "", Prose},
		{"blank text", " \n\t\n", Prose},
		{"one word", "done", Prose},
		{"English sentences", prose, Prose},
		{"source code", code, Code},
		{"source code with line numbers", numbered, Code},
		{"prose with line numbers", "   101→The first line says what.\n   102→The second line says why it matters.\n", Prose},
		{"compact object", `{"path":"/srv/a.txt","limit":200,"offset":0,"follow":false}`, JSON},
		{"indented object", "{\n  \"name\": \"perch\",\n  \"tags\": [\"a\", \"b\"],\n  \"size\": 3\n}", JSON},
		{"one object a line", jsonl, JSON},
		{"comma separated numbers", csv, Numbers},
		{"column of numbers", column, Numbers},
		{"accessibility tree", "- heading \"Orders\" [level=1] [ref=e3]\n- link \"Home\" [ref=e4]\n- button \"Pay\" [ref=e9]\n", Page},
		{"HTML", "<html><body><h1>Orders</h1><p>None yet.</p><a href=\"/\">Home</a></body></html>", Page},
		{"lines with times and levels", log, Log},
		{"coloured output", "\x1b[32mok\x1b[0m package a\n\x1b[31mFAIL\x1b[0m package b\n", Log},
		{"list of paths", "cmd/main.go\ninternal/store/store.go\ninternal/store/store_test.go\n", Log},
		{"search hits", "internal/a.go:12:the word\ninternal/b.go:80:the word again\n", Log},
		{"Chinese", "这份报告说明了本季度的收入和支出情况。", CJK},
		{"Japanese", "この報告書は四半期の収支をまとめたものです。", CJK},
		{"hexadecimal digest", strings.Repeat("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n", 3), Hex},
		{"base64", strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk9x4P6h", 4), Hex},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Classify(c.text); got != c.want {
				t.Errorf("Classify = %s, want %s\n%s", got, c.want, c.text)
			}
		})
	}
}

// A user whose results are megabytes long loses time if classifying reads all of them, and the class if only their
// first lines count.
func TestClassifyReadsASample(t *testing.T) {
	header := strings.Repeat("Notes on the table below, written by hand.\n", 10)
	body := strings.Repeat("1024,2048,4096,8192,16384\n", 4000)
	if got := Classify(header + body); got != Numbers {
		t.Errorf("a long table under a short note is %s, want %s", got, Numbers)
	}
	n := testing.AllocsPerRun(10, func() { Classify(body) })
	if n > 0 {
		t.Errorf("classifying allocates %v times, want 0: it runs once for every part", n)
	}
}
