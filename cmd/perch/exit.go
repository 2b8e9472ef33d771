package main

import "slices"

// The exit codes. They are part of the interface: scripts and CI jobs branch on them.
const (
	exitDone         = 0   // whatever was found
	exitGate         = 1   // a gate failed (--fail-on)
	exitUsage        = 2   // usage, configuration, or an output that cannot be written
	exitNoTranscript = 4   // an input named on the command line gave no transcript; the others' results are written
	exitInterrupted  = 130 // interrupted; what was finished is written and marked as partial
)

// precedence orders the codes for a run to which several apply: the first one wins.
var precedence = [...]int{exitInterrupted, exitUsage, exitGate, exitNoTranscript, exitDone}

// worst is the code that is returned where all of these apply; without any it is done.
func worst(codes ...int) int {
	for _, c := range precedence {
		if slices.Contains(codes, c) {
			return c
		}
	}
	return exitDone
}
