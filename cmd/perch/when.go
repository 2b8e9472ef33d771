package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// when reads the time a flag gives: a day, a moment, or how long before now. It is the span from its first moment to
// the one behind its last; of what is no whole day the two are a moment. Without text both are zero.
func when(flag, text string, now time.Time) (from, to time.Time, err error) {
	if text == "" {
		return time.Time{}, time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, day.AddDate(0, 0, 1), nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, at.Add(1), nil
	}
	if ago, ok := duration(text); ok {
		return now.Add(-ago), now.Add(-ago), nil
	}
	return time.Time{}, time.Time{}, fmt.Errorf("%s %s: want a day as in 2026-01-31, a moment as in 2026-01-31T08:00:00Z, or a time ago as in 12h, 7d, 2w", flag, text)
}

// duration reads a length of time; d and w are days of 24 hours and weeks of 7 days.
func duration(text string) (time.Duration, bool) {
	for _, unit := range []struct {
		ending string
		length time.Duration
	}{{"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour}} {
		if number, ok := strings.CutSuffix(text, unit.ending); ok {
			n, err := strconv.ParseUint(number, 10, 16)
			return time.Duration(n) * unit.length, err == nil
		}
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}
