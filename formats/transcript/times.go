package transcript

import "time"

// Times returns the first and the last moment that a message or a call of the transcript was recorded at; zero times
// where none was. Records need not be in the order of their times.
func (t *Transcript) Times() (first, last time.Time) {
	note := func(at time.Time) {
		if at.IsZero() {
			return
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	for i := range t.Messages {
		note(t.Messages[i].Time)
	}
	for i := range t.Calls {
		note(t.Calls[i].Time)
	}
	return first, last
}
