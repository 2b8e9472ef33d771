package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recordings is the folder of generated recordings.
var recordings = filepath.Join("..", "..", "testdata", "transcripts")

// perch runs the program in this process.
func perch(t *testing.T, stdin io.Reader, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, stdin, &out, &errs)
	return out.String(), errs.String(), code
}

// Scripts outside the project read these keys; one that is gone or renamed breaks them without a word.
func TestJSONSurface(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want map[string][]string // by path; a list's keys are those of its first element
	}{
		{"replay", []string{"replay", "--calls", "--output", "json"}, map[string][]string{
			"": {"schema", "command", "version", "config", "claims", "refused", "totals", "nested", "runs", "calls"},
			"runs": {
				"source", "thread", "id", "format", "agent", "model", "from", "calls", "limit", "trigger", "target", "steps", "stages", "summaries",
				"recorded_changes", "overflows", "recorded_overflows", "naive_overflows", "unrecorded_growth", "over_limit", "impossible",
				"summarizer_tokens", "at_risk_tokens", "constraints_lost", "peak_recorded", "peak_replayed", "min_headroom", "calls_over_half",
				"calls_over_80pct", "prompt_tokens_recorded", "prompt_tokens_replayed", "cost_milli_recorded", "cost_milli_replayed",
				"cache_breaks", "first_divergence", "ledger_exact_pct", "ledger_shared_pct", "ledger_guessed_pct",
			},
			"runs.limit":  {"tokens", "kind", "from"},
			"runs.steps":  {"id", "use", "ran", "fired", "freed_tokens", "freed_estimated", "first_call", "parts", "skipped"},
			"runs.stages": {"prune", "microcompact", "summarize", "enforce"},
			"totals": {
				"runs", "calls", "steps", "stages", "summaries", "overflows", "recorded_overflows", "naive_overflows", "over_limit", "impossible",
				"peak_recorded", "peak_replayed", "min_headroom", "prompt_tokens_recorded", "prompt_tokens_replayed", "cost_milli_recorded",
				"cost_milli_replayed", "cache_breaks", "usage",
			},
			"totals.usage": {"calls_recorded", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"},
			"calls":        {"source", "thread", "call", "line", "recorded", "naive", "estimated", "ledger", "outcomes"},
		}},
		{"estimate", []string{"estimate", "--output", "json"}, map[string][]string{
			"":               {"schema", "command", "version", "config", "claims", "totals", "runs", "classes"},
			"runs":           {"source", "thread", "calls", "predicted_calls", "clean_calls", "methods", "gaps", "usage"},
			"totals":         {"calls", "predicted_calls", "clean_calls", "methods", "gaps", "unexplained_gap_share_pct", "usage"},
			"totals.methods": {"naive", "local", "previous", "anchored", "calibrated", "upper"},
			"totals.methods.calibrated.all": {
				"median_ape_pct", "p95_ape_pct", "p99_ape_pct", "bias_pct", "delta_median_ape_pct", "delta_p95_ape_pct", "under_1pct_share_pct",
				"worst_under_pct", "over_median_pct", "missed_crossings_pct", "missed_guard2_pct", "late_calls",
			},
			"classes": {"class", "tokens_share_pct", "ratio", "chars_per_token"},
		}},
		{"list", []string{"list", "--output", "json"}, map[string][]string{
			"":           {"schema", "command", "version", "runs"},
			"runs":       {"agent", "format", "project", "id", "thread", "source", "started", "ended", "calls", "peak_prompt_tokens", "limit", "compactions"},
			"runs.limit": {"tokens", "kind", "from"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, errs, code := perch(t, nil, append(tt.args, filepath.Join(recordings, "claude-code", "coding-long.jsonl"))...)
			if code != 0 {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			var document any
			if err := json.Unmarshal([]byte(out), &document); err != nil {
				t.Fatal(err)
			}
			for path, keys := range tt.want {
				object := at(document, path)
				for _, key := range keys {
					if _, ok := object[key]; !ok {
						t.Errorf("%s lacks %q", path, key)
					}
				}
			}
		})
	}
}

// at walks to an object of a document.
func at(v any, path string) map[string]any {
	for _, key := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		v = first(v)
		object, _ := v.(map[string]any)
		v = object[key]
	}
	object, _ := first(v).(map[string]any)
	return object
}

// first is the first element of a list, or the value itself.
func first(v any) any {
	if list, ok := v.([]any); ok && len(list) > 0 {
		return list[0]
	}
	return v
}

// The order of work must not show: results are compared byte by byte, in CI and between machines.
func TestWorkersDoNotShow(t *testing.T) {
	var answers []string
	for _, workers := range []string{"1", "4"} {
		out, errs, code := perch(t, nil, "replay", "--calls", "--output", "json", "--workers", workers, recordings)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
		answers = append(answers, out)
	}
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
		t.Errorf("one worker, four workers (-1 +4):\n%s", diff)
	}
}

// interrupting is a standard input that interrupts the program when it is read, and then never ends.
type interrupting struct {
	cancel context.CancelFunc
	ctx    context.Context
}

func (r interrupting) Read([]byte) (int, error) {
	r.cancel()
	<-r.ctx.Done()
	return 0, io.ErrUnexpectedEOF
}

// Whoever interrupts a long run keeps what is finished, and is told that it is not all.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs bytes.Buffer
	run1 := filepath.Join(recordings, "claude-code", "coding-long.jsonl")
	code := run(ctx, []string{"replay", "--workers", "1", "--output", "json", run1, run1, "-"}, interrupting{cancel, ctx}, &out, &errs)
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	var document struct {
		Partial bool  `json:"partial"`
		Runs    []any `json:"runs"`
	}
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if !document.Partial || len(document.Runs) > 2 {
		t.Errorf("partial %v with %d runs", document.Partial, len(document.Runs))
	}
	if !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("standard error does not say that it was interrupted: %q", errs.String())
	}
}

// gone is an output whose reader went away.
type gone struct{}

func (gone) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
}

// `perch replay runs/ | head -1` is no error.
func TestClosedPipe(t *testing.T) {
	var errs bytes.Buffer
	code := run(t.Context(), []string{"presets"}, nil, gone{}, &errs)
	if code != exitDone || errs.Len() > 0 {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
}

// A script that branches on the exit code sees the gravest thing that happened.
func TestWorstExitCode(t *testing.T) {
	for _, tt := range []struct {
		name  string
		codes []int
		want  int
	}{
		{"nothing", nil, 0},
		{"missing input and failed gate", []int{exitNoTranscript, exitGate}, exitGate},
		{"failed gate and usage", []int{exitGate, exitUsage}, exitUsage},
		{"everything", []int{exitNoTranscript, exitGate, exitUsage, exitInterrupted}, exitInterrupted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range len(tt.codes) + 1 {
				if got := worst(tt.codes...); got != tt.want {
					t.Errorf("worst(%v) = %d, want %d", tt.codes, got, tt.want)
				}
				if len(tt.codes) > 0 {
					tt.codes = append(tt.codes[1:], tt.codes[0])
				}
			}
		})
	}
}

// A build without version control has no revision to name, and must not fail for it.
func TestBuild(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}}
	for _, tt := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"no build info", nil, "(unknown)"},
		{"no version control", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "(devel)"},
		{"release", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: vcs[:1]}, "v1.2.3 0123456789ab"},
		{"changed tree", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: slices.Clone(vcs)}, "(devel) 0123456789ab (modified)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := build(tt.info, tt.info != nil); got != tt.want {
				t.Errorf("build = %q, want %q", got, tt.want)
			}
		})
	}
}
