package config

import (
	"fmt"
	"slices"
	"strings"

	"perch/formats/transcript"
	"perch/pipeline"
)

// Check finds settings that contradict each other, as far as that can be told without a recording. What depends on
// the model's limit is found when the budget of a run is made. The error is an [Errors].
func (c *Config) Check() error {
	errs := c.checkBudget()
	for i := range c.Steps {
		errs = append(errs, c.checkStep(&c.Steps[i])...)
	}
	if len(errs) > 0 {
		return errs
	}
	return nil
}

// mistake is an error at the place where a key was given its value.
func (c *Config) mistake(key, format string, args ...any) *Error {
	return &Error{c.origins[key], key + fmt.Sprintf(format, args...)}
}

// checkBudget looks for a target that a person put too close to the trigger: between amounts of one kind, or
// under the input limit where it is given.
func (c *Config) checkBudget() Errors {
	if errs := c.checkScale(); len(errs) > 0 {
		return errs
	}
	if !c.TargetChosen() {
		return nil
	}
	b := c.Budget
	if limit := c.limit(); limit.Kind == transcript.Input {
		_, findings := b.Budget(limit, 0, true)
		for _, f := range findings {
			if f.Level == pipeline.Fatal {
				return Errors{c.mistake("target", ": %s", f.Message)}
			}
		}
		return nil
	}
	h, ok := comparable(b.Trigger, b.Target, b.MinGap)
	room := b.Trigger.Of(h) - b.MinGap.Of(h)
	if g := b.Target.Of(h); !ok || g == 0 || g <= room {
		return nil
	}
	most := pipeline.Tokens(float64(max(0, room)))
	if h == wholeLimit {
		most.N /= wholeLimit
	}
	return Errors{c.mistake("target", ": %s is less than min_gap (%s) below the trigger of %s, so the context would refill at once; write %s or less, or raise the trigger",
		b.Target, b.MinGap, b.Trigger, most)}
}

// leastLimit is the smallest limit in tokens that is taken for meant: no agent's system prompt fits in less.
const leastLimit = 1000

// checkScale finds amounts of the wrong scale: a share written as a percentage, or a handful of tokens.
func (c *Config) checkScale() (errs Errors) {
	if n := c.Limit.Tokens; n > 0 && n < leastLimit {
		errs = append(errs, c.mistake("limit", ": %d tokens are too few for any request; write the whole window, such as 200000", n))
	}
	for _, a := range []struct {
		key    string
		amount pipeline.Amount
	}{{"trigger", c.Budget.Trigger}, {"target", c.Budget.Target}} {
		if n := a.amount.N; n > 1 && n < leastLimit {
			errs = append(errs, c.mistake(a.key, ": %s is a number of tokens, because it is above 1; write a share such as 0.8, or tokens such as 150000", a.amount))
		}
	}
	if t := c.Budget.Trigger; t.N == 0 && len(t.Min)+len(t.Max) == 0 {
		errs = append(errs, c.mistake("trigger", ": without a trigger every call would be compacted; to switch a step off write enabled: false, to wait for the limit write 1"))
	}
	return errs
}

// checkStep asks a stage about its settings, and compares the bounds of the tail.
func (c *Config) checkStep(s *Step) Errors {
	if st, ok := s.Stage.(interface{ Validate() error }); ok {
		if err := st.Validate(); err != nil {
			key, rest, _ := strings.Cut(err.Error(), " ") // a stage names its key first
			return Errors{c.mistake(join(s.ID, key), " %s", rest)}
		}
	}
	if sm, ok := s.Stage.(*pipeline.Summarize); ok {
		h, ok := comparable(sm.Tail.Min, sm.Tail.Max)
		if most := sm.Tail.Max.Of(h); ok && most > 0 && sm.Tail.Min.Of(h) > most {
			return Errors{c.mistake(s.ID+".tail.min", ": %s is above tail.max (%s); lower it or raise the other", sm.Tail.Min, sm.Tail.Max)}
		}
	}
	return nil
}

// wholeLimit stands for any input limit when shares are compared with shares.
const wholeLimit = 1_000_000

// comparable returns an input limit under which amounts compare as they would in every run: any, where all are
// shares or all are tokens.
func comparable(as ...pipeline.Amount) (h transcript.Estimated, ok bool) {
	shares, tokens := units(as)
	if tokens {
		return 0, true
	}
	return wholeLimit, shares
}

// units reports whether amounts are made of shares alone, and whether of tokens alone. 0 is both.
func units(as []pipeline.Amount) (shares, tokens bool) {
	shares, tokens = true, true
	for _, a := range as {
		s, t := a.N <= 1, a.N > 1 || a.N == 0
		if len(a.Min)+len(a.Max) > 0 {
			s, t = units(slices.Concat(a.Min, a.Max))
		}
		shares, tokens = shares && s, tokens && t
	}
	return shares, tokens
}
