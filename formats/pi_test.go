package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// piLog reads the lines of a session as a transcript.
func piLog(t testing.TB, lines ...string) *transcript.Transcript {
	t.Helper()
	tr := readOne(t, pi(), strings.Join(lines, "\n")+"\n")
	roundTrip(t, []*transcript.Transcript{tr})
	return tr
}

// piHead is the header of a session.
func piHead(version int) string {
	return fmt.Sprintf(`{"type":"session","version":%d,"id":"s1","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"}`, version)
}

// piRow is a record. An empty parent is none.
func piRow(kind, id, parent, fields string) string {
	up := "null"
	if parent != "" {
		up = js(parent)
	}
	return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,"timestamp":"2026-01-01T00:00:01Z",%s}`, kind, id, up, fields)
}

func piUser(id, parent, text string) string {
	return piRow("message", id, parent, `"message":{"role":"user","content":`+js(text)+`}`)
}

// piAsst is a response; its key is the id of the record.
func piAsst(id, parent, blocks string) string {
	return piAsstWith(id, parent, blocks, `"stopReason":"stop"`)
}

func piAsstWith(id, parent, blocks, fields string) string {
	return piRow("message", id, parent, `"message":{"role":"assistant","provider":"p","model":"m","responseId":"`+id+`",`+fields+`,"content":[`+blocks+`]}`)
}

func piCall(id string) string {
	return `{"type":"toolCall","id":"` + id + `","name":"read","arguments":{"path":"/a/` + id + `"}}`
}

func piResult(id, parent, call, text string) string {
	return piRow("message", id, parent, `"message":{"role":"toolResult","toolCallId":"`+call+`","toolName":"read","content":[`+say(text)+`],"isError":false}`)
}

func piCut(id, parent, kept string) string {
	return piRow("compaction", id, parent, `"summary":"so far","firstKeptEntryId":"`+kept+`","tokensBefore":900`)
}

// unlinked is a record as version 1 wrote it.
func unlinked(line string) string {
	return line[:strings.Index(line, `"id"`)] + line[strings.Index(line, `"timestamp"`):]
}

// What stands in each prompt is what every number of a run is computed from.
func TestPiPrompts(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{
			"calls and results", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", think("hm")+","+piCall("t")+","+piCall("v")), piResult("r", "a", "t", "x"), piResult("q", "r", "v", "y"), piAsst("b", "q", say("ok"))},
			[]string{"0 user/person: text go", "1 assistant/agent: thinking hm | tool_call t | tool_call v", "2 tool/tool: tool_result t x", "3 tool/tool: tool_result v y", "4 assistant/agent: text ok", "call a [0]", "call b [0 1 2 3]"},
		},
		{
			"two records on a line", []string{piHead(3), piUser("u", "", "go") + piAsst("a", "u", say("ok"))},
			[]string{"0 user/person: text go", "1 assistant/agent: text ok", "call a [0]"},
		},
		{
			"records for the client", []string{piHead(3), piRow("model_change", "m", "", `"modelId":"m"`), piRow("thinking_level_change", "l", "m", `"thinkingLevel":"high"`), piUser("u", "l", "go"), piRow("custom", "c", "u", `"customType":"x","data":{}`), piRow("label", "k", "c", `"targetId":"u"`), piRow("session_info", "i", "k", `"name":"n"`), piAsst("a", "i", say("ok"))},
			[]string{"0 user/person: text go", "1 assistant/agent: text ok", "call a [0]"},
		},
		{
			"what extensions and commands put in", []string{
				piHead(2), piUser("u", "", "go"), piRow("custom_message", "c", "u", `"customType":"lint","content":"check it","display":true`), piRow("message", "h", "c", `"message":{"role":"hookMessage","content":[`+say("hook")+`]}`),
				piRow("message", "b", "h", `"message":{"role":"bashExecution","command":"ls","output":"x","exitCode":0}`), piRow("message", "d", "b", `"message":{"role":"bashExecution","command":"id","output":"y","excludeFromContext":true}`), piAsst("a", "d", say("ok")),
			},
			[]string{"0 user/person: text go", "1 user/injected: text check it", "2 user/injected: text hook", "3 user/injected: text Ran `ls`\nx", "4 user/injected (not sent): text Ran `id`\ny", "5 assistant/agent: text ok", "call a [0 1 2 3]"},
		},
		{
			"back to an earlier message", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one")), piUser("v", "a", "left"), piAsst("b", "v", say("two")), piUser("w", "a", "right"), piAsst("c", "w", say("three"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/person: text left", "3 assistant/agent: text two", "4 user/person: text right", "5 assistant/agent: text three",
				"call a [0]", "call b [0 1 2]", "rewind -> [0 1]", "call c [0 1 4]",
			},
		},
		{
			"message taken back before an answer", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one")), piUser("v", "a", "no"), piUser("w", "a", "yes"), piAsst("b", "w", say("two"))},
			[]string{"0 user/person: text go", "1 assistant/agent: text one", "2 user/person (not sent): text no", "3 user/person: text yes", "4 assistant/agent: text two", "call a [0]", "call b [0 1 3]"},
		},
		{
			"first message asked anew", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one")), piUser("v", "", "go on"), piAsst("b", "v", say("two"))},
			[]string{"0 user/person: text go", "1 assistant/agent: text one", "2 user/person: text go on", "3 assistant/agent: text two", "call a [0]", "rewind -> []", "call b [2]"},
		},
		{
			"branch that was left, with a summary of it", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one")), piUser("v", "a", "left"), piAsst("b", "v", say("two")), piRow("branch_summary", "s", "a", `"fromId":"a","summary":"tried it"`), piUser("w", "s", "right"), piAsst("c", "w", say("three"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/person: text left", "3 assistant/agent: text two", "4 user/compaction: summary tried it", "5 user/person: text right", "6 assistant/agent: text three",
				"call a [0]", "call b [0 1 2]", "rewind -> [0 1]", "call c [0 1 4 5]",
			},
		},
		{
			"compaction in the middle of a turn", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", piCall("t")), piResult("r", "a", "t", "x"), piAsst("b", "r", piCall("v")), piResult("q", "b", "v", "y"), piCut("k", "q", "b"), piAsst("c", "k", say("ok"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t x", "3 assistant/agent: tool_call v", "4 tool/tool: tool_result v y", "5 user/compaction: summary so far", "6 assistant/agent: text ok",
				"call a [0]", "call b [0 1 2]", "compact -> [5 3 4]", "call c [5 3 4]",
			},
		},
		{
			"second compaction that keeps the first summary", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one")), piCut("k", "a", "a"), piUser("v", "k", "more"), piAsst("b", "v", say("two")), piCut("l", "b", "k"), piUser("w", "l", "on"), piAsst("c", "w", say("three"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/compaction: summary so far", "3 user/person: text more", "4 assistant/agent: text two", "5 user/compaction: summary so far", "6 user/person: text on", "7 assistant/agent: text three",
				"call a [0]", "compact -> [2 1]", "call b [2 1 3]", "compact -> [5 2 3 4]", "call c [5 2 3 4 6]",
			},
		},
		{
			"back to before a compaction", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one")), piCut("k", "a", "a"), piUser("v", "k", "more"), piAsst("b", "v", say("two")), piUser("w", "a", "on"), piAsst("c", "w", say("three"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/compaction: summary so far", "3 user/person: text more", "4 assistant/agent: text two", "5 user/person: text on", "6 assistant/agent: text three",
				"call a [0]", "compact -> [2 1]", "call b [2 1 3]", "rewind -> [0 1]", "call c [0 1 5]",
			},
		},
		{
			"version 1: a compaction names its first kept record by number", []string{
				piHead(1), unlinked(piUser("u", "", "go")), unlinked(piAsst("a", "", say("one"))), unlinked(piUser("v", "", "more")), unlinked(piAsst("b", "", say("two"))),
				`{"type":"compaction","timestamp":"2026-01-01T00:00:01Z","summary":"so far","firstKeptEntryIndex":3,"tokensBefore":900}`, unlinked(piUser("w", "", "on")), unlinked(piAsst("c", "", say("three"))),
			},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/person: text more", "3 assistant/agent: text two", "4 user/compaction: summary so far", "5 user/person: text on", "6 assistant/agent: text three",
				"call a [0]", "call b [0 1 2]", "compact -> [4 2 3]", "call c [4 2 3 5]",
			},
		},
		{
			"version 1: what an aborted response had said is sent again, its calls are not", []string{
				piHead(1), unlinked(piUser("u", "", "go")), unlinked(piAsstWith("a", "", say("half")+","+piCall("t"), `"stopReason":"aborted"`)), unlinked(piUser("v", "", "more")), unlinked(piAsstWith("b", "", piCall("w"), `"stopReason":"aborted"`)), unlinked(piAsst("c", "", say("two"))),
			},
			[]string{"0 user/person: text go", "1 assistant/agent: text half", "2 user/person: text more", "3 assistant/agent: text two", "call a [0]", "call b [0 1 2]", "call c [0 1 2]"},
		},
		{
			"version 3: nothing of a failed response is sent again", []string{piHead(3), piUser("u", "", "go"), piAsstWith("a", "u", say("half")+","+piCall("t"), `"stopReason":"error"`), piResult("r", "a", "t", "aborted"), piUser("v", "r", "more"), piAsst("b", "v", say("two"))},
			[]string{"0 user/person: text go", "1 assistant/agent (not sent): text half | tool_call t", "2 tool/tool (not sent): tool_result t aborted", "3 user/person: text more", "4 assistant/agent: text two", "call a [0]", "call b [0 3]"},
		},
		{
			"OpenClaw: a copy of what was delivered between a call and its result", []string{
				piHead(3), piUser("u", "", "go"), piAsst("a", "u", piCall("t")), piRow("message", "d", "a", `"message":{"role":"assistant","provider":"openclaw","model":"delivery-mirror","content":[`+say("sent")+`],"usage":{"input":0}}`), piResult("r", "d", "t", "x"), piAsst("b", "r", say("ok")),
			},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t x", "3 assistant/injected (not sent): text sent", "4 assistant/agent: text ok", "call a [0]", "call b [0 1 2]"},
		},
		{
			"OpenClaw: parents named by the session and by a call", []string{piHead(3), piUser("u", "s1", "go"), piAsst("a", "u", piCall("t")), piResult("r", "t", "t", "x"), piAsst("b", "r", say("ok"))},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t x", "3 assistant/agent: text ok", "call a [0]", "call b [0 1 2]"},
		},
		{
			"header that is lost", []string{piUser("u", "x", "go"), piAsst("a", "u", piCall("t")), piResult("r", "a", "t", "x"), piAsstWith("b", "r", say("half"), `"stopReason":"aborted"`), piAsst("c", "b", say("ok"))},
			[]string{"0 user/person: text go", "1 assistant/agent: tool_call t", "2 tool/tool: tool_result t x", "3 assistant/agent (not sent): text half", "4 assistant/agent: text ok", "call a [0]", "call b [0 1 2]", "call c [0 1 2]"},
		},
		{
			"requests for summaries", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one")), strings.Replace(piCut("k", "a", "a"), `"tokens`, `"usage":{"input":7,"output":3},"tokens`, 1), piUser("v", "k", "more"), piAsst("b", "v", say("two"))},
			[]string{
				"0 user/person: text go", "1 assistant/agent: text one", "2 user/compaction: summary so far", "3 user/person: text more", "4 assistant/agent: text two",
				"call a [0]", "compact -> [2 1]", "call summary/k/20260101T000001.000 [2 1]", "call b [2 1 3]",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, story(piLog(t, tt.lines...))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Two kinds of failure look the same in the counts; taking a full window for a busy server hides every overflow.
func TestPiFailures(t *testing.T) {
	for _, tt := range []struct {
		name, fields, err string
		overflow          bool
		output            transcript.Source
	}{
		{"overflow", `"stopReason":"error","errorMessage":"Codex error: Your input exceeds the context window of this model. Please adjust your input and try again.","usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0}`, "Codex error: Your input exceeds the context window of this model. Please adjust your input and try again.", true, transcript.NotRecorded},
		{"overload", `"stopReason":"error","errorMessage":"Our servers are currently overloaded.","usage":{"input":0,"output":0}`, "Our servers are currently overloaded.", false, transcript.NotRecorded},
		{"too many requests", `"stopReason":"error","errorMessage":"429 rate limit: maximum context length is 5 tokens per minute"`, "429 rate limit: maximum context length is 5 tokens per minute", false, transcript.NotRecorded},
		{"abort with an overflow's words", `"stopReason":"aborted","errorMessage":"prompt is too long"`, "prompt is too long", false, transcript.NotRecorded},
		{"abort in the middle", `"stopReason":"aborted","usage":{"input":5,"output":2}`, "aborted", false, transcript.Partial},
	} {
		c := piLog(t, piHead(3), piUser("u", "", "go"), piAsstWith("a", "u", "", tt.fields)).Calls[0]
		if c.Err != tt.err || c.Overflow != tt.overflow || c.Usage.Output.From != tt.output || c.Stopped || c.Reply.Len() > 0 {
			t.Errorf("%s: %+v", tt.name, c)
		}
	}
}

