package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A key without meaning shows up blank in help and in every documented file; a meaning without a key tells people
// about a setting that is gone.
func TestEveryKeyHasASpec(t *testing.T) {
	var missing []string
	used := map[string]bool{}
	var visit func(kind string, cs []child)
	visit = func(kind string, cs []child) {
		for _, ch := range cs {
			name := join(kind, ch.name)
			if isGroup(ch.value) {
				visit(name, children(ch.value))
				continue
			}
			s := specOf(name)
			used[s.name] = true
			if s.doc == "" || s.unit == "" && ch.value.Kind() == reflect.Int {
				missing = append(missing, name)
			}
		}
	}
	c := Default()
	visit("", children(reflect.ValueOf(&c).Elem()))
	visit("about", children(reflect.ValueOf(&About{}).Elem()))
	for i := range c.Steps {
		visit(c.Steps[i].Use, c.Steps[i].children())
	}
	if len(missing) > 0 {
		t.Errorf("keys without a meaning or a unit: %s", strings.Join(missing, ", "))
	}
	var unused []string
	for _, s := range specs {
		if !used[s.name] {
			unused = append(unused, s.name)
		}
	}
	if len(unused) > 0 {
		t.Errorf("meanings without a key: %s", strings.Join(unused, ", "))
	}
}

// A field that a stage's author forgot to tag could not be set by anybody.
func TestEveryFieldIsAKey(t *testing.T) {
	var visit func(at string, v reflect.Value)
	visit = func(at string, v reflect.Value) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Tag.Get("yaml") == "" {
				t.Errorf("%s.%s has no yaml tag", at, f.Name)
			} else if f.Tag.Get("yaml") != "-" && isGroup(v.Field(i)) {
				visit(at+"."+f.Name, v.Field(i))
			}
		}
	}
	c := Default()
	visit("BudgetConfig", reflect.ValueOf(&c.Budget).Elem())
	for _, s := range c.Steps {
		visit(s.Use, reflect.ValueOf(s.Stage).Elem())
	}
}

// A text with a type of its own is a choice, so the words to choose from must be known; and only types that can be
// read and written may stand behind a key.
func TestEveryTypeCanBeWritten(t *testing.T) {
	c := Default()
	for _, l := range c.leaves() {
		typ := l.value.Type()
		if _, own := l.value.Addr().Interface().(yamlReader); own {
			if _, ok := l.value.Interface().(yamlWriter); !ok {
				t.Errorf("%s: %s reads itself and does not write itself", l.key, typ)
			}
			continue
		}
		if typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if !slices.Contains([]reflect.Kind{reflect.Bool, reflect.Int, reflect.Float64, reflect.String}, typ.Kind()) {
			t.Errorf("%s is a %s", l.key, typ)
		}
		if typ.Kind() == reflect.String && typ != reflect.TypeFor[string]() && len(l.spec.values) == 0 {
			t.Errorf("%s is a choice without choices", l.key)
		}
	}
}

// A file is refused at its line by the bounds here, a configuration built in code by the stage: both must draw the
// same line.
func TestBoundsAgreeWithTheStages(t *testing.T) {
	type validator interface{ Validate() error }
	c := Default()
	for i := range c.Steps {
		s := &c.Steps[i]
		for _, l := range collect(nil, s.ID, s.Use, s.children()) {
			before := reflect.ValueOf(l.value.Interface())
			judge := func(x float64) bool {
				if l.value.Kind() == reflect.Int {
					l.value.SetInt(int64(x))
				} else {
					l.value.SetFloat(x)
				}
				return s.Stage.(validator).Validate() == nil
			}
			switch l.value.Kind() {
			case reflect.Int:
				lowest := judge(l.spec.least) || strings.HasSuffix(l.key, "size.max") // which size.min bounds too
				if !lowest || judge(l.spec.least-1) {
					t.Errorf("%s: the least is not %v to the stage", l.key, l.spec.least)
				}
			case reflect.Float64:
				if !judge(0) || judge(-0.1) || !judge(l.spec.most) || judge(l.spec.most+0.1) {
					t.Errorf("%s: not a share from 0 to %v to the stage", l.key, l.spec.most)
				}
			}
			l.value.Set(before)
		}
	}
}

func TestKeys(t *testing.T) {
	c := fromFile(t, "trigger: 0.7\nsteps: [{use: microcompact, id: coarse, keep_last: 9}]\n")
	var got []Key
	for _, k := range c.Keys() {
		if slices.Contains([]string{"tier", "trigger", "coarse.when", "coarse.keep_last", "coarse.boundary", "coarse.keep_errors", "coarse.only_tools"}, k.Name) {
			k.Doc = ""
			got = append(got, k)
		}
	}
	want := []Key{
		{Name: "tier", Type: "text", Default: "none", Env: "PERCH_TIER"},
		{Name: "trigger", Type: "amount", Unit: "tokens or share", Default: "0.8", Env: "PERCH_TRIGGER"},
		{Name: "coarse.when", Type: "gate", Default: "over_trigger", Env: "PERCH_COARSE_WHEN"},
		{Name: "coarse.keep_last", Type: "number", Unit: "results", Default: "3", Env: "PERCH_COARSE_KEEP_LAST"},
		{Name: "coarse.boundary", Type: "text", Default: "keep", Values: []string{"keep", "prune"}, Env: "PERCH_COARSE_BOUNDARY"},
		{Name: "coarse.only_tools", Type: "list", Default: "[]", Env: "PERCH_COARSE_ONLY_TOOLS"},
		{Name: "coarse.keep_errors", Type: "flag", Default: "true", Env: "PERCH_COARSE_KEEP_ERRORS"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want := len(c.Effective()) - 2; len(c.Keys()) != want { // the list of steps and a step's stage are no keys to set
		t.Errorf("%d keys, but %d settings in force", len(c.Keys()), want)
	}
}
