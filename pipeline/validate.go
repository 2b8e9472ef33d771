package pipeline

import (
	"fmt"
	"path"
	"slices"
)

// Validate reports the first setting that cannot be meant.
func (p Prune) Validate() error {
	return firstError(
		atLeast("snapshot.keep_full", 0, p.Snapshot.KeepFull),
		atLeast("snapshot.keep_actionable", 0, p.Snapshot.KeepActionable),
		atLeast("snapshot.max_tokens", 1, p.Snapshot.MaxTokens),
		atLeast("image.keep_last", 0, p.Image.KeepLast),
		atLeast("image.max_tokens_each", 0, p.Image.MaxTokensEach),
		atLeast("image.user_images", 0, p.Image.UserImages),
		atLeast("batch.calls", 0, p.Batch.Calls),
	)
}

// Validate reports the first setting that cannot be meant.
func (mc Microcompact) Validate() error {
	return firstError(
		atLeast("keep_last", 0, mc.KeepLast),
		atLeast("keep_turns", 0, mc.KeepTurns),
		atLeast("min_body", 0, int(mc.MinBody)),
		oneOf("boundary", mc.Boundary, BoundaryKeep, BoundaryPrune),
		globs("exclude_tools", mc.ExcludeTools),
		globs("only_tools", mc.OnlyTools),
	)
}

// Validate reports the first setting that cannot be meant.
func (sm Summarize) Validate() error {
	return firstError(
		pinList(sm.Pin),
		oneOf("fold", sm.Fold, FoldPrevious, FoldAll),
		share("size.share", sm.Size.Share),
		atLeast("size.min", 0, int(sm.Size.Min)),
		atLeast("size.max", int(sm.Size.Min), int(sm.Size.Max)),
		atLeast("size.wrapper", 0, int(sm.Size.Wrapper)),
		share("must_shrink", sm.MustShrink),
		atLeast("breaker.ineffective", 0, sm.Breaker.Ineffective),
		atLeast("breaker.fires", 0, sm.Breaker.Fires),
		atLeast("breaker.within", 0, sm.Breaker.Within),
		atLeast("breaker.quiet", 0, sm.Breaker.Quiet),
		atLeast("rearm.tokens", 0, int(sm.Rearm.Tokens)),
		atLeast("rearm.calls", 0, sm.Rearm.Calls),
		atLeast("escalate", 0, sm.Escalate),
		atLeast("reinject", 0, int(sm.Reinject)),
	)
}

// Validate reports the first setting that cannot be meant.
func (e Enforce) Validate() error {
	return firstError(
		pinList(e.Pin),
		atLeast("floor_units", 1, e.FloorUnits),
		share("margin", e.Margin),
	)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func atLeast(key string, least, n int) error {
	if n < least {
		return fmt.Errorf("%s is %d; write %d or more", key, n, least)
	}
	return nil
}

func share(key string, x float64) error {
	if x < 0 || x > 1 {
		return fmt.Errorf("%s is %v; write a share from 0 to 1", key, x)
	}
	return nil
}

func oneOf[T ~string](key string, v T, all ...T) error {
	if !slices.Contains(all, v) {
		return fmt.Errorf("%s is %q; write one of %v", key, v, all)
	}
	return nil
}

func pinList(pins []Pin) error {
	for _, p := range pins {
		if err := oneOf("pin", p, PinSystem, PinInstructions, PinFirstUser); err != nil {
			return err
		}
	}
	return nil
}

func globs(key string, list []string) error {
	for _, g := range list {
		if _, err := path.Match(g, ""); err != nil {
			return fmt.Errorf("%s holds %q, which is no glob; write a name with * and ? in it", key, g)
		}
	}
	return nil
}
