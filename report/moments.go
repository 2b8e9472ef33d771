package report

import (
	"fmt"
	"strings"

	"perch/formats/transcript"
	"perch/replay"
)

// moments sets the recorded compactions of a run beside ours.
func moments(r *replay.Result) string {
	recorded, worth := recordedMoments(r.Changes)
	var ours []string
	for _, s := range r.Steps {
		switch {
		case s.Fired == 1:
			ours = append(ours, fmt.Sprintf("%s #%d", s.ID, s.FirstCall))
		case s.Fired > 1:
			ours = append(ours, fmt.Sprintf("%s %d times from #%d", s.ID, s.Fired, s.FirstCall))
		}
	}
	if !worth && len(ours) == 0 {
		return ""
	}
	text := "recorded " + listed(recorded, maxMoments) + "; ours " + listed(ours, maxMoments)
	if r.Censored {
		text += " (censored: the recorded agent compacted at or below our trigger)"
	}
	return text
}

// recordedMoments words the recorded changes. Rewinds are counted, and so are falls that a growing prompt hides; a
// fall at a compaction is the compaction. worth is false where there are none but those that are counted.
func recordedMoments(changes []replay.RecordedChange) (words []string, worth bool) {
	rewinds, falls, compacted := 0, 0, map[int]bool{}
	for _, c := range changes {
		compacted[c.Call] = compacted[c.Call] || c.Kind != fall
	}
	for _, c := range changes {
		switch {
		case c.Kind == string(transcript.Rewind):
			rewinds++
		case c.Kind == fall && compacted[c.Call]:
		case c.Kind == fall && c.After.N >= c.Before.N:
			falls++
		default:
			words = append(words, recordedMoment(c))
		}
	}
	worth = len(words) > 0
	if falls > 0 {
		words = append(words, several(falls, "small fall"))
	}
	if rewinds > 0 {
		words = append(words, several(rewinds, "rewind"))
	}
	return words, worth
}

// fall is the kind of a recorded change that no record explains: the prompt was smaller than its parts.
const fall = "fall"

// recordedMoment is one recorded change, with the call after it.
func recordedMoment(c replay.RecordedChange) string {
	call := "after the last call"
	if c.Call > 0 {
		call = fmt.Sprintf("#%d", c.Call)
	}
	return fmt.Sprintf("%s %s %s -> %s", changeWords(c), call, Recorded(c.Before).human(false), Recorded(c.After).human(false))
}

// changeWords names a recorded change.
func changeWords(c replay.RecordedChange) string {
	switch {
	case c.Kind == string(transcript.Compact):
		return strings.TrimSpace(c.Trigger + " compaction")
	case c.Trigger != "":
		return c.Kind + " (" + c.Trigger + ")"
	}
	return c.Kind
}

// listed joins items with commas; none is said, and more than most are counted.
func listed(items []string, most int) string {
	if len(items) == 0 {
		return "none"
	}
	if more := len(items) - most; more > 1 {
		items = append(items[:most:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(items, ", ")
}
