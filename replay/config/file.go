package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// loader lays one document, a file or a preset, over a configuration.
type loader struct {
	cfg   *Config
	at    Origin // of the document; a key adds its line and column
	about About
	errs  Errors
}

func (l *loader) origin(at place) Origin {
	o := l.at
	o.Line, o.Column = at.line, at.column
	return o
}

func (l *loader) fail(at place, format string, args ...any) {
	l.errs = append(l.errs, &Error{Origin: l.origin(at), Text: fmt.Sprintf(format, args...)})
}

// sorted returns the mistakes in the order of their lines.
func (l *loader) sorted() Errors {
	slices.SortStableFunc(l.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Origin.Line, b.Origin.Line), cmp.Compare(a.Origin.Column, b.Origin.Column))
	})
	return l.errs
}

// document reads the top level: settings, steps as a list, or keys of the steps that are there already, by id.
func (l *loader) document(root *node) {
	if root == nil {
		return
	}
	if root.kind != mapping {
		l.fail(root.at, "want settings such as trigger: 0.8, got %s", got(root))
		return
	}
	replaced := root.field("steps") != nil
	if replaced {
		l.steps(root.field("steps"))
	}
	top := children(reflect.ValueOf(l.cfg).Elem())
	for _, f := range root.fields {
		switch s := l.cfg.step(f.key); {
		case f.key == "steps":
		case f.key == "preset":
			if l.at.Layer == LayerPreset {
				l.fail(f.value.at, "preset: a preset cannot begin with another one; write its keys out")
			} else if f.value.kind != scalar {
				l.fail(f.value.at, "preset: want the name of a preset, got %s", got(f.value))
			}
		case f.key == "about":
			l.group("about", "about", children(reflect.ValueOf(&l.about).Elem()), f.value)
		case s != nil && replaced:
			l.fail(f.at, "%s is a step of the list in this file; give its keys there", f.key)
		case s != nil:
			l.group(s.ID, s.Use, s.children(), f.value)
		default:
			l.key("", "", top, f)
		}
	}
}

// group reads the keys of a group.
func (l *loader) group(prefix, kind string, known []child, n *node) {
	if n.kind != mapping {
		l.fail(n.at, "%s: want keys such as {%s: ...}, got %s", prefix, known[0].name, got(n))
		return
	}
	for _, f := range n.fields {
		l.key(prefix, kind, known, f)
	}
}

// key reads one key of a group.
func (l *loader) key(prefix, kind string, known []child, f pair) {
	name := f.key
	if real, ok := otherName(kind, name); ok {
		name = real
	}
	i := slices.IndexFunc(known, func(ch child) bool { return ch.name == name })
	if i < 0 {
		l.fail(f.at, "%s", l.unknown(prefix, known, f.key))
		return
	}
	key, v := join(prefix, name), known[i].value
	if isGroup(v) {
		l.group(key, join(kind, name), children(v), f.value)
		return
	}
	if prior, ok := l.cfg.origins[key]; ok && prior.Layer == l.at.Layer {
		l.fail(f.at, "%q sets %s for the second time (the first is at line %d); delete one", f.key, key, prior.Line)
		return
	}
	if err := readValue(f.value, v, specOf(join(kind, name))); err != nil {
		l.fail(f.value.at, "%s: %v", key, err)
		return
	}
	l.cfg.origins[key] = l.origin(f.at)
}

// unknown explains a key that is not there.
func (l *loader) unknown(prefix string, known []child, key string) string {
	if prefix == "" {
		return l.cfg.unknownTop(key)
	}
	var names []string
	for _, ch := range known {
		names = append(names, ch.name)
	}
	if near, ok := nearest(key, names); ok {
		return fmt.Sprintf("unknown key %s in %s; did you mean %s?", short(key), prefix, near)
	}
	return fmt.Sprintf("unknown key %s in %s; its keys are %s", short(key), prefix, strings.Join(names, ", "))
}

// topNames lists what can stand at the top of a file, the ids of steps apart.
func topNames() []string {
	names := []string{"about", "preset", "steps"}
	for _, ch := range children(reflect.ValueOf(&Config{}).Elem()) {
		names = append(names, ch.name)
	}
	return names
}

// unknownTop explains a key that is not at the top of a file, where people also try the keys of steps.
func (c *Config) unknownTop(key string) string {
	if l, ok := c.leaf(key); ok { // a dotted key, as flags write it
		path := strings.Split(l.key, ".")
		return fmt.Sprintf("unknown key %s; in a file write %s: ...%s", short(key), strings.Join(path, ": {"), strings.Repeat("}", len(path)-1))
	}
	names := topNames()
	for _, s := range c.Steps {
		names = append(names, s.ID)
	}
	if near, ok := nearest(key, names); ok {
		return fmt.Sprintf("unknown key %s; did you mean %s?", short(key), near)
	}
	if near, ok := c.nearestKey(key); ok {
		return fmt.Sprintf("unknown key %s; did you mean %s? it is a key of a step", short(key), near)
	}
	return fmt.Sprintf("unknown key %s; the keys here are %s", short(key), strings.Join(names, ", "))
}
