package config

import (
	"fmt"
	"slices"
	"strings"
)

const (
	envPrefix = "PERCH_"       // of every variable that is ours
	envPreset = "PERCH_PRESET" // names the preset to begin with
)

// envName is the variable that sets a key: PERCH_MICRO_KEEP_LAST for micro.keep_last.
func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// applyEnv sets what the environment names, in the order of the names. Every variable with our prefix must be
// a setting: a misspelt one that is ignored would give numbers nobody asked for.
func (c *Config) applyEnv(env []string) Errors {
	var errs Errors
	names := c.envNames()
	for _, kv := range slices.Sorted(slices.Values(env)) {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, envPrefix) || name == envPreset {
			continue
		}
		by := Origin{Layer: LayerEnv, Name: name}
		switch keys := names[name]; len(keys) {
		case 1:
			if err := c.set(keys[0], value, by); err != nil {
				errs = append(errs, err)
			}
		case 0:
			errs = append(errs, &Error{by, c.unknownVariable(name)})
		default:
			errs = append(errs, &Error{by, fmt.Sprintf("means %s; give a step another id, or use --set", strings.Join(keys, " as well as "))})
		}
	}
	return errs
}

// envNames maps variables to the keys they set: one, unless ids of steps make two keys look alike.
func (c *Config) envNames() map[string][]string {
	names := map[string][]string{}
	for _, l := range c.leaves() {
		names[envName(l.key)] = append(names[envName(l.key)], l.key)
	}
	for _, s := range c.Steps {
		for _, o := range otherNames {
			if o.use == s.Use {
				key := join(s.ID, o.name)
				names[envName(key)] = append(names[envName(key)], key)
			}
		}
	}
	return names
}

// unknownVariable explains a variable that no setting has.
func (c *Config) unknownVariable(name string) string {
	known := []string{strings.ToLower(envPreset)}
	for _, l := range c.leaves() {
		known = append(known, strings.ToLower(envName(l.key)))
	}
	if near, ok := nearest(name, known); ok {
		return fmt.Sprintf("sets nothing; did you mean %s?", strings.ToUpper(near))
	}
	return "sets nothing in this pipeline; unset it"
}
