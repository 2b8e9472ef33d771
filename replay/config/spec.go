package config

import (
	"fmt"
	"reflect"
	"strings"

	"perch/estimate"
	"perch/pipeline"
	"perch/replay"
)

// spec says what a key means to a person. The fields of the stages say the same to a programmer; a test keeps the
// two lists complete.
type spec struct {
	name     string // the key; of a step's, with its stage in place of the id
	unit     string // what a number counts
	doc      string
	values   []string // the only texts that are allowed
	optional bool     // the text none stands for nothing
	globs    bool     // patterns of tool names
	least    float64  // a number is never below this
	most     float64  // nor above this, if it is not 0
}

// amount is the unit of pipeline.Amount: a number up to 1 is a share of the input limit.
const amount = "tokens or share"

// specs is the one list of what the keys mean, in the order of the structs.
var specs = [...]spec{
	{name: "limit", unit: "tokens", doc: "the model's limit: auto (recording, tier, model table), a window, or N:input for the prompt alone"},
	{name: "tier", doc: "name of the tier whose larger window applies, such as 1m", optional: true},
	{name: "output_reserve", unit: "tokens or share of the window", doc: "room for the answer where prompt and answer share a window"},
	{name: "trigger", unit: amount, doc: "above this estimate microcompact and summarize act"},
	{name: "target", unit: amount, doc: "the working budget they aim for; none is the trigger"},
	{name: "min_gap", unit: amount, doc: "least distance from target to trigger, so that the window does not refill a call later"},
	{name: "counter", doc: "what counts local tokens", values: estimate.CounterNames()},
	{name: "from", doc: "where a replay starts: at recorded compactions, or from every message with its full body", values: texts(replay.Segments, replay.Raw)},

	{name: "step.enabled", doc: "false switches the step off; it still reports that it was skipped"},
	{name: "step.when", doc: "when the step may run: always, over_trigger, over_limit, never, a condition, or a list of alternatives"},

	{name: "prune.snapshot.keep_full", unit: "snapshots", doc: "newest page snapshots that stay whole, with the incremental ones after them"},
	{name: "prune.snapshot.keep_actionable", unit: "snapshots", doc: "the next ones are cut to their controls and structure; older ones become stubs"},
	{name: "prune.snapshot.max_tokens", unit: "tokens", doc: "most one reduced snapshot keeps, at 4 characters a token", least: 1},
	{name: "prune.image.keep_last", unit: "images", doc: "newest screenshots that stay; older ones become stubs"},
	{name: "prune.image.max_tokens_each", unit: "tokens", doc: "larger images are scaled down to this; 0 never"},
	{name: "prune.image.user_images", unit: "user turns", doc: "an image a person sent stays while it is in the last so many turns"},
	{name: "prune.batch.calls", unit: "calls", doc: "least distance of two prunings; each one breaks the prompt cache"},
	{name: "prune.batch.min_freed", unit: amount, doc: "wait until one pruning frees this much"},

	{name: "microcompact.keep_last", unit: "results", doc: "newest tool results that keep their bodies"},
	{name: "microcompact.keep_tokens", unit: amount, doc: "newest results up to this many tokens keep theirs too"},
	{name: "microcompact.boundary", doc: "what happens to the result that crosses keep_tokens", values: texts(pipeline.BoundaryKeep, pipeline.BoundaryPrune)},
	{name: "microcompact.keep_turns", unit: "user turns", doc: "results since so many typed messages ago keep theirs too"},
	{name: "microcompact.min_freed", unit: amount, doc: "do nothing if less than this can be freed; ignored over the limit"},
	{name: "microcompact.stop", doc: "how much of what may go does go: all, at_target, or {after_tokens: N}"},
	{name: "microcompact.min_body", unit: "tokens", doc: "smaller bodies stay; they are hardly larger than the marker"},
	{name: "microcompact.exclude_tools", doc: "globs of tools whose results always stay", globs: true},
	{name: "microcompact.only_tools", doc: "globs of the only tools whose results may go; empty is every tool", globs: true},
	{name: "microcompact.keep_errors", doc: "results that report an error stay"},
	{name: "microcompact.replace", doc: "what stands in a body's place: marker, one_line, or {head_tail: CHARACTERS}"},
	{name: "microcompact.oversized", unit: amount, doc: "a larger result is cut to this even where it is protected; none never"},

	{name: "summarize.pin", doc: "messages that never go", values: pins},
	{name: "summarize.tail.tokens", unit: amount, doc: "recent history that stays word for word"},
	{name: "summarize.tail.min", unit: amount, doc: "the tail is never smaller"},
	{name: "summarize.tail.max", unit: amount, doc: "the tail is never larger; 0 no bound"},
	{name: "summarize.tail.fit", doc: "the tail also leaves room for overhead, pins and the summary below the target"},
	{name: "summarize.keep_user_text", unit: amount, doc: "newest words a person typed that stay beside the summary"},
	{name: "summarize.fold", doc: "the earlier summary goes into the new one, once, or everything is read again", values: texts(pipeline.FoldPrevious, pipeline.FoldAll)},
	{name: "summarize.size.share", unit: "of the span", doc: "a simulated summary is clamp(share x span, min, max) + wrapper", most: 1},
	{name: "summarize.size.min", unit: "tokens", doc: "least size of a simulated summary"},
	{name: "summarize.size.max", unit: "tokens", doc: "largest size of a simulated summary"},
	{name: "summarize.size.wrapper", unit: "tokens", doc: "what is said around a summary"},
	{name: "summarize.must_shrink", unit: "of the span", doc: "a summary that saves less than this is rejected", most: 1},
	{name: "summarize.breaker.ineffective", unit: "attempts", doc: "stop summarizing after so many in a row without effect; 0 never"},
	{name: "summarize.breaker.fires", unit: "fires", doc: "stop summarizing after so many in quick succession; 0 never"},
	{name: "summarize.breaker.within", unit: "calls", doc: "what quick succession is"},
	{name: "summarize.breaker.quiet", unit: "calls", doc: "how long it stays stopped, unless a person types"},
	{name: "summarize.rearm.tokens", unit: "tokens", doc: "growth since its last fire before it fires again; ignored over the limit"},
	{name: "summarize.rearm.calls", unit: "calls", doc: "calls since its last fire before it fires again; ignored over the limit"},
	{name: "summarize.escalate", unit: "calls", doc: "also summarize above the target when microcompact fires again within so many calls; 0 never"},
	{name: "summarize.fail", doc: "simulated failures, to see the backstop work: none, always, or {every: N}"},
	{name: "summarize.reinject", unit: "tokens", doc: "what the agent puts back after a summary, such as memory files"},
	{name: "summarize.loop_atomic", doc: "never split a tool loop that carries signed thinking"},

	{name: "enforce.pin", doc: "messages that never go", values: pins},
	{name: "enforce.floor_units", unit: "units", doc: "newest units that stay, with the last message a person typed", least: 1},
	{name: "enforce.margin", unit: "of what no provider counted yet", doc: "distance kept to the limit where the trigger cannot be reached", most: 1},
	{name: "enforce.loop_atomic", doc: "never split a tool loop that carries signed thinking"},

	{name: "about.name", doc: "the preset's name"},
	{name: "about.summary", doc: "what it is, in a line"},
	{name: "about.source", doc: "what it is built from"},
	{name: "about.date", doc: "when that was last checked"},
	{name: "about.exact", doc: "what it reproduces exactly"},
	{name: "about.approximate", doc: "what it reproduces approximately"},
	{name: "about.missing", doc: "what it cannot reproduce"},
}

