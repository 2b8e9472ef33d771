package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"perch/pipeline"
)

// value draws something that may be written for a setting.
func value(t *rapid.T, l leaf) string {
	switch l.value.Interface().(type) {
	case Limit:
		return rapid.SampledFrom([]string{"auto", "1", "200_000", "1000000:window", "258400:input"}).Draw(t, "limit")
	case pipeline.Amount:
		return amountText(t, 2)
	case pipeline.Gate:
		return rapid.SampledFrom([]string{"never", "always", "over_trigger", "{unit: tokens, over: 100000}", "{unit: fraction, at: 0.83}",
			"[over_limit, {unit: turns, at: 3}]", "[[over_trigger, {unit: idle, over: 300}], {unit: headroom, under: 20000}]"}).Draw(t, "gate")
	case pipeline.Stop:
		return rapid.SampledFrom([]string{"all", "at_target", "{after_tokens: 20000}", "{after_tokens: {min: [0.1, 5000]}}"}).Draw(t, "stop")
	case pipeline.Replace:
		return rapid.SampledFrom([]string{"marker", "one_line", "{head_tail: 3000}"}).Draw(t, "replace")
	case pipeline.Fail:
		return rapid.SampledFrom([]string{"none", "always", "{every: 3}"}).Draw(t, "fail")
	}
	switch l.value.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Int:
		return strconv.Itoa(rapid.IntRange(int(l.spec.least), 1<<40).Draw(t, "number"))
	case reflect.Float64:
		return strconv.FormatFloat(rapid.Float64Range(0, 1).Draw(t, "share"), 'g', -1, 64)
	}
	item := rapid.StringMatching(`[a-zA-Z0-9_*?:. -]{1,12}`).Filter(func(s string) bool { return strings.TrimSpace(s) != "" })
	if len(l.spec.values) > 0 {
		item = rapid.SampledFrom(l.spec.values)
	}
	if l.value.Kind() == reflect.Slice {
		return strings.Join(rapid.SliceOfN(item, 1, 3).Draw(t, "list"), ",")
	}
	if len(l.spec.values) > 0 {
		return item.Draw(t, "choice")
	}
	return rapid.String().Draw(t, "text")
}

func amountText(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 3).Draw(t, "kind of amount")
	if depth == 0 {
		kind %= 2
	}
	switch kind {
	case 0:
		return strconv.Itoa(rapid.IntRange(0, 1<<40).Draw(t, "tokens"))
	case 1:
		return strconv.FormatFloat(rapid.Float64Range(0, 1).Draw(t, "share"), 'f', -1, 64)
	}
	name := [...]string{"min", "max"}[kind-2]
	return fmt.Sprintf("{%s: [%s, %s]}", name, amountText(t, depth-1), amountText(t, depth-1))
}

// changed draws a configuration by setting some keys of one of the pipelines.
func changed(t *rapid.T) Config {
	c, err := Load(Sources{
		Preset: rapid.SampledFrom([]string{"", "perch", "cache-aware"}).Draw(t, "preset"),
		Text: []byte(rapid.SampledFrom([]string{
			"",
			"steps: []",
			"steps: [{use: enforce, id: last}, {use: microcompact}, {use: microcompact, id: micro-2}, {use: prune}, {use: summarize, id: s}]",
		}).Draw(t, "file")),
	})
	if err != nil {
		t.Fatal(err)
	}
	leaves := c.leaves()
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(leaves)-1), 0, 12).Draw(t, "keys") {
		key := leaves[i].key
		text := value(t, leaves[i])
		if err := c.Set(key, text); err != nil {
			t.Fatalf("Set(%q, %q): %v", key, text, err)
		}
	}
	return c
}

// Whoever saves the settings of a run and loads them again gets the same numbers. Settings that contradict each other
// by chance must do so in the file too.
func TestWrittenFileReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changed(t)
		for _, text := range [][]byte{c.YAML(), c.Documented()} {
			got, err := Load(Sources{File: "c.yaml", Text: text})
			if (err == nil) != (c.Check() == nil) {
				t.Fatalf("it was accepted (%v) and is not (%v)\n%s", c.Check(), err, text)
			}
			if err != nil {
				continue
			}
			if diff := cmp.Diff(c.Numbers(), got.Numbers()); diff != "" {
				t.Fatalf("numbers differ (-set +read):\n%s\n%s", diff, text)
			}
			if !reflect.DeepEqual(settings(c), settings(got)) || c.TargetChosen() != got.TargetChosen() {
				t.Fatalf("settings differ\n%s", text)
			}
		}
	})
}

// settings is a configuration without its origins.
func settings(c Config) Config {
	c.origins = nil
	return c
}

// What show prints for a key is something that key takes.
func TestShownValuesCanBeSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changed(t)
		again := c.Clone()
		for _, l := range c.leaves() {
			if l.value.Kind() == reflect.String && len(l.spec.values) == 0 {
				continue // texts are taken as they are, quotes and all
			}
			text := flow(written(l.value, l.spec))
			if err := again.Set(l.key, text); err != nil {
				t.Fatalf("Set(%q, %q): %v", l.key, text, err)
			}
		}
		if !reflect.DeepEqual(settings(c), settings(again)) {
			t.Fatalf("want\n%s\ngot\n%s", c.YAML(), again.YAML())
		}
	})
}

// FuzzLoad feeds the reader whatever a file may hold: it must answer with settings or with mistakes that have a
// place, never with a panic, and what it accepts must survive being written.
func FuzzLoad(f *testing.F) {
	c := Default()
	f.Add(c.YAML())
	for _, name := range PresetNames() {
		text, err := PresetText(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{"", "- a", "{a: [", "a: &x 1\nb: *x", "? a\n: b", "micro: {stop: {after_tokens: {max: [1, {min: [2]}]}}}", "a: |\n x\n", "--- \n...\n---", "%TAG ! x\n---\na: 1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Load(Sources{File: "c.yaml", Text: text})
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n")[:1] {
				if !strings.HasPrefix(line, "c.yaml:") {
					t.Errorf("no place in %q", line)
				}
			}
			return
		}
		again, err := Load(Sources{File: "c.yaml", Text: got.YAML()})
		if err != nil {
			t.Fatalf("%v\n%s", err, got.YAML())
		}
		if !reflect.DeepEqual(settings(got), settings(again)) {
			t.Errorf("want\n%s\ngot\n%s", got.YAML(), again.YAML())
		}
	})
}
