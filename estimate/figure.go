package estimate

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Figure is a number that may not exist: of no calls there is no median. In JSON it has at most four decimals, and
// null where it does not exist.
type Figure float64

// NA is the figure that does not exist.
func NA() Figure { return Figure(math.NaN()) }

// Known reports whether the figure exists.
func (f Figure) Known() bool { return !math.IsNaN(float64(f)) }

// MarshalJSON implements json.Marshaler.
func (f Figure) MarshalJSON() ([]byte, error) {
	if !f.Known() {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, math.Round(float64(f)*1e4)/1e4, 'f', -1, 64), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Figure) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*f = NA()
		return nil
	}
	return json.Unmarshal(b, (*float64)(f))
}

// percentile is the smallest value that at least p percent of the values do not exceed (nearest rank). It sorts
// values.
func percentile(values []float64, p float64) Figure {
	if len(values) == 0 {
		return NA()
	}
	slices.Sort(values)
	rank := int(math.Ceil(p / 100 * float64(len(values))))
	return Figure(values[min(max(rank, 1), len(values))-1])
}

// mean is the arithmetic mean.
func mean(values []float64) Figure {
	if len(values) == 0 {
		return NA()
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return Figure(sum / float64(len(values)))
}

// share is part of whole in percent.
func share(part, whole int) Figure {
	if whole == 0 {
		return NA()
	}
	return Figure(100 * float64(part) / float64(whole))
}
