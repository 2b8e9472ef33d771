package main

import (
	"testing"
	"time"
)

// Nobody counts days: what is typed must be the span a person means.
func TestWhen(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		text     string
		from, to time.Time
		bad      bool
	}{
		{"", time.Time{}, time.Time{}, false},
		{"2026-03-02", day(2), day(3), false},
		{"2026-03-02T00:00:00Z", day(2), day(2).Add(1), false},
		{"2026-03-02T02:00:00+02:00", day(2), day(2).Add(1), false},
		{"12h", day(10), day(10), false},
		{"7d", now.AddDate(0, 0, -7), now.AddDate(0, 0, -7), false},
		{"2w", now.AddDate(0, 0, -14), now.AddDate(0, 0, -14), false},
		{"-3d", time.Time{}, time.Time{}, true},
		{"-3h", time.Time{}, time.Time{}, true},
		{"99999d", time.Time{}, time.Time{}, true},
		{"2026-02-30", time.Time{}, time.Time{}, true},
		{"last week", time.Time{}, time.Time{}, true},
	} {
		t.Run(tt.text, func(t *testing.T) {
			from, to, err := when("--since", tt.text, now)
			if (err != nil) != tt.bad || !from.Equal(tt.from) || !to.Equal(tt.to) {
				t.Errorf("when = %v, %v, %v, want %v, %v", from, to, err, tt.from, tt.to)
			}
		})
	}
}
