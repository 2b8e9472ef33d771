package pipeline

// Default returns the pipeline of the seed: prune always, microcompact and summarize over the trigger, enforce over
// the limit. Its ids are prune, micro, summarize and enforce. It is also the list of all stages and their usual gates.
func Default() Pipeline {
	return Pipeline{Steps: []Step{
		{ID: "prune", Stage: DefaultPrune(), When: When(Always)},
		{ID: "micro", Stage: DefaultMicrocompact(), When: When(OverTrigger)},
		{ID: "summarize", Stage: DefaultSummarize(), When: When(OverTrigger)},
		{ID: "enforce", Stage: DefaultEnforce(), When: When(OverLimit)},
	}}
}
