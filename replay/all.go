package replay

import (
	"context"
	"iter"

	"perch/formats/transcript"
)

// All replays transcripts with at most workers at a time and yields the results in input order, whatever the
// number of workers. An error of the input, or of one run, takes its place in the order; the others go on. When
// ctx ends, what has not started is left out and the last error is ctx's.
func All(ctx context.Context, ts iter.Seq2[*transcript.Transcript, error], cfg Config, workers int) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		runs := start(ctx, ts, cfg, max(workers, 1))
		defer func() { // ts is the caller's again when All returns
			cancel()
			for range runs {
			}
		}()
		for run := range runs {
			done, ok := wait(ctx, run)
			if !ok {
				yield(nil, ctx.Err())
				return
			}
			if !yield(done.result, done.err) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// outcome is what became of one transcript.
type outcome struct {
	result *Result
	err    error
}

// wait returns what became of a run. When ctx ends only a run that is finished already counts.
func wait(ctx context.Context, run <-chan outcome) (outcome, bool) {
	select {
	case done := <-run:
		return done, true
	case <-ctx.Done():
	}
	select {
	case done := <-run:
		return done, true
	default:
		return outcome{}, false
	}
}

// start reads transcripts in order, finds the calls that are copies of earlier ones, and starts their runs; it
// yields a promise for each. At most workers transcripts are in work, and as many finished ones wait.
func start(ctx context.Context, ts iter.Seq2[*transcript.Transcript, error], cfg Config, workers int) <-chan chan outcome {
	promises := make(chan chan outcome, workers)
	go func() {
		defer close(promises)
		var seen copies
		slots := make(chan struct{}, workers)
		for t, err := range ts {
			promise := make(chan outcome, 1)
			select {
			case promises <- promise:
			case <-ctx.Done():
				return
			}
			if err != nil {
				promise <- outcome{err: err}
				continue
			}
			marks, of := seen.mark(t)
			if cfg.KeepDuplicates {
				marks = nil
			}
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				res, err := Run(ctx, t, marks, cfg)
				if res != nil {
					res.CopiesOf = of
				}
				promise <- outcome{res, err}
			}()
		}
	}()
	return promises
}

// copies remembers which transcript recorded a call first. Nested threads have a memory of their own: what a
// sub-agent's progress records repeat must not push the sub-agent's own file out of the totals.
type copies struct{ main, nested map[string]string }

// mark finds the calls of t that an earlier transcript, or an earlier record of t, holds too, and names the
// sources it copies from, in order of appearance.
func (c *copies) mark(t *transcript.Transcript) (marks []bool, of []string) {
	if c.main == nil {
		c.main, c.nested = map[string]string{}, map[string]string{}
	}
	marks = make([]bool, len(t.Calls))
	named := map[string]bool{}
	for i := range t.Calls {
		key := t.Calls[i].Key
		if key == "" {
			continue
		}
		source, copied := c.main[key]
		if t.Nested && !copied {
			source, copied = c.nested[key]
		}
		if copied {
			marks[i] = true
			if source != t.Source && !named[source] {
				named[source] = true
				of = append(of, source)
			}
			continue
		}
		if t.Nested {
			c.nested[key] = t.Source
		} else {
			c.main[key] = t.Source
		}
	}
	return marks, of
}