// pins lists the messages that can be pinned.
var pins = texts(pipeline.PinSystem, pipeline.PinInstructions, pipeline.PinFirstUser)

func texts[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// specOf returns the spec of a key, named by stage. Every step has enabled and when.
func specOf(name string) spec {
	if use, own, ok := strings.Cut(name, "."); ok && use != "about" && (own == "enabled" || own == "when") {
		name = "step." + own
	}
	for _, s := range specs {
		if s.name == name {
			return s
		}
	}
	return spec{name: name}
}

// want says what has to be written for a value.
func (s spec) want(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number of " + s.unit
	case reflect.Float64:
		return fmt.Sprintf("a number from %v to %v, a share %s", s.least, s.most, s.unit)
	case reflect.Slice:
		return "a list of texts such as [a, b]"
	}
	if len(s.values) > 0 {
		return "one of " + strings.Join(s.values, ", ")
	}
	return "a text"
}

// kind names the type of a value: flag, number, share, text, list, or what it calls itself: amount, gate, limit.
func kindName(v reflect.Value) string {
	if _, own := v.Addr().Interface().(yamlReader); own {
		return strings.ToLower(v.Type().Name())
	}
	switch v.Kind() {
	case reflect.Bool:
		return "flag"
	case reflect.Int:
		return "number"
	case reflect.Float64:
		return "share"
	case reflect.Slice:
		return "list"
	}
	return "text"
}
