package replay

import "encoding/json"

// Total is a sum or a peak over calls. Over no call there is none, and JSON says null.
type Total[T ~int | ~int64] struct {
	N     T
	Known bool
}

// add takes one more summand.
func (t *Total[T]) add(n T) { t.N, t.Known = t.N+n, true }

// max takes one more candidate for a peak.
func (t *Total[T]) max(n T) {
	if !t.Known || n > t.N {
		t.N, t.Known = n, true
	}
}

// MarshalJSON writes an integer, or null.
func (t Total[T]) MarshalJSON() ([]byte, error) {
	if !t.Known {
		return []byte("null"), nil
	}
	return json.Marshal(int64(t.N))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Total[T]) UnmarshalJSON(b []byte) error {
	*t = Total[T]{}
	if string(b) == "null" {
		return nil
	}
	t.Known = true
	return json.Unmarshal(b, &t.N)
}
