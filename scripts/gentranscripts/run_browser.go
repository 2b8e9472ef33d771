package main

import (
	"fmt"
	"time"

	"perch/formats/transcript"
)

// Inputs of Playwright's tools.
type (
	gotoInput struct {
		URL string `json:"url"`
	}
	clickInput struct {
		Element string `json:"element"`
		Ref     string `json:"ref"`
	}
	typeInput struct {
		Element string `json:"element"`
		Ref     string `json:"ref"`
		Text    string `json:"text"`
	}
	shotInput struct {
		Type string `json:"type"`
		Full bool   `json:"fullPage,omitempty"`
	}
	noInput struct{}
)

// browser drives a back office through Playwright: full snapshots of long pages, incremental ones, and screenshots.
func browser() []file {
	s := newSession(profile{
		seed: 2, version: "2.1.112", model: "claude-sonnet-4-5-20250929", cwd: "/srv/shop", branch: "main",
		start: time.Date(2026, 3, 6, 13, 40, 0, 0, time.UTC), overhead: 24_906, system: 21_350, final: true, drops: true,
	})
	b := &tab{s: s, site: &site{r: s.text, host: "http://localhost:5173"}}
	s.say("Go through the back office at http://localhost:5173 like a new colleague would: open every section, filter, open an order, cancel one. Take a screenshot of each section and tell me what is confusing. Do not change any settings.")
	for i, section := range []string{"/", "/orders", "/customers", "/stock", "/reports"} {
		b.open(section, s.text.between(16, 44))
		b.shoot(1280, 720)
		for range 4 {
			b.filter()
		}
		b.click()
		if i%2 == 0 {
			b.whole()
		}
		if i == 2 {
			s.step(80, s.text.prose(500))
			s.wait(9 * time.Minute)
			s.say("Please also check the customers page at the width of a phone.")
			b.shoot(390, 844)
		}
	}
	b.shoot(2560, 1440)
	s.step(160, s.text.prose(1800))
	s.endTurn(11 * time.Minute)
	return []file{{"claude-code/browser.jsonl", s.bytes()}}
}

// tab is the page an agent looks at.
type tab struct {
	s    *session
	site *site
	page *node
	path string
}

// call makes one tool call that answers with a page.
func (b *tab) call(tool string, input any, result string) call {
	return call{tool: "mcp__playwright__browser_" + tool, input: input, result: result, class: transcript.Page, list: true}
}

// open loads a section.
func (b *tab) open(path string, rows int) {
	b.path, b.page = path, b.site.list(rows)
	code := fmt.Sprintf("await page.goto('%s%s');", b.site.host, path)
	b.s.step(0, b.s.text.line(), b.call("navigate", gotoInput{b.site.host + path}, b.site.snapshot(b.page, path, code, 0)))
}

// whole asks for the whole page again.
func (b *tab) whole() {
	b.s.step(0, "", b.call("snapshot", noInput{}, b.site.snapshot(b.page, b.path, "await page.ariaSnapshot();", 0)))
}

// filter types into a field: a few rows of the table are new.
func (b *tab) filter() {
	since := b.site.next + 1
	main := b.page.children[1]
	main.children[len(main.children)-1] = b.site.table(b.s.text.between(3, 12))
	b.site.number(b.page)
	word := b.s.text.fill("{adj}")
	field := main.find("form").children[0].children[1]
	in := typeInput{Element: field.name, Ref: fmt.Sprintf("e%d", field.ref), Text: word}
	code := fmt.Sprintf("await page.getByLabel('%s').fill('%s');", field.name, word)
	b.s.step(0, "", b.call("type", in, b.site.snapshot(b.page, b.path, code, since)))
}

// click opens a dialog on top of the page.
func (b *tab) click() {
	since := b.site.next + 1
	button := b.page.find("rowgroup").find("button")
	order := b.s.text.fill("{d6}")
	b.page.children = append(b.page.children, b.site.el("dialog", "Order "+order, b.site.heading(2, "Order "+order), b.site.form(4)))
	b.site.number(b.page)
	in := clickInput{Element: "Open", Ref: fmt.Sprintf("e%d", button.ref)}
	b.s.step(0, b.s.text.line(), b.call("click", in, b.site.snapshot(b.page, b.path, "await page.getByRole('button', { name: 'Open' }).click();", since)))
}

// shoot takes a screenshot.
func (b *tab) shoot(width, height int) {
	c := b.call("take_screenshot", shotInput{Type: "png"}, fmt.Sprintf("Took a screenshot of the viewport, %d x %d.", width, height))
	c.class = transcript.Prose
	b.s.step(0, "", c.screenshot(width, height))
}
