package replay

import "perch/estimate"

// Totals sums runs; nested threads apart. Copied calls are counted once.
type Totals struct {
	Runs int `json:"runs"`
	Sums
	Summaries int `json:"summaries"`

	estimate.Shares
	Usage  UsageTotals `json:"usage"`
	Copied int         `json:"copied_calls"`
}

// Nested sums the threads that were recorded inside others.
type Nested struct {
	Runs  int         `json:"runs"`
	Calls int         `json:"calls"`
	Usage UsageTotals `json:"usage"`
}

// Sum adds up results.
func Sum(results []*Result) (Totals, Nested) {
	t := Totals{Sums: Sums{Steps: []StepTotal{}}}
	var n Nested
	for _, r := range results {
		if r.Nested {
			n.Runs++
			n.Calls += r.Own.Calls
			n.Usage.add(r.Usage)
			continue
		}
		t.Runs++
		t.merge(&r.Own)
		t.Summaries += len(r.Summaries)
		t.Shares.Add(r.Shares)
		t.Usage.add(r.Usage)
		t.Copied += r.Copied
	}
	t.group()
	return t, n
}