// A prompt that counts its cached part twice, or not at all, is wrong by nine tenths.
func TestPiUsage(t *testing.T) {
	of := transcript.Of
	for _, tt := range []struct {
		name, usage string
		want        transcript.Usage
		warning     string
	}{
		{"cache beside the input", `{"input":5,"output":7,"cacheRead":100,"cacheWrite":20,"reasoning":3,"totalTokens":132}`, transcript.Usage{Prompt: of(125), CacheRead: of(100), CacheWrite: of(20), Output: of(7), Reasoning: of(3)}, ""},
		{"without a total", `{"input":5,"output":7,"cacheRead":100,"cacheWrite":20}`, transcript.Usage{Prompt: of(125), CacheRead: of(100), CacheWrite: of(20), Output: of(7)}, ""},
		{"input that holds its cached part, by its total", `{"input":105,"output":7,"cacheRead":100,"cacheWrite":0,"totalTokens":112}`, transcript.Usage{Prompt: of(105), CacheRead: of(100), CacheWrite: of(0), Output: of(7)}, ""},
		{"total that fits neither", `{"input":5,"output":7,"cacheRead":100,"totalTokens":50}`, transcript.Usage{Prompt: of(105), CacheRead: of(100), Output: of(7)}, "3: the token counts of a call do not add up to its total"},
		{"zeros", `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0}`, transcript.Usage{}, ""},
		{"no usage", `null`, transcript.Usage{}, ""},
		{"negative", `{"input":-5,"output":7}`, transcript.Usage{}, "3: a token count that is no number, or negative, was taken as not recorded"},
	} {
		tr := piLog(t, piHead(3), piUser("u", "", "go"), piAsstWith("a", "u", say("ok"), `"stopReason":"stop","usage":`+tt.usage))
		if diff := cmp.Diff(tt.want, tr.Calls[0].Usage); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if got := strings.Join(messages(tr), "\n"); got != tt.warning {
			t.Errorf("%s: warnings %q, want %q", tt.name, got, tt.warning)
		}
	}
}

