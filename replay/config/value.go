package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// yamlReader and yamlWriter are implemented by values that are more than a bool, a number, a text or a list of
// texts: amounts, gates, a limit.
type (
	yamlReader interface {
		UnmarshalYAML(decode func(any) error) error
	}
	yamlWriter interface{ MarshalYAML() (any, error) }
)

// readValue sets v to what was written, or leaves it and says what was expected, without naming the key.
func readValue(n *node, v reflect.Value, s spec) error {
	if n.kind == empty {
		return errors.New("no value is given; write one or delete the line")
	}
	if _, ok := v.Addr().Interface().(yamlReader); ok {
		return readOwn(n, v)
	}
	if v.Kind() == reflect.Slice {
		return readList(n, v, s)
	}
	if n.kind != scalar {
		return fmt.Errorf("want %s, got %s", s.want(v), n.kind)
	}
	if n.quoted && v.Kind() != reflect.String {
		return fmt.Errorf("want %s, got the text %s; leave the quotes out", s.want(v), short(n.text))
	}
	return readScalar(n.text, v, s)
}

func readScalar(text string, v reflect.Value, s spec) error {
	switch v.Kind() {
	case reflect.String:
		if err := s.checkText(text); err != nil {
			return err
		}
		if s.optional && text == "none" {
			text = ""
		}
		v.SetString(text)
	case reflect.Bool:
		if text != "true" && text != "false" {
			return fmt.Errorf("want true or false, got %s", short(text))
		}
		v.SetBool(text == "true")
	case reflect.Int:
		i, err := strconv.Atoi(digits(text))
		if err != nil {
			return fmt.Errorf("want %s, got %s", s.want(v), short(text))
		}
		if err := s.checkNumber(float64(i)); err != nil {
			return err
		}
		v.SetInt(int64(i))
	case reflect.Float64:
		f, ok := parseFloat(text)
		if !ok {
			return fmt.Errorf("want %s, got %s", s.want(v), short(text))
		}
		if err := s.checkNumber(f); err != nil {
			return err
		}
		v.SetFloat(f)
	}
	return nil
}

// readOwn lets a value read itself from plain values.
func readOwn(n *node, v reflect.Value) error {
	fresh := reflect.New(v.Type())
	err := fresh.Interface().(yamlReader).UnmarshalYAML(func(into any) error {
		if p, ok := into.(*any); ok {
			*p = plain(n)
			return nil
		}
		b, err := json.Marshal(plain(n))
		if err != nil {
			return err
		}
		return json.Unmarshal(b, into)
	})
	if err == nil {
		v.Set(fresh.Elem())
	}
	return err
}

// readList reads a list of texts; the word none is the empty one.
func readList(n *node, v reflect.Value, s spec) error {
	if n.kind == scalar && n.text == "none" {
		v.SetZero()
		return nil
	}
	if n.kind != list {
		return fmt.Errorf("want %s, got %s", s.want(v), got(n))
	}
	out := reflect.MakeSlice(v.Type(), 0, len(n.items))
	for _, item := range n.items {
		if item.kind != scalar {
			return fmt.Errorf("want %s, got one that holds %s", s.want(v), item.kind)
		}
		if err := s.checkText(item.text); err != nil {
			return err
		}
		out = reflect.Append(out, reflect.ValueOf(item.text).Convert(v.Type().Elem()))
	}
	v.SetZero() // an empty list is nil everywhere, so that configurations compare
	if out.Len() > 0 {
		v.Set(out)
	}
	return nil
}

// got describes what was written instead of what was expected.
func got(n *node) string {
	if n.kind == scalar {
		return short(n.text)
	}
	return n.kind.String()
}

// short quotes what a person wrote, cut where it is long.
func short(text string) string {
	if r := []rune(text); len(r) > 60 {
		text = string(r[:57]) + "..."
	}
	return strconv.Quote(text)
}

// digits takes the underscores out of a number such as 200_000.
func digits(text string) string { return strings.ReplaceAll(text, "_", "") }

func parseFloat(text string) (float64, bool) {
	f, err := strconv.ParseFloat(digits(text), 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// plain turns a node into what a YAML decoder would: nil, bool, int64, float64, string, []any, map[string]any.
func plain(n *node) any {
	switch n.kind {
	case scalar:
		if n.quoted {
			return n.text
		}
		if n.text == "true" || n.text == "false" {
			return n.text == "true"
		}
		if i, err := strconv.ParseInt(digits(n.text), 10, 64); err == nil {
			return i
		}
		if f, ok := parseFloat(n.text); ok {
			return f
		}
		return n.text
	case list:
		out := make([]any, len(n.items))
		for i, item := range n.items {
			out[i] = plain(item)
		}
		return out
	case mapping:
		out := make(map[string]any, len(n.fields))
		for _, f := range n.fields {
			out[f.key] = plain(f.value)
		}
		return out
	}
	return nil
}

// written is the opposite of readValue: the plain value that stands for v.
func written(v reflect.Value, s spec) any {
	if w, ok := v.Interface().(yamlWriter); ok {
		if p, err := w.MarshalYAML(); err == nil {
			return p
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.Int:
		return v.Int()
	case reflect.Float64:
		return v.Float()
	case reflect.Slice:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = v.Index(i).String()
		}
		return out
	}
	if s.optional && v.String() == "" {
		return "none"
	}
	return v.String()
}

// checkText says whether a text is one of the allowed ones, or a glob where globs are expected.
func (s spec) checkText(text string) error {
	if s.globs {
		if _, err := path.Match(text, ""); err != nil || text == "" {
			return fmt.Errorf("%s is no glob of tool names; write one such as mcp__* or Read", short(text))
		}
	}
	if len(s.values) == 0 || slices.Contains(s.values, text) {
		return nil
	}
	if near, ok := nearest(text, s.values); ok {
		return fmt.Errorf("%s is not known; did you mean %s?", short(text), near)
	}
	return fmt.Errorf("%s is not known; write one of %s", short(text), strings.Join(s.values, ", "))
}

// checkNumber says whether a number is in range.
func (s spec) checkNumber(f float64) error {
	if f < s.least {
		return fmt.Errorf("%v is too small; the least is %v %s", f, s.least, s.unit)
	}
	if s.most > 0 && f > s.most {
		return fmt.Errorf("%v is too large; the most is %v %s", f, s.most, s.unit)
	}
	return nil
}
