package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"perch/replay"
)

// Metrics is every number of one run by its name: the keys of the JSON surface, with summaries and recorded_changes
// counted, and <step>.fired and <step>.freed_tokens for each step. A number that was not measured is nil.
func Metrics(r *replay.Result) (map[string]*float64, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", r.Source, err)
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, fmt.Errorf("reading the metrics of %s: %w", r.Source, err)
	}
	metrics := map[string]*float64{}
	for key, v := range fields {
		switch v := v.(type) {
		case nil:
			metrics[key] = nil
		case float64:
			metrics[key] = &v
		}
	}
	set := func(key string, n int) { f := float64(n); metrics[key] = &f }
	set("summaries", len(r.Summaries))
	set("recorded_changes", len(r.Changes))
	for _, s := range r.Steps {
		set(s.ID+".fired", s.Fired)
		set(s.ID+".freed_tokens", int(s.FreedTokens))
	}
	return metrics, nil
}

// MetricNames lists the metrics of runs with these steps, sorted.
func MetricNames(steps []string) []string {
	r := &replay.Result{}
	for _, id := range steps {
		r.Steps = append(r.Steps, replay.StepTotal{ID: id})
	}
	metrics, err := Metrics(r)
	if err != nil {
		return nil // cannot happen: an empty result has nothing JSON cannot hold
	}
	return slices.Sorted(maps.Keys(metrics))
}
