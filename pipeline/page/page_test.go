package page

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const header = "### Ran Playwright code\n```js\nawait page.goto('http://site/');\n```\n### Page\n- Page URL: http://site/\n- Page Title: Site\n### Snapshot\n"

// fenced is a whole result of a browser tool.
func fenced(lines ...string) string {
	return header + "```yaml\n" + strings.Join(lines, "\n") + "\n```\n### Events\n- [INFO] loaded"
}

// TestFind: a log that quotes a page is cut, or a page is carried along whole.
func TestFind(t *testing.T) {
	nine := strings.Repeat("- button \"a\" [ref=e1]\n", 9)
	for _, c := range []struct {
		name, text  string
		want        bool
		incremental bool
		title       string
	}{
		{"fenced", fenced(`- button "Go" [ref=e3]`), true, false, "Site"},
		{"incremental", fenced(`- <changed> generic [ref=e3]:`, `  - ref=e4 [unchanged]`), true, true, "Site"},
		{"bare body", "- main [ref=e1]:\n  - heading \"News\" [level=1] [ref=e2]", true, false, "News"},
		{"unfinished fence", "```yaml\n- button \"Go\" [ref=e3]\n- link", true, false, ""},
		{"quoted key", fenced(`- 'link "More: it''s here" [ref=e3] [cursor=pointer]':`, `  - /url: /more`), true, false, "Site"},
		{"second fence", "```yaml\nname: x\n```\n```yaml\n- button \"Go\" [ref=e3]\n```", true, false, ""},
		{"snapshot without refs", fenced(`- button "Go"`), false, false, ""},
		{"other yaml", "```yaml\n- name: \"[ref=e3]\"\n```", false, false, ""},
		{"test file that quotes refs", "   12→  await expect(page).toMatch(`\n   13→- button \"Go\" [ref=e3]\n   14→`)", false, false, ""},
		{"one strange line in ten", nine + "a log line", false, false, ""},
		{"one strange line in twenty", nine + nine + "- link [ref=e2]\na log line", true, false, ""},
		{"open quote", "- button \"Go [ref=e3]", false, false, ""},
		{"prose after the key", "- button [ref=e3] is what I would click", false, false, ""},
		{"nothing", "", false, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, ok := Find(c.text)
			if ok != c.want || s.Incremental != c.incremental || s.Title != c.title {
				t.Errorf("found %v %+v", ok, s)
			}
		})
	}
}

