package config

import (
	"reflect"
	"strings"
)

// child is one key of a group: a struct field under its yaml name.
type child struct {
	name  string
	value reflect.Value
}

// children lists the keys of a struct in the order they are declared.
func children(v reflect.Value) []child {
	var out []child
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		switch {
		case option == "inline":
			out = append(out, children(v.Field(i))...)
		case name != "" && name != "-":
			out = append(out, child{name, v.Field(i)})
		}
	}
	return out
}

// isGroup reports whether a field holds keys of its own rather than a value.
func isGroup(v reflect.Value) bool {
	_, own := v.Addr().Interface().(yamlReader)
	return v.Kind() == reflect.Struct && !own
}

// children lists the keys of a step: its own, then its stage's.
func (s *Step) children() []child {
	return append(children(reflect.ValueOf(s).Elem()), children(reflect.ValueOf(s.Stage).Elem())...)
}

// leaf is one setting that has a value.
type leaf struct {
	key   string // as it is addressed, micro.keep_last
	spec  spec
	value reflect.Value
}

// leaves lists every setting of the configuration: its own, then step by step.
func (c *Config) leaves() []leaf {
	out := collect(nil, "", "", children(reflect.ValueOf(c).Elem()))
	for i := range c.Steps {
		s := &c.Steps[i]
		out = collect(out, s.ID, s.Use, s.children())
	}
	return out
}

// collect adds the settings below a group. prefix is how the group is addressed, kind how its specs are named: for
// a step they differ, by id and by stage.
func collect(out []leaf, prefix, kind string, cs []child) []leaf {
	for _, ch := range cs {
		key, name := join(prefix, ch.name), join(kind, ch.name)
		if isGroup(ch.value) {
			out = collect(out, key, name, children(ch.value))
			continue
		}
		out = append(out, leaf{key, specOf(name), ch.value})
	}
	return out
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// leaf returns a setting by its key. Other names of a key are understood.
func (c *Config) leaf(key string) (leaf, bool) {
	key = c.canonical(key)
	for _, l := range c.leaves() {
		if l.key == key {
			return l, true
		}
	}
	return leaf{}, false
}

// canonical replaces the other name of a step's key, as in micro.clear_at_least.
func (c *Config) canonical(key string) string {
	id, name, _ := strings.Cut(key, ".")
	if s := c.step(id); s != nil {
		if real, ok := otherName(s.Use, name); ok {
			return join(id, real)
		}
	}
	return key
}

// step returns a step by its id, or nil.
func (c *Config) step(id string) *Step {
	for i := range c.Steps {
		if c.Steps[i].ID == id {
			return &c.Steps[i]
		}
	}
	return nil
}

// otherNames lists names under which other tools know a key.
var otherNames = [...]struct{ use, name, real string }{
	{"microcompact", "clear_at_least", "min_freed"}, // the provider-side clearing of tool uses calls it that
}

// otherName returns the key of a stage that goes by another name elsewhere.
func otherName(use, name string) (string, bool) {
	for _, o := range otherNames {
		if o.use == use && o.name == name {
			return o.real, true
		}
	}
	return "", false
}
