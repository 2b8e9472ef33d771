package lint

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// tableFile is where findings about the table itself point to.
const tableFile = "scripts/lint/table.go"

// rows checks the table itself: each package has one row, each row a package, and a module stands in one row only.
func (c *checker) rows() {
	owner := map[string]string{}
	for _, r := range c.rules.Rooms {
		if !slices.ContainsFunc(c.tree.Packages, func(p *Package) bool { return p.Dir == r.Dir }) {
			c.found = append(c.found, Finding{File: tableFile, Message: "the table has a row for " + r.Dir + ", which does not exist"})
		}
		for _, m := range r.Theirs {
			if other, taken := owner[m]; taken && !slices.Contains(c.rules.Shared, m) {
				c.found = append(c.found, Finding{File: tableFile, Message: "both " + other + " and " + r.Dir + " may import " + m + ": one package of ours owns a module"})
			}
			owner[m] = r.Dir
		}
	}
	for _, p := range c.tree.Packages {
		if _, ok := c.rules.room(p.Dir); !ok {
			c.report(p.Files[0].AST.Package, "package %s has no row in the table of scripts/lint", p.Dir)
		}
	}
}

// room returns the row of a package.
func (r Rules) room(dir string) (Room, bool) {
	i := slices.IndexFunc(r.Rooms, func(room Room) bool { return room.Dir == dir })
	if i < 0 {
		return Room{}, false
	}
	return r.Rooms[i], true
}

// imports checks every import of a file against its package's row.
func (c *checker) imports(p *Package, f *File) {
	room, ok := c.rules.room(p.Dir)
	if !ok {
		return
	}
	for _, spec := range f.AST.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		ours, isOurs := strings.CutPrefix(name, c.tree.Module+"/")
		first, _, _ := strings.Cut(name, "/")
		switch {
		case isOurs:
			if !slices.Contains(room.Ours, Everything) && !slices.Contains(room.Ours, ours) {
				c.report(spec.Pos(), "%s may not import %s: the arrow points the wrong way", p.Dir, ours)
			}
		case strings.Contains(first, "."):
			if !within(name, room.Theirs) {
				c.report(spec.Pos(), "%s may not import %s: no row of the table gives it this module", p.Dir, name)
			}
		case within(name, room.Never):
			c.report(spec.Pos(), "%s may not import %s", p.Dir, name)
		}
	}
	c.calls(p, f, room)
}

// within reports whether an import path is one of a list or below one of it.
func within(name string, list []string) bool {
	return slices.ContainsFunc(list, func(m string) bool { return name == m || strings.HasPrefix(name, m+"/") })
}

// calls finds uses of single names a row excludes, such as time.Now.
func (c *checker) calls(p *Package, f *File, room Room) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Obj == nil && slices.Contains(room.Never, x.Name+"."+sel.Sel.Name) {
				c.report(sel.Pos(), "%s may not use %s.%s", p.Dir, x.Name, sel.Sel.Name)
			}
		}
		return true
	})
}