// TestActionable: the model cannot click what it saw, or does not know where it is.
func TestActionable(t *testing.T) {
	for _, c := range []struct {
		name     string
		in, want []string
	}{
		{"controls without wrappers and text", []string{
			`- generic [ref=e1]:`,
			`  - paragraph [ref=e2]: a long story`,
			`  - generic [ref=e3]:`,
			`    - link "Home" [ref=e4] [cursor=pointer]:`,
			`      - /url: /home`,
		}, []string{
			`- link "Home" [ref=e4] [cursor=pointer]`,
		}},
		{"structure around them", []string{
			`- generic [ref=e1]:`,
			`  - main [ref=e2]:`,
			`    - generic [ref=e3]:`,
			`      - heading "News" [level=1] [ref=e4]`,
			`      - button "Go" [ref=e5]`,
		}, []string{
			`- main [ref=e2]:`,
			`  - heading "News" [level=1] [ref=e4]`,
			`  - button "Go" [ref=e5]`,
		}},
		{"values and states", []string{
			`- generic [ref=e1]:`,
			`  - textbox "Mail" [ref=e2]: a@b.c`,
			`  - checkbox "All" [checked] [ref=e3]`,
			`  - row "x" [selected] [ref=e4]`,
		}, []string{
			`- textbox "Mail" [ref=e2]: a@b.c`,
			`- checkbox "All" [checked] [ref=e3]`,
			`- row "x" [selected] [ref=e4]`,
		}},
		{"label of a control without a name", []string{
			`- generic [ref=e1] [cursor=pointer]:`,
			`  - img [ref=e2]`,
			`  - generic [ref=e3]: Settings`,
		}, []string{
			`- generic [ref=e1] [cursor=pointer]: Settings`,
		}},
		{"no label from another control", []string{
			`- generic [ref=e1] [cursor=pointer]:`,
			`  - button "Close" [ref=e2]`,
			`  - paragraph [ref=e3]: text`,
		}, []string{
			`- generic [ref=e1] [cursor=pointer]:`,
			`  - button "Close" [ref=e2]`,
		}},
		{"head of an incremental snapshot", []string{
			`- <changed> generic [ref=e1]:`,
			`  - ref=e2 [unchanged]`,
			`  - paragraph: text`,
		}, []string{
			`- <changed> generic [ref=e1]`,
			`- paragraph: text`,
		}},
		{"headers of a table", []string{
			`- table [ref=e1]:`,
			`  - rowgroup [ref=e2]:`,
			`    - row "Name Age" [ref=e3]:`,
			`      - columnheader "Name" [ref=e4]`,
			`    - row "Ann 33" [ref=e5]:`,
			`      - cell "Ann" [ref=e6]`,
		}, []string{
			`- table [ref=e1]:`,
			`  - columnheader "Name" [ref=e4]`,
		}},
		{"page with nothing to act upon", []string{
			`- generic [ref=e1]:`,
			`  - img [ref=e2]`,
			`  - paragraph [ref=e3]: one`,
			`  - paragraph [ref=e4]: two`,
			`  - paragraph [ref=e5]: three`,
			`  - paragraph [ref=e6]: four`,
		}, []string{
			`- paragraph [ref=e3]: one`,
			`- paragraph [ref=e4]: two`,
			`- paragraph [ref=e5]: three`,
		}},
		{"page that says nothing", []string{
			`- generic [ref=e1]:`,
			`  - img [ref=e2]`,
		}, []string{
			`- generic [ref=e1]`,
		}},
		{"long name", []string{
			`- link "` + strings.Repeat("é", 300) + `" [ref=e1]`,
		}, []string{
			`- link "` + strings.Repeat("é", textLimit-3) + `…" [ref=e1]`,
		}},
		{"quoted key", []string{
			`- generic [ref=e1]:`,
			`  - 'button "Note: it''s" [ref=e2]':`,
			`    - img [ref=e3]`,
		}, []string{
			`- 'button "Note: it''s" [ref=e2]'`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(fenced(c.want...), Actionable(fenced(c.in...), 2000)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestActionableCap: one huge page fills the window although it is cut.
func TestActionableCap(t *testing.T) {
	lines := []string{"- main [ref=e0]:"}
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("  - button \"b%d\" [ref=e%d]", i, i))
	}
	s := strings.Join(lines, "\n")
	got := Actionable(s, 25)
	want := "- main [ref=e0]:\n  - button \"b0\" [ref=e0]\n  - button \"b1\" [ref=e1]\n# lines cut: 98"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := Actionable(s, 0); got != "- main [ref=e0]\n# lines cut: 100" {
		t.Errorf("cut to nothing: %q", got)
	}
}

// TestStub: nobody can tell which page stood there.
func TestStub(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"fence and all", fenced(strings.Repeat("- button \"Go\" [ref=e3]\n", 9)), header + "[page snapshot removed: Site <http://site/>, 70 tokens]\n### Events\n- [INFO] loaded"},
		{"bare body", strings.Repeat("- heading \"News\" [ref=e3]\n", 9), "[page snapshot removed: News <http://call/>, 70 tokens]"},
		{"two pages", "```yaml\n" + strings.Repeat("- button \"Go\" [ref=e3]\n", 9) + "```\n```yaml\n" + strings.Repeat("- button \"Go\" [ref=e3]\n", 9) + "```", "[page snapshot removed <http://call/>, 70 tokens]\n[page snapshot removed <http://call/>, 70 tokens]"},
		{"smaller than its stub", "- button [ref=e3]", "- button [ref=e3]"},
		{"no page", "a log", "a log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Stub(c.in, "http://call/", 70)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// snapshots draws trees of everything the notation knows, and of what it does not.
func snapshots() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		depth := 0
		for range rapid.IntRange(1, 30).Draw(t, "lines") {
			depth = rapid.IntRange(0, depth+1).Draw(t, "depth")
			line := rapid.SampledFrom([]string{
				`- generic [ref=e1]`, `- button "Go" [ref=e2] [cursor=pointer]`, `- generic [ref=e3] [cursor=pointer]`, `- 'link "a: b" [ref=e4]'`,
				`- heading "News" [level=1] [ref=e5]`, `- <changed> main [ref=e6]`, `- /url: /x`, `- ref=e7 [unchanged]`, `- text`, `- textbox [active] [ref=e8]`,
				`- link "` + strings.Repeat("long name ", 30) + `" [ref=e9]`, "no node", "```", "```yaml", "# lines cut: 3",
			}).Draw(t, "line")
			end := rapid.SampledFrom([]string{"", ":", ": value", `: "quoted: value"`, ": " + strings.Repeat("long é ", 60)}).Draw(t, "end")
			b.WriteString(strings.Repeat("  ", depth) + line + end + "\n")
		}
		if rapid.Bool().Draw(t, "fenced") {
			return fenced(b.String())
		}
		return b.String()
	})
}

// TestReducingSettles: a page that changes from call to call breaks the provider's cache each time.
func TestReducingSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := snapshots().Draw(t, "text")
		most := rapid.IntRange(0, 300).Draw(t, "tokens")
		for name, f := range map[string]func(string) string{
			"actionable": func(s string) string { return Actionable(s, most) },
			"stub":       func(s string) string { return Stub(s, "http://call/", most) },
		} {
			once := f(text)
			if len(once) > len(text) || once == "" || !utf8.ValidString(once) {
				t.Fatalf("%s made\n%s\nof\n%s", name, once, text)
			}
			if again := f(once); again != once {
				t.Fatalf("%s of\n%s\nis\n%s\nand of that\n%s", name, text, once, again)
			}
		}
	})
}
