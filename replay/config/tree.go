package config

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A configuration is written by hand, so it is small and flat. The bounds keep the parser, whose time grows with
// the square of the nesting, from being fed something else.
const (
	maxSource  = 64 << 10 // bytes
	maxNesting = 32       // open brackets
)

// node is a piece of YAML with the place it stands at. JSON is YAML too.
type node struct {
	at     place
	kind   nodeKind
	text   string // of a scalar: as written, quotes and escapes resolved
	quoted bool   // of a scalar: text by its quotes, never a number
	items  []*node
	fields []pair // of a mapping, in the order written
}

type nodeKind uint8

const (
	empty nodeKind = iota // no value was written
	scalar
	list
	mapping
)

func (k nodeKind) String() string {
	return [...]string{"nothing", "a value", "a list", "a group of keys"}[k]
}

// pair is one entry of a mapping.
type pair struct {
	key   string
	at    place
	value *node
}

// place is a position in a source text, both from 1, the column in characters.
type place struct{ line, column int }

// problem is a mistake at a place; the layer that reads the text knows which file it is.
type problem struct {
	at   place
	text string
}

// parseTree reads one YAML document. A nil node means that the text holds no settings. What cannot be used is
// reported and left out, so that one reading finds as many mistakes as possible; a syntax error ends it.
func parseTree(src []byte) (*node, []problem) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if p := tooBig(src); p != nil {
		return nil, []problem{*p}
	}
	file, err := parser.ParseBytes(src, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, []problem{syntaxProblem(err)}
	}
	b := &builder{}
	var root *node
	for _, doc := range file.Docs {
		switch body := doc.Body.(type) {
		case nil:
		case *ast.DirectiveNode:
			b.report(body, "YAML directives are not supported; delete this line")
		default:
			if root != nil {
				b.report(body, "a second YAML document; a configuration is one document, so delete it or put it in a file of its own")
				return root, b.problems
			}
			root = b.build(body)
		}
	}
	return root, b.problems
}

func tooBig(src []byte) *problem {
	if len(src) > maxSource {
		return &problem{place{1, 1}, fmt.Sprintf("%d bytes are too many for a configuration (at most %d); is it the right file?", len(src), maxSource)}
	}
	depth, at := 0, place{1, 0}
	for _, c := range string(src) {
		at.column++
		switch c {
		case '\n':
			at = place{at.line + 1, 0}
		case '[', '{':
			if depth++; depth > maxNesting {
				return &problem{at, fmt.Sprintf("more than %d brackets are open here; a configuration is never that deep", maxNesting)}
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return nil
}

func syntaxProblem(err error) problem {
	var at yaml.Error
	if !errors.As(err, &at) || at.GetToken() == nil {
		return problem{place{1, 1}, "not valid YAML: " + err.Error()}
	}
	return problem{tokenPlace(at.GetToken()), "not valid YAML: " + at.GetMessage()}
}

// builder turns the parser's tree into nodes and collects what a configuration may not contain.
type builder struct{ problems []problem }

func (b *builder) report(n ast.Node, text string) {
	b.problems = append(b.problems, problem{tokenPlace(n.GetToken()), text})
}

// build returns nil for what is reported instead.
func (b *builder) build(n ast.Node) *node {
	switch n := n.(type) {
	case *ast.NullNode:
		return &node{at: tokenPlace(n.Token)}
	case *ast.StringNode:
		quoted := n.Token.Type == token.SingleQuoteType || n.Token.Type == token.DoubleQuoteType
		return &node{at: tokenPlace(n.Token), kind: scalar, text: n.Value, quoted: quoted}
	case *ast.LiteralNode:
		return &node{at: tokenPlace(n.GetToken()), kind: scalar, text: n.Value.Value, quoted: true}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &node{at: tokenPlace(n.GetToken()), kind: scalar, text: n.GetToken().Value}
	case *ast.SequenceNode:
		out := &node{at: tokenPlace(n.GetToken()), kind: list}
		for _, v := range n.Values {
			if item := b.build(v); item != nil {
				out.items = append(out.items, item)
			}
		}
		return out
	case ast.MapNode:
		return b.buildMapping(n)
	}
	b.report(n, "anchors, aliases and tags are not supported; write the value out, in quotes if it begins with * or & or !")
	return nil
}

func (b *builder) buildMapping(n ast.MapNode) *node {
	out := &node{at: mappingPlace(n), kind: mapping}
	seen := map[string]place{}
	for it := n.MapRange(); it.Next(); {
		key := it.Key().GetToken()
		e := pair{key: key.Value, at: tokenPlace(key)}
		if _, complex := it.Key().(*ast.MappingKeyNode); complex || it.Key().IsMergeKey() {
			b.report(it.Key(), "merge keys and complex keys are not supported; write the keys out")
			continue
		}
		if first, twice := seen[e.key]; twice {
			b.problems = append(b.problems, problem{e.at, fmt.Sprintf("%s stands here for the second time (the first is at line %d); delete one", short(e.key), first.line)})
			continue
		}
		seen[e.key] = e.at
		if e.value = b.build(it.Value()); e.value == nil {
			continue
		}
		if e.value.kind == empty {
			e.value.at = e.at // nothing has no place of its own
		}
		out.fields = append(out.fields, e)
	}
	return out
}

// mappingPlace is where the first key stands, or the bracket of a mapping without keys.
func mappingPlace(n ast.MapNode) place {
	if it := n.MapRange(); it.Next() {
		return tokenPlace(it.Key().GetToken())
	}
	if m, ok := n.(*ast.MappingNode); ok {
		return tokenPlace(m.Start)
	}
	return place{1, 1}
}

func tokenPlace(tk *token.Token) place {
	if tk == nil || tk.Position == nil {
		return place{1, 1}
	}
	return place{tk.Position.Line, tk.Position.Column}
}
