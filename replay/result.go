package replay

import (
	"perch/estimate"
	"perch/formats/transcript"
	"perch/pipeline"
)

// Result is one run (one thread of one transcript) replayed under one configuration. Its JSON is the run's entry
// of `perch replay --output json`.
type Result struct {
	Source string `json:"source"`
	Thread string `json:"thread"`
	ID     string `json:"id"`
	Format string `json:"format"`
	Agent  string `json:"agent"`
	Model  string `json:"model"`
	Nested bool   `json:"nested,omitempty"`

	From    From                 `json:"from"`
	Limit   transcript.Limit     `json:"limit"`
	H       transcript.Estimated `json:"input_limit"`
	Trigger transcript.Estimated `json:"trigger"`
	Target  transcript.Estimated `json:"target"`

	Sums
	Summaries []Summary        `json:"summaries"`
	Changes   []RecordedChange `json:"recorded_changes"`

	// AtRisk and ConstraintsLost are not measured yet; null says so.
	AtRisk          *transcript.Ledger `json:"at_risk_tokens"`
	ConstraintsLost *int               `json:"constraints_lost"`

	FirstDivergence int  `json:"first_divergence"` // 1-based call; 0: none
	Censored        bool `json:"censored,omitempty"`

	Guessed bool `json:"limit_guessed,omitempty"` // nobody recorded or gave the limit: it is the model table's

	// Overhead is what the provider counted in the first recorded prompt and the transcript does not show: system
	// prompt, tool schemas, reminders. Null where no prompt was recorded.
	Overhead Total[transcript.Ledger] `json:"overhead_tokens"`

	estimate.Shares
	Identity estimate.Identity    `json:"identity"`
	Usage    UsageTotals          `json:"usage"`
	Copied   int                  `json:"copied_calls"` // recorded in an earlier input too
	CopiesOf []string             `json:"copies_of,omitempty"`
	Warnings []transcript.Warning `json:"warnings"`

	Own      Sums              `json:"-"` // the same sums without copied calls: what totals add up
	Samples  *estimate.Samples `json:"-"`
	Accuracy estimate.Accuracy `json:"-"`
	Timeline []CallResult      `json:"-"`
}

// Sums is what adds up over calls, and over runs.
type Sums struct {
	Calls  int                  `json:"calls"` // with a recorded prompt above 0
	Steps  []StepTotal          `json:"steps"`
	Stages map[string]StepTotal `json:"stages"` // the same, summed by kind; every kind present

	Overflows         int `json:"overflows"`          // replayed calls whose ledger price exceeds the limit
	RecordedOverflows int `json:"recorded_overflows"` // recorded prompts over it, or recorded context-length errors
	NaiveOverflows    int `json:"naive_overflows"`    // of the same pipeline deciding on chars/4
	OverLimit         int `json:"over_limit"`         // replayed calls over H
	Impossible        int `json:"impossible"`

	UnrecordedGrowth transcript.Ledger    `json:"unrecorded_growth"` // behind the calls that overflow
	SummarizerTokens transcript.Estimated `json:"summarizer_tokens"`

	PeakRecorded Total[transcript.Recorded] `json:"peak_recorded"`
	PeakReplayed Total[transcript.Ledger]   `json:"peak_replayed"`
	MinHeadroom  *transcript.Ledger         `json:"min_headroom"` // H less the largest replayed prompt
	OverHalf     int                        `json:"calls_over_half"`
	Over80       int                        `json:"calls_over_80pct"`

	PromptRecorded Total[transcript.Recorded] `json:"prompt_tokens_recorded"`
	PromptReplayed Total[transcript.Ledger]   `json:"prompt_tokens_replayed"`
	CostRecorded   Total[int64]               `json:"cost_milli_recorded"`
	CostReplayed   Total[int64]               `json:"cost_milli_replayed"`

	CacheBreaks         int `json:"cache_breaks"`          // calls whose prompt no longer begins with the whole one before
	CacheBreaksRecorded int `json:"cache_breaks_recorded"` // the same of the recorded prompts
}

// From says where a replay starts.
type From string

// The starting points.
const (
	Segments From = "segments" // at a recorded boundary the state is the recorded prompt after it
	Raw      From = "raw"      // every message with its full body, as if nothing had been compacted
)

// StepTotal sums what one step did over a run.
type StepTotal struct {
	ID             string                      `json:"id,omitempty"`
	Use            string                      `json:"use"`
	Ran            int                         `json:"ran"`
	Fired          int                         `json:"fired"`
	FreedTokens    transcript.Ledger           `json:"freed_tokens"`
	FreedEstimated transcript.Estimated        `json:"freed_estimated"`
	FirstCall      int                         `json:"first_call"` // 1-based; 0: never fired
	Parts          int                         `json:"parts"`
	Skipped        map[pipeline.SkipReason]int `json:"skipped"`
	Grew           int                         `json:"grew"` // fires after which the ledger price was higher
}

// Summary is the moment the lossy step ran, in ledger tokens.
type Summary struct {
	Call             int               `json:"call"` // 1-based
	Line             int               `json:"line"`
	Freed            transcript.Ledger `json:"freed_tokens"`
	Messages         int               `json:"summarized_messages"`
	SummarizedTokens transcript.Ledger `json:"summarized_tokens"`
	SummaryTokens    transcript.Ledger `json:"summary_tokens"`
	KeptMessages     int               `json:"kept_messages"`
	KeptTokens       transcript.Ledger `json:"kept_tokens"`
	Folded           bool              `json:"folded"`
	Simulated        bool              `json:"simulated"`
}

// RecordedChange is a compaction, clear or rewind the recorded agent made, or a fall of its prompt that no record
// explains.
type RecordedChange struct {
	Call    int              `json:"call"` // 1-based: the first call after it
	Line    int              `json:"line"`
	Kind    string           `json:"kind"` // compact, clear, rewind, fall
	Trigger string           `json:"trigger,omitempty"`
	Before  transcript.Count `json:"before"` // recorded prompt of the last call before it
	After   transcript.Count `json:"after"`  // recorded prompt of the first call after it
}

// CallResult is one call of the timeline (`perch replay --calls`).
type CallResult struct {
	Source    string               `json:"source"`
	Thread    string               `json:"thread"`
	Call      int                  `json:"call"` // 1-based
	Line      int                  `json:"line"`
	Model     string               `json:"model,omitempty"`
	Recorded  transcript.Count     `json:"recorded"`
	Naive     transcript.Local     `json:"naive"`     // chars/4 of the visible replayed prompt
	Estimated transcript.Estimated `json:"estimated"` // E before the first step
	Sent      transcript.Estimated `json:"estimated_sent"`
	Ledger    transcript.Ledger    `json:"ledger"` // price of the prompt that would be sent
	Headroom  transcript.Ledger    `json:"headroom"`
	CacheKept transcript.Ledger    `json:"cache_kept"`
	Overflow  bool                 `json:"overflow,omitempty"`
	Outcomes  []StepOutcome        `json:"outcomes"`
}

// StepOutcome is a pipeline outcome with its freed tokens priced by the ledger.
type StepOutcome struct {
	pipeline.Outcome
	Freed transcript.Ledger `json:"freed_tokens"`
}

// UsageTotals sums recorded usage, each call once.
type UsageTotals struct {
	Calls      int                 `json:"calls_recorded"`
	Input      transcript.Recorded `json:"input_tokens"` // uncached
	Output     transcript.Recorded `json:"output_tokens"`
	CacheRead  transcript.Recorded `json:"cache_read_tokens"`
	CacheWrite transcript.Recorded `json:"cache_write_tokens"`
}
