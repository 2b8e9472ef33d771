// Package lint checks what the compiler does not: which package may import which, and that code keeps the shape the
// project agreed on.
//
// It parses the sources in-process. A check that asks the go command would be cached by go test and go on passing
// after a violation. Its test is the only caller:
//
//  1. [Load] parses every package below a folder.
//  2. [Check] applies the rules to them and returns a [Finding] for each violation, with its file and line.
//  3. The rules' data stand in table.go: change a row there and in the design's table together.
package lint

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Finding is one violation.
type Finding struct {
	File    string // from the project's root
	Line    int
	Message string
}

// String writes the finding as compilers do, so that editors can jump to it.
func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message) }

// Tree is the parsed project.
type Tree struct {
	Module   string // path of the module
	Packages []*Package

	fset *token.FileSet
}

// Package is one folder with Go files.
type Package struct {
	Dir   string // from the project's root
	Name  string
	Files []*File // without tests, in order of their names
}

// File is one Go file.
type File struct {
	Path  string // from the project's root
	AST   *ast.File
	Lines int
}

// Load parses the Go files below root, tests and testdata excepted.
func Load(root fs.FS) (*Tree, error) {
	mod, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		return nil, fmt.Errorf("reading the module's name: %w", err)
	}
	first, _, _ := strings.Cut(string(mod), "\n")
	t := &Tree{Module: strings.TrimSpace(strings.TrimPrefix(first, "module ")), fset: token.NewFileSet()}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return t.add(root, name)
	})
	return t, err
}

// add parses one file and files it under its package.
func (t *Tree) add(root fs.FS, name string) error {
	source, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(t.fset, name, source, parser.ParseComments)
	if err != nil {
		return err
	}
	dir := path.Dir(name)
	i := slices.IndexFunc(t.Packages, func(p *Package) bool { return p.Dir == dir })
	if i < 0 {
		i = len(t.Packages)
		t.Packages = append(t.Packages, &Package{Dir: dir, Name: file.Name.Name})
	}
	p := t.Packages[i]
	p.Files = append(p.Files, &File{Path: name, AST: file, Lines: strings.Count(string(source), "\n")})
	return nil
}

// Check applies every rule and returns the findings by file and line.
func Check(t *Tree, rules Rules) []Finding {
	c := &checker{tree: t, rules: rules}
	c.rows()
	for _, p := range t.Packages {
		c.packageComment(p)
		c.variables(p)
		for _, f := range p.Files {
			c.imports(p, f)
			c.length(f)
			c.docs(f)
			c.marks(f)
			c.exits(p, f)
		}
	}
	c.staleTables()
	slices.SortFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return c.found
}

// checker collects findings.
type checker struct {
	tree   *Tree
	rules  Rules
	found  []Finding
	tables []string // variables of the allow-list that were seen
}

// report adds a finding at a place in the sources.
func (c *checker) report(at token.Pos, format string, args ...any) {
	pos := c.tree.fset.Position(at)
	c.found = append(c.found, Finding{File: pos.Filename, Line: pos.Line, Message: fmt.Sprintf(format, args...)})
}

// line is the line of a place.
func (c *checker) line(at token.Pos) int { return c.tree.fset.Position(at).Line }