// A fork copies calls into another file. The same call must have the same name there, or it is paid for twice.
func TestPiKeys(t *testing.T) {
	asst := func(id string) string {
		return piRow("message", id, "u", `"message":{"role":"assistant","model":"m","timestamp":1765233665294,"usage":{"input":9,"output":2},"content":[`+say("ok")+`]}`)
	}
	key := func(line string) string { return piLog(t, piHead(3), piUser("u", "", "go"), line).Calls[0].Key }
	if a, b := key(asst("a")), key(asst("b")); a != b || a == "" {
		t.Errorf("keys %q and %q, want one: a migration gives records new ids", a, b)
	}
	if a, b := key(asst("a")), key(strings.Replace(asst("a"), "1765233665294", "1765233665295", 1)); a == b {
		t.Errorf("two calls have the key %q", a)
	}
}

// What a compaction says of itself is what recorded compactions are compared by.
func TestPiCompaction(t *testing.T) {
	for _, tt := range []struct {
		name, fields, trigger string
		before                transcript.Count
		prompt                int
		warning               string
	}{
		{"by pi", `"firstKeptEntryId":"a","tokensBefore":900,"fromHook":false`, "", transcript.Count{N: 900, From: transcript.Client}, 2, ""},
		{"by an extension", `"firstKeptEntryId":"a","tokensBefore":900,"fromHook":true`, "hook", transcript.Count{N: 900, From: transcript.Client}, 2, ""},
		{"first kept record not in the file", `"firstKeptEntryId":"x"`, "", transcript.Count{}, 1, "4: the first entry that this compaction kept is not in the file; what it kept is unknown"},
		{"first kept record on another branch", `"firstKeptEntryId":"o"`, "", transcript.Count{}, 1, "5: the first entry that this compaction kept is not on its branch; what it kept is unknown"},
		{"fields of wrong types", `"firstKeptEntryId":7,"firstKeptEntryIndex":"x","tokensBefore":{},"fromHook":"yes"`, "", transcript.Count{}, 1, ""},
	} {
		lines := []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", say("one"))}
		if strings.Contains(tt.fields, `"o"`) {
			lines = append(lines, piUser("o", "u", "other"))
		}
		lines = append(lines, piRow("compaction", "k", "a", `"summary":"so far",`+tt.fields))
		tr := piLog(t, lines...)
		c := tr.Changes[len(tr.Changes)-1]
		n := 0
		for _, s := range c.Prompt {
			n += s.Len()
		}
		if c.Kind != transcript.Compact || c.Trigger != tt.trigger || c.Before != tt.before || c.After.Known() || n != tt.prompt {
			t.Errorf("%s: %+v, want %d messages", tt.name, c, tt.prompt)
		}
		if got := strings.Join(messages(tr), "\n"); got != tt.warning {
			t.Errorf("%s: warnings %q, want %q", tt.name, got, tt.warning)
		}
	}
}

