package estimate

import "perch/formats/transcript"

// between collects the facts of the recording since the last judged call.
type between struct {
	compacted, cleared, rewound bool // recorded changes
	person, injected            bool // messages that are neither a reply nor a result
	unsized                     bool // a picture or a document whose size was assumed
	aborted                     bool // a call that failed or has no recorded prompt
}

// entered notes a message that was appended.
func (b *between) entered(items *Items, m int) {
	msg := &items.t.Messages[m]
	switch msg.Origin {
	case transcript.Person:
		b.person = true
	case transcript.Injected:
		b.injected = true
	}
	for id := range parts(items.t, m) {
		item := items.Item(id)
		b.unsized = b.unsized || item.Approximate && (item.Class == transcript.Picture || item.Class == transcript.Withheld)
	}
}

// changed notes a recorded change.
func (b *between) changed(k transcript.ChangeKind) {
	switch k {
	case transcript.Compact:
		b.compacted = true
	case transcript.Clear:
		b.cleared = true
	case transcript.Rewind:
		b.rewound = true
	}
}

// altered reports whether the prompt was changed by a record.
func (b *between) altered() bool { return b.compacted || b.cleared || b.rewound }

// plain reports whether the new parts alone explain what the prompt grew by, as far as the recording tells.
func (b *between) plain() bool { return !b.altered() && !b.unsized && !b.aborted }
