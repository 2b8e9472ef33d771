package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perch/report"
)

// gate is one --fail-on: a metric and the most it may be in any run.
type gate struct {
	metric string
	most   float64
}

// parseGates reads the --fail-on flags; steps are the ids whose metrics exist.
func parseGates(args, steps []string) ([]gate, error) {
	known := report.MetricNames(steps)
	var gates []gate
	for _, arg := range args {
		name, bound, bounded := strings.Cut(arg, ">")
		g := gate{metric: strings.TrimSpace(name)}
		if bounded {
			most, err := strconv.ParseFloat(strings.TrimSpace(bound), 64)
			if err != nil {
				return nil, fmt.Errorf("--fail-on %s: want METRIC or METRIC>NUMBER", arg)
			}
			g.most = most
		}
		if !slices.Contains(known, g.metric) {
			return nil, fmt.Errorf("--fail-on %s: no metric %q%s", arg, g.metric, orKnown(didYouMean(g.metric, known), known))
		}
		gates = append(gates, g)
	}
	return gates, nil
}

// orKnown lists what is known where no suggestion was found.
func orKnown(suggestion string, known []string) string {
	if suggestion == "" {
		return "; the metrics are " + strings.Join(known, ", ")
	}
	return suggestion
}

// judge holds every run against every gate; it is never the mean that decides. What was not replayed, or not
// measured, cannot pass.
func (p *program) judge(gates []gate, f found) error {
	if len(gates) == 0 {
		return nil
	}
	if len(f.refused) > 0 {
		return fmt.Errorf("--fail-on %s: %s was not replayed, so it cannot be judged: %s", gates[0].metric, f.refused[0].Source, f.refused[0].Reason)
	}
	if len(f.runs) == 0 {
		return fmt.Errorf("--fail-on %s: no run to judge", gates[0].metric)
	}
	for _, r := range f.runs {
		if r.Calls == 0 && r.RecordedOverflows == 0 {
			return fmt.Errorf("--fail-on %s: no call of %s has a recorded prompt size, so it cannot be judged; leave it out", gates[0].metric, r.Source)
		}
		metrics, err := report.Metrics(r)
		if err != nil {
			return err
		}
		for _, g := range gates {
			switch v := metrics[g.metric]; {
			case v == nil:
				return fmt.Errorf("--fail-on %s: %s has no such number: it was not measured", g.metric, r.Source)
			case *v > g.most:
				p.codes = append(p.codes, exitGate)
				p.say("gate: %s is %s, more than %s, in %s", g.metric, plain(*v), plain(g.most), r.Source)
			}
		}
	}
	return nil
}

// plain writes a number without an exponent or idle decimals.
func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