// Pictures, signatures and what the result of a call is about decide what a pipeline may take away.
func TestPiParts(t *testing.T) {
	signature := strings.Repeat("s", 40)
	tr := piLog(t, piHead(3),
		piRow("message", "u", "", `"message":{"role":"user","content":[`+say("go")+`,{"type":"image","mimeType":"image/png","data":"`+onePixel+`"}]}`),
		piAsst("a", "u", `{"type":"thinking","thinking":"one","thinkingSignature":"`+signature+`"},{"type":"thinking","thinking":"two","thinkingSignature":"reasoning_content"},{"type":"thinking","thinking":"three","thinkingSignature":`+js(`{"id":"rs_1","encrypted_content":"12345678","summary":[]}`)+`},`+piCall("t")),
		piRow("message", "r", "a", `"message":{"role":"toolResult","toolCallId":"t","toolName":"read","isError":true,"content":[{"type":"image","mimeType":"image/png","data":"`+onePixel+`"},{"type":"hologram"}]}`))
	if m := tr.Messages[0].Parts[1]; m.Kind != transcript.Image || m.Media.Width != 1 {
		t.Errorf("picture of the user %+v", m)
	}
	var opaque []int
	for _, p := range tr.Messages[1].Parts[:3] {
		opaque = append(opaque, p.Opaque)
	}
	if diff := cmp.Diff([]int{40, 0, 8}, opaque); diff != "" {
		t.Errorf("encrypted bytes (-want +got):\n%s", diff)
	}
	r := tr.Messages[2].Parts
	if p := r[0]; p.Kind != transcript.Image || p.Media.Height != 1 || !p.IsError || p.Subject != "/a/t" || p.Effect != transcript.Reads || p.Tool != "read" {
		t.Errorf("picture in the result %+v", p)
	}
	if r[1].Kind != transcript.Opaque || tr.Unknown["block/hologram"] != 1 {
		t.Errorf("unknown block %+v, unknown %v", r[1], tr.Unknown)
	}
}

