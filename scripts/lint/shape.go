package lint

import (
	"go/ast"
	"go/token"
	"strings"
)

// length checks how long a file and its functions are.
func (c *checker) length(f *File) {
	if f.Lines > c.rules.FileLines {
		c.report(f.AST.Package, "%d lines, more than %d: a file holds one concept", f.Lines, c.rules.FileLines)
	}
	for _, d := range f.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := c.line(fn.End()) - c.line(fn.Pos()) + 1; n > c.rules.FuncLines {
			c.report(fn.Pos(), "%s has %d lines, more than %d", fn.Name.Name, n, c.rules.FuncLines)
		}
	}
}

// packageComment checks that one file says what the package is for.
func (c *checker) packageComment(p *Package) {
	for _, f := range p.Files {
		if f.AST.Doc == nil {
			continue
		}
		if text := f.AST.Doc.Text(); p.Name != "main" && !strings.HasPrefix(text, "Package "+p.Name+" ") {
			c.report(f.AST.Doc.Pos(), "the package comment does not start with %q", "Package "+p.Name)
		}
		return
	}
	c.report(p.Files[0].AST.Package, "package %s has no comment", p.Dir)
}

// docs checks that every exported name has a comment that starts with it.
func (c *checker) docs(f *File) {
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if exportedFunc(d) {
				c.doc(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			c.groupDocs(d)
		}
	}
}

// groupDocs checks one type, const or var declaration. In a group of constants or variables the comment of the group
// stands for those that have none of their own.
func (c *checker) groupDocs(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				c.doc(s.Name, either(s.Doc, d.Doc))
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				switch {
				case !name.IsExported():
				case !d.Lparen.IsValid():
					c.doc(name, either(s.Doc, d.Doc))
				case s.Doc == nil && s.Comment == nil && d.Doc == nil:
					c.report(name.Pos(), "%s has no comment, and its group has none either", name.Name)
				}
			}
		}
	}
}

// doc checks one comment.
func (c *checker) doc(name *ast.Ident, doc *ast.CommentGroup) {
	if doc == nil {
		c.report(name.Pos(), "%s has no comment", name.Name)
		return
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(doc.Text()), " "); first != name.Name {
		c.report(name.Pos(), "the comment of %s does not start with its name", name.Name)
	}
}

// either returns the first comment there is.
func either(a, b *ast.CommentGroup) *ast.CommentGroup {
	if a != nil {
		return a
	}
	return b
}

// exportedFunc reports whether a function can be called from outside: an exported name, on an exported type if any.
func exportedFunc(d *ast.FuncDecl) bool {
	if !d.Name.IsExported() {
		return false
	}
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// marks finds comments and stubs that put work off.
func (c *checker) marks(f *File) {
	for _, group := range f.AST.Comments {
		for _, line := range group.List {
			for _, mark := range c.rules.Marks {
				if strings.Contains(line.Text, mark) {
					c.report(line.Pos(), "a comment says %s: do it, or say in an issue what is missing", mark)
				}
			}
		}
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		fn, isName := call.Fun.(*ast.Ident)
		arg, isText := call.Args[0].(*ast.BasicLit)
		if isName && fn.Name == "panic" && isText && arg.Kind == token.STRING && strings.Contains(strings.ToLower(arg.Value), "todo") {
			c.report(call.Pos(), "a stub")
		}
		return true
	})
}
