package estimate

import (
	"cmp"
	"slices"

	"perch/formats/transcript"
)

// apportion splits a total of tokens over weights so that the shares sum to it exactly: each share is rounded
// towards zero first, then the largest remainders get one more, the earlier one among equals. Weights that are all
// zero count as equal. The shares have the sign of the total.
func apportion(total transcript.Ledger, weights []float64) []transcript.Ledger {
	shares := make([]transcript.Ledger, len(weights))
	if len(weights) == 0 || total == 0 {
		return shares
	}
	unit := transcript.Ledger(1)
	if total < 0 {
		total, unit = -total, -1
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	rest := total
	order := make([]int, len(weights))
	remainder := make([]float64, len(weights))
	for i, w := range weights {
		if sum == 0 {
			w = 1
		}
		exact := float64(total) * w / cmp.Or(sum, float64(len(weights)))
		shares[i] = min(transcript.Ledger(exact), rest)
		rest -= shares[i]
		order[i], remainder[i] = i, exact-float64(shares[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder[b], remainder[a]) })
	for i := 0; rest > 0; i++ {
		shares[order[i%len(order)]]++
		rest--
	}
	for i := range shares {
		shares[i] *= unit
	}
	return shares
}
