package pipeline

import (
	"slices"

	"perch/formats/transcript"
)

// Guard is what a step must not touch.
type Guard struct {
	// From is the position from which on the prompt is protected.
	From int
	// Also lists messages further back that are protected in the same way.
	Also []MessageID
	// Pinned lists messages that no edit of the step may touch, whatever its plan says of a shortened tail.
	Pinned []MessageID
}

// Guarded is a stage that says what it must not touch. One that does not is kept from the newest unit.
type Guarded interface {
	Stage
	Guard(v *View) Guard
}

// Eager is a stage that may have reasons to run although its gate is closed.
type Eager interface {
	Stage
	Eager(v *View) bool
}

// Surfacing is a stage whose fires a person is told about.
type Surfacing interface {
	Stage
	Surfaces()
}

// tailed is a stage that protects a tail. The steps before it respect it, too.
type tailed interface {
	tail(v *View) int
}

// newest returns the position of the newest unit.
func (v *View) newest() int {
	if n := len(v.s.units); n > 0 {
		return v.s.units[n-1].From
	}
	return 0
}

// Tail returns the position from which on a summary of this pipeline would leave everything word for word: that of
// the newest unit, if no step of it summarizes.
func (v *View) Tail() int {
	for i := range v.steps {
		if t, ok := v.steps[i].Stage.(tailed); ok {
			return t.tail(v)
		}
	}
	return v.newest()
}

// protects reports whether a guard holds a message, and whether for good.
func (g *Guard) protects(s *State, id MessageID) (held, pinned bool) {
	if slices.Contains(g.Pinned, id) {
		return true, true
	}
	return s.position(id) >= g.From || slices.Contains(g.Also, id), false
}

// stays returns why parts stay that do not go with the given messages: they are pinned, they are held by the guard, or
// neither, each with its reason.
func (v *View) stays(going []MessageID, guarded, rest Reason) func(func(PartID, Reason) bool) {
	return func(yield func(PartID, Reason) bool) {
		for _, id := range v.s.prompt {
			if slices.Contains(going, id) {
				continue
			}
			why := rest
			if held, pinned := v.guard.protects(v.s, id); pinned {
				why = "pinned"
			} else if held {
				why = guarded
			}
			for i := range v.s.Message(id).Parts {
				if !yield(PartID{id, i}, why) {
					return
				}
			}
		}
	}
}

// pins returns the standing messages that a list of pins names, in the order of the prompt.
func (v *View) pins(list []Pin) []MessageID {
	var ids []MessageID
	for _, pin := range list {
		switch pin {
		case PinSystem:
			ids = append(ids, v.s.system...)
		case PinFirstUser:
			ids = append(ids, v.s.typed[:min(1, len(v.s.typed))]...)
		case PinInstructions:
			ids = append(ids, v.instructions()...)
		}
	}
	return v.ordered(ids)
}

// instructions returns what the client put before the first response, up to the first typed message.
func (v *View) instructions() []MessageID {
	var ids []MessageID
	for _, id := range v.s.prompt {
		m := v.s.Message(id)
		if m.Role == transcript.Assistant || m.Role == transcript.Tool || m.Origin == transcript.Person {
			break
		}
		if m.Origin == transcript.Injected {
			ids = append(ids, id)
		}
	}
	return ids
}
