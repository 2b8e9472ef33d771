package lint

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestTree fails when the project breaks one of its own rules, and says where.
func TestTree(t *testing.T) {
	tree, err := Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Packages) < 5 {
		t.Fatalf("found %d packages: looking in the wrong place", len(tree.Packages))
	}
	for _, f := range Check(tree, Project()) {
		t.Error(f)
	}
}

// small are rules for sources of a few lines.
func small() Rules {
	r := Project()
	r.Rooms = []Room{
		{Dir: "low", Never: []string{"os", "time.Now"}},
		{Dir: "high", Ours: []string{"low"}, Theirs: []string{"example.com/lib"}},
	}
	r.FileLines, r.FuncLines = 30, 5
	r.Tables = nil
	return r
}

// TestPlantedViolations shows that each rule catches what it is for: a rule that catches nothing protects nobody.
func TestPlantedViolations(t *testing.T) {
	const low, high = "// Package low is low.\npackage low\n", "// Package high is high.\npackage high\n"
	tests := []struct {
		name      string
		low, high string
		want      []string
	}{
		{name: "clean sources", low: low + "var _ error = nil\n", high: high + "import _ \"m/low\"\nimport _ \"example.com/lib/sub\"\n"},
		{name: "wrong arrow", low: low + "import _ \"m/high\"\n", high: high, want: []string{"low/a.go:3: low may not import high: the arrow points the wrong way"}},
		{name: "foreign module", low: low + "import _ \"example.com/lib\"\n", high: high, want: []string{"low/a.go:3: low may not import example.com/lib: no row of the table gives it this module"}},
		{name: "files in the core", low: low + "import _ \"os\"\n", high: high, want: []string{"low/a.go:3: low may not import os"}},
		{name: "clock in the core", low: low + "import \"time\"\nvar _ = time.Now\n", high: high, want: []string{"low/a.go:4: low may not use time.Now"}},
		{name: "package without a comment", low: "package low\n", high: high, want: []string{"low/a.go:1: package low has no comment"}},
		{name: "comment of another package", low: "// Package lo is low.\npackage low\n", high: high, want: []string{`low/a.go:1: the package comment does not start with "Package low"`}},
		{name: "long function", low: low + "func f() {\n\n\n\n\n}\n", high: high, want: []string{"low/a.go:3: f has 6 lines, more than 5"}},
		{name: "long file", low: low + strings.Repeat("\n", 29), high: high, want: []string{"low/a.go:2: 31 lines, more than 30: a file holds one concept"}},
		{name: "undocumented function", low: low + "func F() {}\n", high: high, want: []string{"low/a.go:3: F has no comment"}},
		{name: "undocumented method", low: low + "// T is t.\ntype T[E any] struct{}\nfunc (t *T[E]) M() {}\n", high: high, want: []string{"low/a.go:5: M has no comment"}},
		{name: "method of a hidden type", low: low + "type t struct{}\nfunc (t) M() {}\n", high: high},
		{name: "comment about something else", low: low + "// It is a t.\ntype T int\n", high: high, want: []string{"low/a.go:4: the comment of T does not start with its name"}},
		{name: "group with one comment", low: low + "// The numbers.\nconst (\n\tA = 1\n\tB = 2\n)\n", high: high},
		{name: "group without a comment", low: low + "const (\n\tA = 1\n)\n", high: high, want: []string{"low/a.go:4: A has no comment, and its group has none either"}},
		{name: "work put off", low: low + "// f is for later, TO" + "DO.\nfunc f() { panic(\"todo\") }\n", high: high, want: []string{
			"low/a.go:3: a comment says TO" + "DO: do it, or say in an issue what is missing", "low/a.go:4: a stub"}},
		{name: "hidden start", low: low + "func init() {}\n", high: high, want: []string{"low/a.go:3: an init function: say it in an explicit list or where it is used"}},
		{name: "exit from a library", low: low, high: high + "import \"os\"\nfunc f() { os.Exit(1) }\n", want: []string{"high/a.go:4: os.Exit outside main: return an error or a status"}},
		{name: "variable without a value", low: low + "var n int\n", high: high, want: []string{"low/a.go:3: package variable n: make it a constant, an array or an argument, or name it in the tables of scripts/lint"}},
		{name: "map variable", low: low + "var m = map[string]int{}\n", high: high, want: []string{"low/a.go:3: package variable m: make it a constant, an array or an argument, or name it in the tables of scripts/lint"}},
		{name: "exported slice", low: low + "// List is a list.\nvar List = []int{1}\n", high: high, want: []string{"low/a.go:4: package variable List: make it a constant, an array or an argument, or name it in the tables of scripts/lint"}},
		{name: "slice written to", low: low + "var list = []int{1}\nfunc f() { list = append(list, 2) }\n", high: high, want: []string{"low/a.go:4: list is written to: package variables do not change"}},
		{name: "error value, array, struct and embedded file", low: low + "import (\n\t\"errors\"\n\t_ \"embed\"\n)\ntype pair struct{ a int }\nvar errA = errors.New(\"a\")\nvar table = [...]int{1}\nvar one = pair{1}\n//go:embed x\nvar data string\n", high: high},
		{name: "table written to", low: low + "var table = [...]int{1}\nfunc f() { table[0]++ }\nfunc g() { table := []int{1}; table[0] = 2 }\n", high: high, want: []string{"low/a.go:4: table is written to: package variables do not change"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := Load(fstest.MapFS{
				"go.mod":            {Data: []byte("module m\n")},
				"low/a.go":          {Data: []byte(tt.low)},
				"high/a.go":         {Data: []byte(tt.high)},
				"low/a_test.go":     {Data: []byte("package low\nfunc init() {}\n")},
				"low/testdata/b.go": {Data: []byte("not go")},
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range Check(tree, small()) {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTable fails when the import table and the folders part ways, or a module gets a second owner.
func TestTable(t *testing.T) {
	tree, err := Load(fstest.MapFS{
		"go.mod":     {Data: []byte("module m\n")},
		"low/a.go":   {Data: []byte("// Package low is low.\npackage low\n")},
		"other/a.go": {Data: []byte("// Package other is new.\npackage other\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	rules := small()
	rules.Tables = []string{"low.All"}
	rules.Rooms = append(rules.Rooms[:1], Room{Dir: "gone", Theirs: []string{"example.com/lib"}}, Room{Dir: "low", Theirs: []string{"example.com/lib"}})
	var got []string
	for _, f := range Check(tree, rules) {
		got = append(got, f.String())
	}
	want := []string{
		"other/a.go:2: package other has no row in the table of scripts/lint",
		"scripts/lint/table.go:0: both gone and low may import example.com/lib: one package of ours owns a module",
		"scripts/lint/table.go:0: the allow-list names low.All, which is no package variable",
		"scripts/lint/table.go:0: the table has a row for gone, which does not exist",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
