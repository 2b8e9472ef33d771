package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// steps replaces the pipeline by a list of steps. What a step does not name is its stage's default.
func (l *loader) steps(n *node) {
	if n.kind != list {
		l.fail(n.at, "steps: want a list of steps such as [{use: prune}], got %s", got(n))
		return
	}
	for _, s := range l.cfg.Steps {
		l.cfg.forget(s.ID)
	}
	l.cfg.Steps = nil
	l.cfg.origins["steps"] = l.origin(n.at)
	for i, item := range n.items {
		l.step(i+1, item)
	}
}

// forget drops the origins of a step's keys.
func (c *Config) forget(id string) {
	for key := range c.origins {
		if strings.HasPrefix(key, id+".") {
			delete(c.origins, key)
		}
	}
}

// step reads the nth entry of the list.
func (l *loader) step(nth int, n *node) {
	if n.kind != mapping {
		l.fail(n.at, "step %d: want a step such as {use: prune}, got %s", nth, got(n))
		return
	}
	use := n.field("use")
	if use == nil || use.kind != scalar {
		l.fail(n.at, "step %d does not say which stage it is; add use: and one of %s", nth, strings.Join(stageNames(), ", "))
		return
	}
	s, ok := defaultStep(use.text)
	if !ok {
		l.fail(use.at, "step %d: %s", nth, unknownStage(use.text))
		return
	}
	at := use.at
	if id := n.field("id"); id != nil {
		s.ID, at = id.text, id.at
	}
	if text := l.badID(s.ID); text != "" {
		l.fail(at, "step %d: %s", nth, text)
		return
	}
	l.cfg.Steps = append(l.cfg.Steps, s)
	l.cfg.origins[join(s.ID, "use")] = l.origin(use.at)
	known := l.cfg.step(s.ID).children()
	for _, f := range n.fields {
		if f.key != "use" && f.key != "id" {
			l.key(s.ID, s.Use, known, f)
		}
	}
}

func unknownStage(name string) string {
	if near, ok := nearest(name, stageNames()); ok {
		return fmt.Sprintf("unknown stage %s; did you mean %s?", short(name), near)
	}
	return fmt.Sprintf("unknown stage %s; the stages are %s", short(name), strings.Join(stageNames(), ", "))
}

// idForm keeps ids usable in flags, variables and column names.
var idForm = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// badID says why a step cannot have an id, or nothing.
func (l *loader) badID(id string) string {
	switch {
	case !idForm.MatchString(id):
		return fmt.Sprintf("id %s; use lower-case letters, digits and dashes, beginning with a letter", short(id))
	case slices.Contains(topNames(), id):
		return fmt.Sprintf("id %q is the name of a setting; choose another", id)
	case l.cfg.step(id) != nil:
		return fmt.Sprintf("id %q is taken by an earlier step; add id: and another name", id)
	}
	return ""
}
