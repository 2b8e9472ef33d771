package pipeline

import (
	"fmt"
	"slices"
)

// String returns the kind's name, as in JSON.
func (k FormKind) String() string {
	switch k {
	case Full:
		return "full"
	case Actionable:
		return "actionable"
	case Ceiling:
		return "ceiling"
	case HeadTail:
		return "head_tail"
	case OneLine:
		return "one_line"
	case Stub:
		return "stub"
	case Marker:
		return "marker"
	}
	return "gone"
}

// MarshalText returns the kind's name.
func (k FormKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (k *FormKind) UnmarshalText(b []byte) error {
	kinds := []FormKind{Full, Actionable, Ceiling, HeadTail, OneLine, Stub, Marker, Gone}
	i := slices.IndexFunc(kinds, func(kind FormKind) bool { return kind.String() == string(b) })
	if i < 0 {
		return fmt.Errorf("unknown form %q", b)
	}
	*k = kinds[i]
	return nil
}
