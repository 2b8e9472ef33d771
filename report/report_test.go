package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"perch/replay"
	"perch/replay/config"
)

// A user reads these; what changes here changes on every screen.
func TestTables(t *testing.T) {
	for _, tt := range []struct {
		name  string
		table Table
		write func(*bytes.Buffer, *Table) error
	}{
		{"replay.file.txt", Replay(runs(), settings()), text(TextOptions{})},
		{"replay.wide.txt", Replay(runs(), settings()), text(TextOptions{Width: 200})},
		{"replay.narrow.txt", Replay(runs(), settings()), text(TextOptions{Width: 80})},
		{"replay.colour.txt", Replay(runs(), settings()), text(TextOptions{Width: 120, Color: true})},
		{"replay.md", Replay(runs(), settings()), func(b *bytes.Buffer, t *Table) error { return Markdown(b, t) }},
		{"replay.csv", Replay(runs(), settings()), func(b *bytes.Buffer, t *Table) error { return CSV(b, t) }},
		{"calls.txt", Calls(runs()), text(TextOptions{})},
		{"calls.csv", Calls(runs()), func(b *bytes.Buffer, t *Table) error { return CSV(b, t) }},
		{"skips.txt", Skips(runs()), text(TextOptions{Width: 100})},
		{"estimate.txt", Estimate(estimateTotals(), "o200k"), text(TextOptions{})},
		{"estimate.narrow.txt", Estimate(estimateTotals(), "o200k"), text(TextOptions{Width: 80})},
		{"estimate.runs.txt", EstimateByRun(runs()), text(TextOptions{Width: 140})},
		{"estimate.classes.txt", EstimateByClass(estimateTotals()), text(TextOptions{})},
		{"estimate.csv", EstimateData(runs()), func(b *bytes.Buffer, t *Table) error { return CSV(b, t) }},
		{"presets.txt", Presets([]config.About{{Name: "perch", Summary: "the default", Date: "2026-11-30"}}), text(TextOptions{})},
		{"formats.txt", Formats([]Format{{Name: "claude-code", About: "session files", Gives: Gives{Usage: true, Compactions: true}}}), text(TextOptions{})},
		{"settings.txt", Settings(
			[]config.Entry{{Key: "trigger", Value: "0.8"}, {Key: "micro.keep_last", Value: "5", Origin: config.Origin{Layer: config.LayerFile, Name: "perch.yaml", Line: 4, Column: 5}}},
			[]config.Key{{Name: "trigger", Unit: "of H, or tokens", Doc: "above it the pipeline acts"}}), text(TextOptions{})},
		{"nothing.txt", Replay(nil, ReplaySettings{
			Pipeline: "perch", Counter: "o200k", From: replay.Raw, Partial: true,
			Refused: []replay.Refused{{Source: "runs/a.jsonl", Reason: "starts at a compaction"}},
		}), text(TextOptions{})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := tt.write(&out, &tt.table); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name, out.Bytes())
		})
	}
}

func text(o TextOptions) func(*bytes.Buffer, *Table) error {
	return func(b *bytes.Buffer, t *Table) error { return Text(b, t, o) }
}

// Scripts read these.
func TestDocuments(t *testing.T) {
	document := func() *Document {
		total, nested := replay.Sum(runs()[:1])
		return &Document{
			Schema: Schema, Command: "replay", Version: "v0", Config: map[string]any{"limit": nil}, Claims: ReplayClaims(),
			Refused: []replay.Refused{}, Totals: total, Nested: nested, Runs: []any{runs()[0]},
		}
	}
	for _, tt := range []struct {
		name  string
		write func(*bytes.Buffer) error
	}{
		{"replay.json", func(b *bytes.Buffer) error { return JSON(b, document()) }},
		{"replay.jsonl", func(b *bytes.Buffer) error { return JSONL(b, document()) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := tt.write(&out); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name, out.Bytes())
		})
	}
}

// A terminal wraps what is wider than itself, and then no column stands above another.
func TestTextFitsTheTerminal(t *testing.T) {
	for width := 80; width <= 240; width += 8 {
		table := Replay(runs(), settings())
		var out bytes.Buffer
		if err := Text(&out, &table, TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if w := twwidth.Width(strings.TrimRight(line, "\n")); w > width {
				t.Errorf("width %d: a line of %d cells: %q", width, w, line)
			}
		}
	}
}

// The columns a person cannot do without stay at 80 cells.
func TestNarrowTableKeepsWhatMatters(t *testing.T) {
	table := Replay(runs(), settings())
	l, _ := fit(&table, 80)
	var titles []string
	for _, c := range l.columns {
		titles = append(titles, table.Columns[c].Title)
	}
	want := []string{"run", "calls", "peak", "prune", "micro", "summarize", "overflows"}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
}

