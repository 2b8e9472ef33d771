package config

import "strings"

// nearest returns the candidate that is fewest typing slips away from name, if it is close enough to be meant:
// one slip, or a third of the name. Of equally near ones it is the one that begins most like it, then the first.
func nearest(name string, candidates []string) (string, bool) {
	name = strings.ToLower(name)
	best, found := max(1, (len(name)+1)/3)+1, ""
	for _, c := range candidates {
		d := slips(name, c)
		if d < best || d == best && found != "" && common(name, c) > common(name, found) {
			best, found = d, c
		}
	}
	return found, found != ""
}

// common is the length of the beginning two texts share.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// slips is the number of letters to insert, delete, replace or swap with their neighbour to get from a to b
// (the optimal string alignment distance).
func slips(a, b string) int {
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}
