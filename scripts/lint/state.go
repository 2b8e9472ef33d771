package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// exits finds functions that run before main, and exits of the process from anywhere but main.
func (c *checker) exits(p *Package, f *File) {
	for _, d := range f.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if fn.Name.Name == "init" && fn.Recv == nil {
			c.report(fn.Pos(), "an init function: say it in an explicit list or where it is used")
		}
		if p.Name == "main" && fn.Name.Name == "main" && fn.Recv == nil {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(c.rules.Exits, exprText(sel)) {
				c.report(sel.Pos(), "%s outside main: return an error or a status", exprText(sel))
			}
			return true
		})
	}
}

// variables checks that no package-level variable can change: it is declared in a form that is safe to share, and
// nothing in the package writes to it.
func (c *checker) variables(p *Package) {
	vars := map[string]*ast.Object{}
	for _, f := range p.Files {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				embedded := embeds(g.Doc) || embeds(spec.Doc)
				for i, name := range spec.Names {
					vars[name.Name] = name.Obj
					if name.Name != "_" && !embedded && !c.fixed(p, spec, i) {
						c.report(name.Pos(), "package variable %s: make it a constant, an array or an argument, or name it in the tables of scripts/lint", name.Name)
					}
				}
			}
		}
	}
	for _, f := range p.Files {
		c.writes(f, vars)
	}
}

// fixed reports whether variable i of a declaration has one of the forms that are not meant to change.
func (c *checker) fixed(p *Package, spec *ast.ValueSpec, i int) bool {
	if full := p.Dir + "." + spec.Names[i].Name; slices.Contains(c.rules.Tables, full) {
		c.tables = append(c.tables, full)
		return true
	}
	if i >= len(spec.Values) {
		return false
	}
	switch v := spec.Values[i].(type) {
	case *ast.CompositeLit:
		switch t := v.Type.(type) {
		case *ast.ArrayType:
			return t.Len != nil || !spec.Names[i].IsExported() // another package could change an exported slice
		case *ast.Ident:
			return true // a struct value
		}
	case *ast.CallExpr:
		return slices.Contains(c.rules.Makers, exprText(v.Fun))
	}
	return false
}

// staleTables checks that every variable of the allow-list exists.
func (c *checker) staleTables() {
	for _, name := range c.rules.Tables {
		if !slices.Contains(c.tables, name) {
			c.found = append(c.found, Finding{File: tableFile, Message: "the allow-list names " + name + ", which is no package variable"})
		}
	}
}

// embeds reports whether a comment is a go:embed directive.
func embeds(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(l *ast.Comment) bool { return strings.HasPrefix(l.Text, "//go:embed ") })
}

// writes finds assignments to package variables and to what they hold.
func (c *checker) writes(f *File, vars map[string]*ast.Object) {
	check := func(target ast.Expr) {
		root := rootOf(target)
		if root == nil {
			return
		}
		obj, isVar := vars[root.Name]
		if isVar && (root.Obj == obj || root.Obj == nil) {
			c.report(target.Pos(), "%s is written to: package variables do not change", root.Name)
		}
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, target := range n.Lhs {
					check(target)
				}
			}
		case *ast.IncDecStmt:
			check(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				check(n.Key)
				check(n.Value)
			}
		}
		return true
	})
}

// rootOf is the variable an assignment goes to or through.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// exprText is a name or a qualified name as written, type arguments left out; "" for anything else.
func exprText(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if on, ok := x.X.(*ast.Ident); ok {
			return on.Name + "." + x.Sel.Name
		}
	case *ast.IndexExpr:
		return exprText(x.X)
	}
	return ""
}
