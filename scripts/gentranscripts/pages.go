package main

import (
	"fmt"
	"strings"
)

// node is one element of a page's accessibility tree.
type node struct {
	role, name string
	attrs      string // such as "[level=2]"
	url        string
	text       string // a leaf's own text
	ref        int
	children   []*node
}

// site is a made-up web application. Its pages keep their element numbers until they are loaded anew.
type site struct {
	r    source
	host string
	next int // number of the next element
}

// el makes an element of a page.
func (s *site) el(role, name string, children ...*node) *node {
	return &node{role: role, name: name, children: children}
}

// number numbers the elements that have no number yet, from the outside in.
func (s *site) number(n *node) {
	if n.ref == 0 {
		s.next++
		n.ref = s.next
	}
	for _, c := range n.children {
		s.number(c)
	}
}

// textEl makes a leaf with a text of its own.
func (s *site) textEl(role, text string) *node {
	n := s.el(role, "")
	n.text = text
	return n
}

// link makes a link.
func (s *site) link(name, url string) *node {
	n := s.el("link", name)
	n.url = url
	return n
}

// list loads a page with a filter form and a table of rows.
func (s *site) list(rows int) *node {
	s.next = 0
	main := s.el("main", "", s.heading(1, s.r.fill("{Adj} {noun}s")), s.textEl("paragraph", s.r.line()), s.form(3), s.table(rows))
	page := s.el("generic", "", s.banner(), main, s.footer())
	s.number(page)
	return page
}

// banner is the navigation every page starts with.
func (s *site) banner() *node {
	items := s.el("list", "")
	for _, name := range []string{"Overview", "Orders", "Customers", "Stock", "Reports", "Settings"} {
		items.children = append(items.children, s.el("listitem", "", s.link(name, "/"+strings.ToLower(name))))
	}
	return s.el("banner", "", s.link("Home", "/"), s.el("navigation", "Main", items), s.el("button", "Sign out"))
}

// footer is what every page ends with.
func (s *site) footer() *node {
	return s.el("contentinfo", "", s.textEl("generic", "All amounts in EUR."), s.link("Terms", "/terms"), s.link("Contact", "/contact"))
}

// heading makes a heading.
func (s *site) heading(level int, name string) *node {
	n := s.el("heading", name)
	n.attrs = fmt.Sprintf("[level=%d]", level)
	return n
}

// form makes a form of n fields.
func (s *site) form(n int) *node {
	form := s.el("form", s.r.fill("Filter {noun}s"))
	for range n {
		label := s.r.fill("{Adj} {noun}")
		field := pick(s.r, []string{"textbox", "combobox", "checkbox", "spinbutton"})
		form.children = append(form.children, s.el("generic", "", s.textEl("generic", label), s.el(field, label)))
	}
	form.children = append(form.children, s.el("button", "Apply"), s.el("button", "Reset"))
	return form
}

// table makes a table of n rows.
func (s *site) table(n int) *node {
	group := s.el("rowgroup", "")
	for range n {
		id := s.r.fill("{d6}")
		name, state, sum := pick(s.r, people[:]), pick(s.r, adjectives[:]), s.r.fill("{d4}.{d2} €")
		row := s.el("row", strings.Join([]string{id, name, state, sum}, " "),
			s.el("cell", id, s.link(id, "/orders/"+id)), s.el("cell", name), s.el("cell", state), s.el("cell", sum),
			s.el("cell", "Open Cancel", s.el("button", "Open"), s.el("button", "Cancel")))
		group.children = append(group.children, row)
	}
	return s.el("table", s.r.fill("{Noun}s by {noun}"), group)
}

// yaml renders an element as Playwright's snapshots show it. With since above 0, elements numbered below it that
// have nothing new inside are only named, as in an incremental snapshot.
func (n *node) yaml(out *strings.Builder, depth, since int) {
	indent := strings.Repeat("  ", depth)
	if since > 0 && n.newest() < since {
		fmt.Fprintf(out, "%s- ref=e%d [unchanged]\n", indent, n.ref)
		return
	}
	out.WriteString(indent + "- ")
	if since > 0 && depth == 0 {
		out.WriteString("<changed> ")
	}
	out.WriteString(n.role)
	if n.name != "" {
		fmt.Fprintf(out, " %q", n.name)
	}
	if n.attrs != "" {
		out.WriteString(" " + n.attrs)
	}
	fmt.Fprintf(out, " [ref=e%d]", n.ref)
	if n.role == "link" || n.role == "button" {
		out.WriteString(" [cursor=pointer]")
	}
	if n.text != "" {
		fmt.Fprintf(out, ": %s\n", n.text)
		return
	}
	if n.url == "" && len(n.children) == 0 {
		out.WriteByte('\n')
		return
	}
	out.WriteString(":\n")
	if n.url != "" {
		fmt.Fprintf(out, "%s  - /url: %s\n", indent, n.url)
	}
	for _, c := range n.children {
		c.yaml(out, depth+1, since)
	}
}

// find returns the first element of a role, the element itself included, or nil.
func (n *node) find(role string) *node {
	if n.role == role {
		return n
	}
	for _, c := range n.children {
		if found := c.find(role); found != nil {
			return found
		}
	}
	return nil
}

// newest is the highest number in the element.
func (n *node) newest() int {
	newest := n.ref
	for _, c := range n.children {
		newest = max(newest, c.newest())
	}
	return newest
}

// snapshot returns the text of a browser tool's result: the code that ran, the page, and its tree.
func (s *site) snapshot(page *node, path, code string, since int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "### Ran Playwright code\n```js\n%s\n```\n### Page\n- Page URL: %s%s\n- Page Title: %s\n### Snapshot\n```yaml\n", code, s.host, path, "Back office")
	page.yaml(&out, 0, since)
	out.WriteString("```")
	return out.String()
}
