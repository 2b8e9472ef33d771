package transcript

import (
	"testing"
	"time"
)

// A list of runs is sorted by these; a record without a time, or an early one that stands late, must not count.
func TestTimes(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		name        string
		t           Transcript
		first, last time.Time
	}{
		{"nothing recorded", Transcript{Messages: []Message{{}}, Calls: []Call{{}}}, time.Time{}, time.Time{}},
		{"one message", Transcript{Messages: []Message{{Time: at(3)}}}, at(3), at(3)},
		{"call behind the messages", Transcript{Messages: []Message{{}, {Time: at(3)}}, Calls: []Call{{Time: at(5)}}}, at(3), at(5)},
		{"records out of order", Transcript{Messages: []Message{{Time: at(4)}, {Time: at(2)}, {Time: at(3)}}}, at(2), at(4)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if first, last := tt.t.Times(); !first.Equal(tt.first) || !last.Equal(tt.last) {
				t.Errorf("Times() = %v, %v, want %v, %v", first, last, tt.first, tt.last)
			}
		})
	}
}
