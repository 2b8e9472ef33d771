package pipeline

import (
	"fmt"
	"slices"
)

// check verifies a whole plan before any of it is carried out, and names the edit that may not be made.
func (v *View) check(plan *Plan) error {
	c := checker{View: v, shortened: plan.TailShortened, touched: map[PartID]bool{}}
	for i := range plan.Edits {
		e := &plan.Edits[i]
		err := c.edit(e)
		if err != nil {
			return fmt.Errorf("edit %d (%s) refused: %w", i, e.Reason, err)
		}
	}
	return nil
}

// checker follows the edits of one plan, which must not touch a part twice.
type checker struct {
	*View
	shortened bool // the plan says that it cuts into what is protected
	touched   map[PartID]bool
	folds     int
}

func (c *checker) edit(e *Edit) error {
	switch {
	case e.Fold != nil && len(e.Reduce) > 0:
		return fmt.Errorf("it reduces and folds; make it two edits")
	case e.Fold != nil:
		if c.folds++; c.folds > 1 {
			return fmt.Errorf("it is the second fold of one plan")
		}
		return c.fold(e.Fold)
	case len(e.Reduce) == 0:
		return fmt.Errorf("it changes nothing")
	}
	going := map[MessageID]int{}
	for _, r := range e.Reduce {
		if err := c.reduction(r); err != nil {
			return fmt.Errorf("message %d part %d: %w", r.Part.Message, r.Part.Part, err)
		}
		if r.To.Kind == Gone {
			going[r.Part.Message]++
		}
	}
	for id := range going {
		if err := c.whole(id, going); err != nil {
			return err
		}
	}
	return nil
}

// stands reports whether an id names a message of the prompt.
func (c *checker) stands(id MessageID) bool {
	return int(-id) <= len(c.s.summaries) && c.s.position(id) >= 0
}

// free verifies that the step may touch a message.
func (c *checker) free(id MessageID) error {
	switch held, pinned := c.guard.protects(c.s, id); {
	case pinned:
		return fmt.Errorf("the message is pinned")
	case held && !c.shortened:
		return fmt.Errorf("the message is protected from this step")
	}
	return nil
}

// touch notes that an edit changes a part.
func (c *checker) touch(id PartID) error {
	if c.touched[id] {
		return fmt.Errorf("an edit of the same plan touches it already")
	}
	c.touched[id] = true
	return nil
}

func (c *checker) reduction(r Reduction) error {
	if !c.stands(r.Part.Message) {
		return fmt.Errorf("the message is not in the prompt")
	}
	m := c.s.Message(r.Part.Message)
	if r.Part.Part < 0 || r.Part.Part >= len(m.Parts) {
		return fmt.Errorf("there is no such part")
	}
	from, to := c.s.Form(r.Part), r.To
	if !later(from, to) {
		return fmt.Errorf("%v (%d) does not come after %v (%d)", to.Kind, to.N, from.Kind, from.N)
	}
	if !c.s.ix.suits(r.Part, m, to.Kind) {
		return fmt.Errorf("a part of kind %s has no form %v", m.Parts[r.Part.Part].Kind, to.Kind)
	}
	if err := c.free(r.Part.Message); err != nil {
		return err
	}
	if err := c.touch(r.Part); err != nil {
		return err
	}
	if before, after := c.SizeAs(r.Part, from), c.SizeAs(r.Part, to); after > before {
		return fmt.Errorf("it would grow from %d to %d tokens", before, after)
	}
	return nil
}

// later reports whether a part may move from one form to another: to a later kind, or to less of the same.
func later(from, to Form) bool {
	if from.Kind != to.Kind {
		return to.Kind > from.Kind && to.Kind <= Gone
	}
	sized := to.Kind == Actionable || to.Kind == Ceiling || to.Kind == HeadTail
	return sized && 0 < to.N && to.N < from.N
}

// whole verifies that all parts of the unit around a message go together.
func (c *checker) whole(id MessageID, going map[MessageID]int) error {
	u := c.s.unitAt(c.s.position(id))
	for _, other := range c.s.prompt[u.From:u.To] {
		if going[other] != len(c.s.Message(other).Parts) {
			return fmt.Errorf("message %d would go without all of message %d, which belongs to it", id, other)
		}
	}
	return nil
}

func (c *checker) fold(f *Fold) error {
	if !c.stands(f.From) || !c.stands(f.To) {
		return fmt.Errorf("the span %d to %d is not in the prompt", f.From, f.To)
	}
	from, to := c.s.position(f.From), c.s.position(f.To)
	switch {
	case from > to:
		return fmt.Errorf("the span ends at message %d before it starts at message %d", f.To, f.From)
	case c.s.unitAt(from).From != from || c.s.unitAt(to).To != to+1:
		return fmt.Errorf("the span %d to %d cuts through a unit", f.From, f.To)
	case slices.Contains(f.Keep, f.From):
		return fmt.Errorf("the span starts with message %d, which it keeps", f.From)
	}
	if err := c.keep(f, from, to); err != nil {
		return err
	}
	for _, id := range c.s.prompt[from : to+1] {
		if slices.Contains(f.Keep, id) {
			continue
		}
		if err := c.free(id); err != nil {
			return fmt.Errorf("message %d: %w", id, err)
		}
		for i := range c.s.Message(id).Parts {
			if err := c.touch(PartID{id, i}); err != nil {
				return fmt.Errorf("message %d: %w", id, err)
			}
		}
	}
	written, removed := c.sizeOf(f.Summary)-f.Summary.Reinjected, c.removed(from, to+1, f.Keep)
	if written > removed {
		return fmt.Errorf("a summary of %d tokens would replace %d", written, removed)
	}
	return nil
}

// keep verifies that what a fold keeps lies in its span, in order, in whole units.
func (c *checker) keep(f *Fold, from, to int) error {
	last := from - 1
	for _, id := range f.Keep {
		if !c.stands(id) {
			return fmt.Errorf("message %d, which it keeps, is not in the prompt", id)
		}
		pos := c.s.position(id)
		if pos <= last || pos > to {
			return fmt.Errorf("message %d, which it keeps, is out of order or outside the span", id)
		}
		last = pos
		u := c.s.unitAt(pos)
		for _, other := range c.s.prompt[u.From:u.To] {
			if !slices.Contains(f.Keep, other) {
				return fmt.Errorf("message %d would be kept without message %d, which belongs to it", id, other)
			}
		}
	}
	return nil
}
