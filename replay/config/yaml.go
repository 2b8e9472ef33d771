package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// YAML writes every setting in force. Loading it gives the same configuration: a target that no person chose is left
// to the defaults, or to its preset, because a written one is a chosen one and may not be lowered.
func (c *Config) YAML() []byte { return c.write(false) }

// Documented is YAML with what each key means behind it: a file to begin one's own with.
func (c *Config) Documented() []byte { return c.write(true) }

func (c *Config) write(docs bool) []byte {
	w := &yamlFile{docs: docs}
	if docs {
		w.WriteString("# Where tokens or a share are wanted, a number up to 1 is a share of the input limit and a larger one tokens.\n")
	}
	if o := c.origins["target"]; o.Layer == LayerPreset {
		w.line("", "preset", quote(o.Name), "")
	}
	w.unchosen = !c.TargetChosen()
	w.group("", "", children(reflect.ValueOf(c).Elem()))
	if len(c.Steps) == 0 {
		w.line("", "steps", "[]", "")
		return w.Bytes()
	}
	w.line("", "steps", "", "")
	for i := range c.Steps {
		s := &c.Steps[i]
		w.line("  - ", "use", s.Use, "")
		w.line("    ", "id", s.ID, "")
		w.group("    ", s.Use, s.children())
	}
	return w.Bytes()
}

// yamlFile is YAML being written.
type yamlFile struct {
	bytes.Buffer
	docs     bool
	unchosen bool // the target is not to be set
}

func (w *yamlFile) group(indent, kind string, cs []child) {
	for _, ch := range cs {
		name := join(kind, ch.name)
		if isGroup(ch.value) {
			w.line(indent, ch.name, "", "")
			w.group(indent+"  ", name, children(ch.value))
			continue
		}
		s := specOf(name)
		if name == "target" && w.unchosen {
			if w.docs {
				w.line("# ", ch.name, flow(written(ch.value, s)), s.comment())
			}
			continue
		}
		w.line(indent, ch.name, flow(written(ch.value, s)), s.comment())
	}
}

func (w *yamlFile) line(indent, key, value, comment string) {
	text := indent + key + ":"
	if value != "" {
		text += " " + value
	}
	if w.docs && comment != "" {
		text = fmt.Sprintf("%-40s # %s", text, comment)
	}
	w.WriteString(text + "\n")
}

// comment is a key's meaning and unit in a line.
func (s spec) comment() string {
	text := s.doc
	if len(s.values) > 0 {
		text += ": " + strings.Join(s.values, ", ")
	}
	if s.unit != "" {
		text += " (" + s.unit + ")"
	}
	return text
}

// flow writes a plain value in a line, keys sorted.
func flow(p any) string {
	switch v := reflect.ValueOf(p); v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case reflect.String:
		return quote(v.String())
	case reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = flow(v.Index(i).Interface())
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Map:
		var items []string
		for _, k := range v.MapKeys() {
			items = append(items, quote(k.String())+": "+flow(v.MapIndex(k).Interface()))
		}
		slices.Sort(items)
		return "{" + strings.Join(items, ", ") + "}"
	}
	return "null"
}

// bare matches the texts that need no quotes, and that no YAML reader takes for something else.
var (
	bare     = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_./:-]*[A-Za-z0-9_./-])?$`)
	reserved = [...]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity"}
)

// quote writes a text as YAML. A JSON string is a double-quoted YAML text.
func quote(s string) string {
	if bare.MatchString(s) && !slices.Contains(reserved[:], strings.ToLower(s)) {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return strconv.Quote(s)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
