package formats

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func FuzzCodex(f *testing.F) {
	fuzzReader(f, codex(),
		strings.Join([]string{cxMeta(`"base_instructions":{"text":"b"}`), cxStart("t"), cxMessage("user", "a"), cxTokens(9, 9, 0, 1, 0), cxCall("c"), cxCall("c"), cxOut("c", "x"), cxOut("c", "y"), cxTokens(9, 9, 0, 1, 0), cxTokens(20, 11, 0, 1, 0)}, "\n"),
		strings.Join([]string{cxMessage("user", "a"), cxHistory(cxKept("user", "a"), cxKept("user", "a"), cxSummary), cxZero(9, 4), cxEvent(`{"type":"thread_rolled_back","num_turns":2}`), cxMessage("assistant", "b"), cx("compacted", `{"message":"s"}`)}, "\n"),
		strings.Join([]string{cx("token_usage_record", `{"response_id":"r","usage":{"input_tokens":5,"output_tokens":1}}`), cxEvent(`{"type":"turn_aborted"}`), cxEvent(`{"type":"error","message":"m"}`), cx("compacted", `{"replacement_history":[{}],"compaction_response_id":"r"}`)}, "\n"),
	)
}

// A recording comes from anywhere. Fields of a wrong type read as if they were missing, and what was read of the rest
// stays.
func TestCodexWrongTypes(t *testing.T) {
	tr := rollout(t, cxMeta(), cxMessage("user", "go"),
		cx("session_meta", `{"id":[1],"cli_version":{},"base_instructions":"x","source":7}`),
		cx("turn_context", `{"model":{},"turn_id":4}`),
		cx("compacted", `[]`), cx("compacted", `{"message":{},"replacement_history":{}}`), cx("compacted", `"x"`),
		cx("token_usage_record", `{"response_id":[],"usage":[1,2]}`), cx("token_usage_record", `7`),
		cxEvent(`{"type":7}`), cxEvent(`{"type":"token_count","info":[]}`), cxEvent(`{"type":"token_count","info":{"total_token_usage":"x","last_token_usage":{"input_tokens":"9"}}}`),
		cxEvent(`{"type":"thread_rolled_back","num_turns":"all"}`), cxEvent(`{"type":"error","message":{}}`), cxEvent(`{"type":"task_started","turn_id":{},"model_context_window":"big"}`),
		cxItem(`7`), cxItem(`{"type":"message","role":[],"content":"text"}`), cxItem(`{"type":"message","role":"user","content":[1,null,{"type":{}}]}`),
		cxItem(`{"type":"reasoning","summary":{},"content":7,"encrypted_content":[]}`), cxItem(`{"type":"function_call","name":[],"arguments":{},"call_id":{}}`),
		cxItem(`{"type":"function_call_output","call_id":7,"output":[[]]}`), cxItem(`{"type":"custom_tool_call","input":[]}`), cxItem(`{"type":"web_search_call","action":"x"}`),
		cxOut("deep", `{"output":`+strings.Repeat("[", 1<<20)), cxItem(`{"type":"function_call","name":"f","arguments":`+js(`{"a":`+strings.Repeat("[", 1<<20))+`}`),
		cxItem(`{"type":"image_generation_call","result":{}}`), cxItem(`{"type":"tool_search_output","tools":"x"}`), cxItem(`{"type":"input_image"}`),
		cxMessage("assistant", "ok"))
	if last := tr.Messages[len(tr.Messages)-1]; last.Parts[len(last.Parts)-1].Text != "ok" {
		t.Errorf("the last message is %+v, want the one that is sound", last)
	}
}

// Records in any order, as resumed, forked and torn sessions have them: what is read must keep the invariants and
// come back from the canonical form. Shuffled whole records reach what flipped bytes do not.
func TestCodexAnyOrder(t *testing.T) {
	deck := []string{
		cxMeta(`"base_instructions":{"text":"b"}`), cx("session_meta", `{"id":"s2"}`), cxStart("t1"), cxStart("t2"), cxDone(), cxTurn("t1"),
		cxMessage("user", "a"), cxMessage("user", "b"), cxMessage("developer", "d"), cxMessage("user", "<environment_context>e</environment_context>"),
		cxMessage("assistant", "x"), cxThink(), cxCall("c1"), cxCall("c2"), cxOut("c1", "1"), cxOut("c2", "2"), cxOut("c3", "3"),
		cxItem(`{"type":"web_search_call"}`), cxItem(`{"type":"function_call","name":"f","arguments":"{}"}`), cxItem(`{"type":"function_call_output","output":"v"}`),
		cxItem(`{"type":"custom_tool_call","name":"apply_patch","input":"i","call_id":"c2"}`), cxItem(`{"type":"compaction","encrypted_content":"e"}`),
		cxItem(`{"type":"agent_message","content":"m"}`), cxTokens(10, 10, 0, 1, 0), cxTokens(20, 10, 0, 1, 0), cxTokens(40, 20, 5, 2, 1), cxZero(40, 9),
		cx("token_usage_record", `{"response_id":"r1","usage":{"input_tokens":10,"output_tokens":1}}`), cx("token_usage_record", `{"response_id":"r2","usage":{"input_tokens":20,"output_tokens":2}}`),
		cxHistory(cxKept("user", "a"), cxKept("assistant", "x"), cxSummary), cxHistory(cxKept("user", "b"), cxKept("user", "a"), cxKept("user", "a")),
		cx("compacted", `{"message":"s"}`), cx("compacted", `{"message":"","replacement_history":[],"compaction_response_id":"r2"}`),
		cxEvent(`{"type":"thread_rolled_back","num_turns":1}`), cxEvent(`{"type":"thread_rolled_back","num_turns":3}`),
		cxEvent(`{"type":"turn_aborted","reason":"r"}`), cxEvent(`{"type":"error","message":"m"}`), cxEvent(`{"type":"task_complete","error":{"message":"m"}}`),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		lines := make([]string, random.IntN(60))
		for i := range lines {
			lines[i] = deck[random.IntN(len(deck))]
		}
		list, err := read(t, codex(), strings.Join(lines, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, list)
		if t.Failed() {
			t.Fatalf("the session was:\n%s", strings.Join(lines, "\n"))
		}
	}
}
