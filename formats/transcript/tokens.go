package transcript

import (
	"encoding/json"
	"fmt"
)

// Local is what a counter says about visible text.
type Local int

// Estimated is what could have been known before a call: an anchor and calibrated sizes.
type Estimated int

// Ledger is what the recorded counts say content cost, known only afterwards.
type Ledger int

// Recorded is what the provider counted.
type Recorded int

// Count is a recorded number together with how far it can be trusted. The zero value means "not recorded", which
// is not 0. In JSON it is an integer, or null.
type Count struct {
	N    Recorded
	From Source
}

// Source is who counted.
type Source uint8

// The sources of a count. Only Provider counts are facts about a prompt.
const (
	NotRecorded Source = iota
	Provider           // the provider's usage
	Partial            // a provider's number that may be a placeholder or a value from mid-stream
	Client             // an estimate of the recording client
)

// Of returns a count by the provider.
func Of(n int) Count { return Count{N: Recorded(n), From: Provider} }

// Known reports whether anything was recorded.
func (c Count) Known() bool { return c.From != NotRecorded }

// Or returns the recorded number, or def where none was recorded.
func (c Count) Or(def Recorded) Recorded {
	if c.Known() {
		return c.N
	}
	return def
}

// MarshalJSON writes an integer, or null where nothing was recorded; a count that is not the provider's keeps its
// source, as {"n":…,"from":…}.
func (c Count) MarshalJSON() ([]byte, error) {
	switch c.From {
	case NotRecorded:
		return []byte("null"), nil
	case Provider:
		return json.Marshal(int(c.N))
	}
	return fmt.Appendf(nil, `{"n":%d,"from":%q}`, c.N, c.From), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Count) UnmarshalJSON(b []byte) error {
	*c = Count{}
	if string(b) == "null" {
		return nil
	}
	if len(b) > 0 && b[0] == '{' {
		var v struct {
			N    Recorded `json:"n"`
			From string   `json:"from"`
		}
		if err := json.Unmarshal(b, &v); err != nil {
			return err
		}
		for _, s := range []Source{Partial, Client} {
			if s.String() == v.From {
				*c = Count{N: v.N, From: s}
				return nil
			}
		}
		return fmt.Errorf("unknown source %q of a count", v.From)
	}
	if err := json.Unmarshal(b, &c.N); err != nil {
		return err
	}
	c.From = Provider
	return nil
}

// String names the source.
func (s Source) String() string {
	switch s {
	case Provider:
		return "provider"
	case Partial:
		return "partial"
	case Client:
		return "client"
	}
	return "not recorded"
}
