package config

import (
	"strings"
)

// Entry is one setting in force.
type Entry struct {
	Key    string
	Value  string // as it is written in a file
	Origin Origin
}

// Effective lists every setting in force, with where its value comes from: the settings of the replay, then each
// step with its stage.
func (c *Config) Effective() []Entry {
	var out []Entry
	id := ""
	for _, l := range c.leaves() {
		if owner, _, ok := strings.Cut(l.key, "."); ok && owner != id {
			if id == "" {
				out = append(out, c.stepList())
			}
			id = owner
			key := join(id, "use")
			out = append(out, Entry{key, c.step(id).Use, c.origins[key]})
		}
		out = append(out, Entry{l.key, flow(written(l.value, l.spec)), c.origins[l.key]})
	}
	if id == "" {
		out = append(out, c.stepList())
	}
	return out
}

// stepList is the entry of the steps' order.
func (c *Config) stepList() Entry {
	ids := make([]any, len(c.Steps))
	for i, s := range c.Steps {
		ids[i] = s.ID
	}
	return Entry{"steps", flow(ids), c.origins["steps"]}
}

// Numbers returns the settings as plain values for a result's JSON. Two configurations that give the same numbers
// return the same, wherever their values came from.
func (c *Config) Numbers() map[string]any {
	out := map[string]any{}
	steps := make([]any, len(c.Steps))
	for i, s := range c.Steps {
		steps[i] = map[string]any{"use": s.Use, "id": s.ID}
	}
	out["steps"] = steps
	for _, l := range c.leaves() {
		at, path := out, strings.Split(l.key, ".")
		for i := range c.Steps {
			if c.Steps[i].ID == path[0] {
				at, path = steps[i].(map[string]any), path[1:]
			}
		}
		for _, group := range path[:len(path)-1] {
			if at[group] == nil {
				at[group] = map[string]any{}
			}
			at = at[group].(map[string]any)
		}
		at[path[len(path)-1]] = written(l.value, l.spec)
	}
	return out
}

// Origins returns, for every key that has not its default, the layer its value comes from and a preset's name, but
// no path: results do not depend on where a file lies.
func (c *Config) Origins() map[string]string {
	out := map[string]string{}
	for _, e := range c.Effective() {
		switch e.Origin.Layer {
		case LayerDefault:
		case LayerPreset:
			out[e.Key] = e.Origin.String()
		default:
			out[e.Key] = e.Origin.Layer.String()
		}
	}
	return out
}