// A recording is written by strangers: whatever stands in it must not steer the terminal, end a table row, or run
// in a spreadsheet.
func TestTextsFromRecordingsAreHarmless(t *testing.T) {
	evil := "=1+1|\x1b]0;owned\x07\u202e\n<b>\u009b31m"
	table := Table{Title: evil, Columns: []Column{Name("run", "name")}, Rows: [][]Cell{{One(Words(evil))}}, Notes: []Note{{Label: "x", Text: evil}, {Text: evil, Warn: true}}}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return Text(b, &table, TextOptions{Width: 80}) },
		"markdown": func(b *bytes.Buffer) error { return Markdown(b, &table) },
		"csv":      func(b *bytes.Buffer) error { return CSV(b, &table) },
		"json":     func(b *bytes.Buffer) error { return JSON(b, &Document{Command: evil, Runs: []any{evil}}) },
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := write(&out); err != nil {
				t.Fatal(err)
			}
			if bad := strings.IndexFunc(strings.ReplaceAll(out.String(), "\n", " "), harmful); bad >= 0 {
				t.Errorf("a harmful character at byte %d of %q", bad, out.String())
			}
		})
	}
	var md, sheet bytes.Buffer
	if err := Markdown(&md, &table); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(md.String()) {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 2 {
			t.Errorf("a Markdown row of more than one cell: %q", line)
		}
	}
	if err := CSV(&sheet, &table); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&sheet).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if cell := records[1][0]; !strings.HasPrefix(cell, "'=") {
		t.Errorf("a spreadsheet would run %q", cell)
	}
}

// JSON that was made harmless must still mean the same.
func TestJSONKeepsItsMeaning(t *testing.T) {
	want := "a\u202e\u009b\x7f\U000e0041 é 漢"
	var out bytes.Buffer
	if err := JSON(&out, &Document{Command: want}); err != nil {
		t.Fatal(err)
	}
	var got Document
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Command); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A number is written the same way everywhere, and what was not recorded is never 0.
func TestValues(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		v                    Value
		human, compact, data string
	}{
		{"not recorded", NA(), "n/a", "n/a", ""},
		{"no call", CallNumber(0), "n/a", "n/a", ""},
		{"a call", CallNumber(1234), "#1234", "#1234", "1234"},
		{"zero", Int(0), "0", "0", "0"},
		{"thousands", Int(1_234_567), "1,234,567", "1,235k", "1234567"},
		{"millions", Int(21_004_112), "21,004,112", "21M", "21004112"},
		{"negative", Int(-182_410), "-182,410", "-182k", "-182410"},
		{"freed", Freed(182_410), "-182,410", "-182k", "182410"},
		{"approximate", Int(12_000).Approx(true), "~12,000", "~12k", "12000"},
		{"percentage", Percent(-15.347, 1), "-15.3 %", "-15.3 %", "-15.347"},
		{"growth", Percent(2.75, 1).Signed(), "+2.8 %", "+2.8 %", "2.750"},
		{"tiny share", Percent(0.004, 2), "<0.01 %", "<0.01 %", "0.0040"},
		{"tiny fall", Percent(-0.004, 1).Signed(), "0.0 %", "0.0 %", "-0.004"},
		{"no share", Percent(0, 2), "0.00 %", "0.00 %", "0.0000"},
		{"factor", Factor(1.1949, 2), "1.19", "1.19", "1.1949"},
		{"dash", Int(0).Dashed(true), "-", "-", "0"},
		{"named", Named("runs/a.jsonl", "a"), "a", "a", "runs/a.jsonl"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := []string{tt.v.human(false), tt.v.human(true), tt.v.data()}
			if diff := cmp.Diff([]string{tt.human, tt.compact, tt.data}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Two runs that differ at the end of their names must still differ when the names are cut.
func TestMiddle(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		width    int
		want     string
	}{
		{"short", "abc", 3, "abc"},
		{"long", "rollout-2026-01-01-abc", 10, "rollo…-abc"},
		{"wide letters", "漢字漢字漢字", 7, "漢字…字"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := middle(tt.in, tt.width)
			if got != tt.want || twwidth.Width(got) > tt.width {
				t.Errorf("middle(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
			}
		})
	}
}

// A gate or a completion must know every number of a run, and tell "not measured" from 0.
func TestMetrics(t *testing.T) {
	metrics, err := Metrics(runs()[0])
	if err != nil {
		t.Fatal(err)
	}
	value := func(n float64) *float64 { return &n }
	for name, want := range map[string]*float64{
		"overflows": value(0), "naive_overflows": value(78), "summaries": value(1), "recorded_changes": value(6),
		"micro.fired": value(5), "micro.freed_tokens": value(182_410), "min_headroom": value(36_651), "at_risk_tokens": nil,
	} {
		got, ok := metrics[name]
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if !slices.Contains(MetricNames([]string{"micro"}), "micro.fired") {
		t.Error("the names lack micro.fired")
	}
}
