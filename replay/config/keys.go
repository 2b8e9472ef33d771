package config

// Key describes a setting, for help, completion and schemas.
type Key struct {
	Name    string   `json:"key"`
	Type    string   `json:"type"` // flag, number, share, text, list, amount, gate, limit, stop, replace, fail
	Unit    string   `json:"unit,omitempty"`
	Default string   `json:"default"` // as it is written in a file
	Doc     string   `json:"doc"`
	Values  []string `json:"values,omitempty"` // the only texts that are allowed
	Env     string   `json:"env"`              // the variable that sets it
}

// Keys lists every setting of this configuration, a step's by its id, each with its default whatever its value is.
func (c *Config) Keys() []Key {
	base := Default()
	base.Steps = nil
	for _, s := range c.Steps {
		if d, ok := defaultStep(s.Use); ok {
			d.ID = s.ID
			base.Steps = append(base.Steps, d)
		}
	}
	var out []Key
	for _, l := range base.leaves() {
		out = append(out, Key{
			Name:    l.key,
			Type:    kindName(l.value),
			Unit:    l.spec.unit,
			Default: flow(written(l.value, l.spec)),
			Doc:     l.spec.doc,
			Values:  l.spec.values,
			Env:     envName(l.key),
		})
	}
	return out
}