// A recording comes from anywhere. Whatever it holds, the user gets what can be read and a sentence about the rest.
func TestPiDamage(t *testing.T) {
	for _, tt := range []struct {
		name     string
		lines    []string
		messages int
		warnings []string
	}{
		{"torn line", []string{piHead(3), piUser("u", "", "go"), piUser("v", "u", "cut")[:60], piAsst("a", "v", say("ok"))}, 2, []string{"3: a record that is cut off was skipped", "4: the record before this one is not in the file; the thread goes on in the order of the file"}},
		{"same id twice", []string{piHead(3), piUser("u", "", "go"), piUser("u", "", "go"), piAsst("a", "u", say("ok"))}, 2, []string{"3: records with the id of an earlier one were skipped here and further on"}},
		{"second result", []string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", piCall("t")), piResult("r", "a", "t", "x"), piResult("q", "r", "t", "y")}, 4, []string{"5: " + secondResult}},
		{"two sessions in one file", []string{piHead(3), piUser("u", "", "go"), strings.Replace(piHead(3), "s1", "s2", 1), piUser("v", "", "on")}, 2, []string{"3: records of another session follow, as in a file that two were joined in"}},
		{"header written twice", []string{piHead(1), unlinked(piUser("u", "", "go")), piHead(1), unlinked(piAsst("v", "", say("ok")))}, 2, nil},
		{
			"wrong types", []string{
				`{"type":"session","id":{},"version":"x"}`, `{"type":"message","id":7,"parentId":{},"timestamp":9,"message":"x"}`, `{"type":"message","message":{"role":"user","content":{"a":1}}}`,
				`{"type":"message","message":{"role":"assistant","content":[7,{"type":"toolCall","id":[],"arguments":7}],"usage":[1],"stopReason":{},"errorMessage":[],"model":7,"timestamp":"x"}}`,
				`{"type":"message","message":{"role":"toolResult","toolCallId":{},"content":[null]}}`, `{"type":"compaction","summary":[]}`, `{"type":"branch_summary","summary":7}`, `{"type":{}}`, `{"type":"custom_message","content":7}`, `{"type":"message","message":{"role":"bashExecution","command":[],"output":{}}}`,
			}, 3, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := piLog(t, tt.lines...)
			if len(tr.Messages) != tt.messages {
				t.Errorf("%d messages, want %d: %v", len(tr.Messages), tt.messages, story(tr))
			}
			if diff := cmp.Diff(tt.warnings, messages(tr)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
	for _, tt := range []struct{ name, data, want string }{
		{"only a torn line", piHead(3)[:30], "no message could be read; line 1: a record that is cut off was skipped"},
		{"a header alone", piHead(3), ""},
		{"nothing", "", ""},
	} {
		list, err := read(t, pi(), tt.data)
		if got := fmt.Sprint(err); len(list) > 0 || tt.want != "" && got != tt.want || tt.want == "" && err != nil {
			t.Errorf("%s: %d transcripts, error %v, want %q", tt.name, len(list), err, tt.want)
		}
	}
}

// A session that goes back for every message must not take memory by the square of its length.
func TestPiManyBranches(t *testing.T) {
	lines := []string{piHead(3), piUser("u", "", "go")}
	last := [2]string{"u", "u"}
	for i := range 6000 {
		id := fmt.Sprint("a", i)
		lines = append(lines, piAsst(id, last[i%2], say("x")))
		last[i%2] = id
	}
	lines = append(lines, piCut("k", last[1], "u"))
	tr := readOne(t, pi(), strings.Join(lines, "\n"))
	spans := 0
	for i := range tr.Changes {
		spans += len(tr.Changes[i].Prompt)
	}
	if spans < maxSpans || spans > maxSpans+7000 {
		t.Errorf("%d spans, want the limit of %d", spans, maxSpans)
	}
}

func FuzzPi(f *testing.F) {
	fuzzReader(f, pi(),
		strings.Join([]string{piHead(3), piUser("u", "", "go"), piAsst("a", "u", piCall("t")+","+piCall("t")), piResult("r", "a", "t", "x"), piCut("k", "r", "a"), piUser("v", "a", "b"), piAsstWith("b", "v", piCall("w"), `"stopReason":"error"`), piResult("q", "b", "w", "y"), piAsst("c", "k", say("d"))}, "\n"),
		strings.Join([]string{piHead(1), unlinked(piUser("u", "", "go")), unlinked(piAsstWith("a", "", say("x")+","+piCall("t"), `"stopReason":"aborted"`)), unlinked(piResult("r", "", "t", "x")), `{"type":"compaction","summary":"s","firstKeptEntryIndex":1}`, unlinked(piAsst("b", "", say("x")))}, "\n"),
	)
}
