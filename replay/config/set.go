package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Set gives a setting another value, written as in a file, as --set does. A list may be written as a,b.
func (c *Config) Set(key, value string) error {
	if err := c.set(key, value, Origin{Layer: LayerFlag, Name: "--set"}); err != nil {
		return err
	}
	return nil
}

// set is Set for any layer that names one key.
func (c *Config) set(key, value string, by Origin) *Error {
	l, ok := c.leaf(key)
	if !ok {
		return &Error{by, c.unknownKey(key)}
	}
	n, err := textNode(value, l.value)
	if err == nil {
		err = readValue(n, l.value, l.spec)
	}
	if err != nil {
		text := l.key + ": " + err.Error()
		if by.Name == "--"+l.key { // --limit: limit: ... would say it twice
			text = err.Error()
		}
		return &Error{by, text}
	}
	c.origins[l.key] = by
	return nil
}

// textNode reads a value that stands alone. Texts are taken as they are, so that a glob needs no quotes.
func textNode(text string, v reflect.Value) (*node, error) {
	if _, own := v.Addr().Interface().(yamlReader); !own {
		bracketed := strings.HasPrefix(text, "[")
		switch {
		case v.Kind() == reflect.Slice && !bracketed && text != "none":
			n := &node{kind: list}
			for item := range strings.SplitSeq(text, ",") {
				n.items = append(n.items, &node{kind: scalar, text: strings.TrimSpace(item)})
			}
			return n, nil
		case v.Kind() == reflect.String:
			return &node{kind: scalar, text: text}, nil
		}
	}
	n, problems := parseTree([]byte(text))
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %s", short(text), problems[0].text)
	}
	if n == nil {
		n = &node{}
	}
	return n, nil
}

// unknownKey explains a key that no setting has.
func (c *Config) unknownKey(key string) string {
	id, below, _ := strings.Cut(key, ".")
	switch {
	case key == "preset":
		return "preset: a preset is what the other settings begin with; name it with --preset"
	case key == "steps":
		return "steps: the list of steps is written in a file; here give a key of one, such as micro.keep_last"
	case c.step(id) != nil && (below == "use" || below == "id"):
		return fmt.Sprintf("%s: the stage and the id of a step are fixed by the list steps: in a file", key)
	}
	if group := c.below(key); len(group) > 0 {
		return fmt.Sprintf("%s is a group of keys; set one of %s", key, strings.Join(group, ", "))
	}
	if near, ok := c.nearestKey(key); ok {
		return fmt.Sprintf("unknown key %s; did you mean %s?", short(key), near)
	}
	if s := c.step(id); s != nil {
		return fmt.Sprintf("unknown key %s; the keys of %s are %s", short(key), id, strings.Join(c.below(id), ", "))
	}
	return fmt.Sprintf("unknown key %s; perch config show lists the keys", short(key))
}

// below lists the keys of a group.
func (c *Config) below(group string) []string {
	var keys []string
	for _, l := range c.leaves() {
		if strings.HasPrefix(l.key, group+".") {
			keys = append(keys, l.key)
		}
	}
	return keys
}

// nearestKey finds the setting a wrong key means: a slip in the whole of it, or a step's key without the step.
func (c *Config) nearestKey(key string) (string, bool) {
	var keys, inStep []string
	for _, l := range c.leaves() {
		_, below, _ := strings.Cut(l.key, ".")
		keys, inStep = append(keys, l.key), append(inStep, below)
	}
	if i := slices.Index(inStep, key); i >= 0 {
		return keys[i], true
	}
	for _, k := range keys {
		if strings.HasSuffix(k, "."+key) {
			return k, true
		}
	}
	if near, ok := nearest(key, keys); ok {
		return near, true
	}
	if near, ok := nearest(key, inStep); ok {
		return keys[slices.Index(inStep, near)], true
	}
	return "", false
}
