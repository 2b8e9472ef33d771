package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perch/replay"
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

// judge holds every run against every gate; it is never the mean that decides. A metric that was not measured
// cannot pass.
func (p *program) judge(gates []gate, runs []*replay.Result) error {
	for _, r := range runs {
		if len(gates) == 0 {
			return nil
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
