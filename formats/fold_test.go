package formats

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

// logWriter writes a log of a client that works on several conversations at once, goes back in them, takes up what it
// left, and replaces turns.
type logWriter struct {
	random *rand.Rand
	talks  [][]string
	lines  []string
	sent   map[string][]string // by call
	n      int
}

// fresh is a message nobody wrote before.
func (w *logWriter) fresh(role string) string {
	w.n++
	return ocMessage(role, fmt.Sprint(role, " ", w.n))
}

// step changes one of the conversations and sends it.
func (w *logWriter) step() {
	if len(w.talks) == 0 || w.random.IntN(12) == 0 {
		w.talks = append(w.talks, []string{w.fresh("user")})
	}
	k := w.random.IntN(len(w.talks))
	talk := slices.Clone(w.talks[k])
	switch n := len(talk); w.random.IntN(8) {
	case 0: // back
		talk = append(talk[:1+w.random.IntN(n)], w.fresh("user"))
	case 1: // another way from an earlier point, and maybe back here later
		w.talks = append(w.talks, append(slices.Clone(talk[:1+w.random.IntN(n)]), w.fresh("user")))
	case 2: // a summary before a tail
		talk = append([]string{w.fresh("user")}, talk[w.random.IntN(n):]...)
	case 3: // a turn in the middle is dropped
		at := w.random.IntN(n)
		talk = slices.Delete(talk, at, at+1)
	case 4: // sent again
	default:
		talk = append(talk, w.fresh("user"))
	}
	if len(talk) == 0 {
		talk = []string{w.fresh("user")}
	}
	w.n++
	id := fmt.Sprint("c", w.n)
	reply := w.fresh("assistant")
	w.lines = append(w.lines, ocPair(id, reply, 10, append([]string{ocMessage("system", apiSystem)}, talk...)...))
	w.sent[id] = append([]string{apiSystem}, wordsOf(talk)...)
	w.talks[k] = append(talk, reply)
}

// wordsOf lists the texts of messages.
func wordsOf(talk []string) []string {
	var out []string
	for _, m := range talk {
		text := m[strings.Index(m, `"content":"`)+len(`"content":"`):]
		out = append(out, text[:len(text)-2])
	}
	return out
}

// Whatever a client does to its history, the prompt of each call is what the log says was sent. Every number of a
// replay rests on that.
func TestFoldKeepsEveryPrompt(t *testing.T) {
	for seed := range uint64(150) {
		w := &logWriter{random: rand.New(rand.NewPCG(seed, 1)), sent: map[string][]string{}}
		for range 30 {
			w.step()
		}
		got := map[string][]string{}
		for _, tr := range chats(t, strings.Join(w.lines, "\n")) {
			for k := range tr.Calls {
				if tr.Calls[k].Kind == transcript.Side {
					continue
				}
				var texts []string
				for _, m := range tr.PromptAt(k) {
					texts = append(texts, tr.Messages[m].Parts[0].Text)
				}
				got[tr.Calls[k].Key] = texts
			}
		}
		if diff := cmp.Diff(w.sent, got); diff != "" {
			t.Fatalf("seed %d (-sent +read):\n%s\nthe log was:\n%s", seed, diff, strings.Join(w.lines, "\n"))
		}
	}
}

// A log of unrelated conversations is read in the time of its length.
func TestFoldManyThreads(t *testing.T) {
	lines := make([]string, 20_000)
	for i := range lines {
		lines[i] = ocTalk(ocMessage("user", "hi"), ocMessage("assistant", fmt.Sprint("answer ", i)))
	}
	list, err := read(t, openAIChat(), strings.Join(lines, "\n"))
	if err != nil || len(list) != len(lines) {
		t.Errorf("%d threads, %v, want %d", len(list), err, len(lines))
	}
}

// Records in any order, as torn and joined files have them: what is read must keep the invariants and come back from
// the canonical form. Shuffled whole records reach what flipped bytes do not.
func TestRecordsInAnyOrder(t *testing.T) {
	for _, tt := range []struct {
		f    Format
		deck []string
	}{
		{pi(), []string{
			piHead(3), piHead(1), strings.Replace(piHead(2), "s1", "s2", 1), piUser("u", "", "go"), piUser("v", "a", "more"), piUser("w", "u", "other"), unlinked(piUser("x", "", "loose")),
			piAsst("a", "u", piCall("t")+","+piCall("t2")), piAsst("b", "r", piCall("t")), piAsst("c", "k", say("c")), piAsstWith("d", "v", piCall("t3")+","+say("d"), `"stopReason":"aborted"`), piAsstWith("e", "a", say("e"), `"stopReason":"error","usage":{"input":1}`),
			piResult("r", "a", "t", "x"), piResult("q", "r", "t2", "y"), piResult("p", "d", "t3", "z"), piResult("o", "t", "", "n"), unlinked(piResult("n", "", "t", "l")),
			piCut("k", "r", "a"), piCut("l", "c", "k"), piCut("m", "w", "a"), piCut("i", "", "u"), `{"type":"compaction","summary":"s","firstKeptEntryIndex":2,"usage":{"input":3}}`, `{"type":"compaction","summary":"","firstKeptEntryIndex":0}`,
			piRow("branch_summary", "s", "u", `"summary":"s","usage":{"input":2}`), piRow("custom_message", "h", "a", `"content":"h"`), piRow("message", "g", "a", `"message":{"role":"bashExecution","command":"c","excludeFromContext":true}`),
			piRow("message", "f", "a", `"message":{"role":"assistant","provider":"openclaw","content":[`+piCall("t")+`]}`),
		}},
		{anthropicLog(), []string{
			apiPair("a", list(apiUser("go")), say("one"), 10, 1), apiPair("b", list(apiUser("go"), apiWords("one"), apiUser("more")), use("t")+","+use("t"), 10, 1),
			apiPair("c", list(apiUser("go"), apiWords("one"), apiUser("more"), apiAsst(use("t")), apiBack(result("t", "long text"), result("t", "again"), say("x"))), say("two"), 10, 1),
			apiPair("d", list(apiUser("go"), apiWords("one"), apiUser("more"), apiAsst(use("t")), apiBack(result("t", "short"), say("x")), apiWords("two"), apiUser("on")), use(""), 10, 1),
			apiPair("e", list(apiUser(hasSummary), apiUser("more"), apiAsst(use("t")), apiBack(result("t", "long text"))), say("three"), 10, 1), apiPair("f", list(apiUser(hasSummary)), say("four"), 10, 1),
			apiPair("g", list(apiUser("go"), apiWords("one"), apiUser(asksForSummary)), say("sum"), 10, 1), apiPair("h", list(apiBack(result("t", "lost")), apiWords("one")), say("five"), 10, 1),
			apiPair("i", list(apiWords("one"), apiAsst(use("")), apiBack(result("", "x"))), say("six"), 10, 1), apiPair("j", nil, say("seven"), 10, 1),
			strings.Replace(apiPair("k", list(apiUser("go"), apiWords("one"), apiUser("on")), say("k"), 9, 1), apiSystem, "Other.", 1), strings.Replace(apiPair("l", list(apiUser("go")), say("l"), 9, 1), `"max_tokens":32000`, `"max_tokens":5`, 1),
			strings.Replace(apiPair("m", list(apiUser("go")), say("m"), 9, 1), "/v1/messages", "/v1/messages/count_tokens", 1), apiLine(`"messages":[`+apiUser("go")+`]`, "null"),
			`{"type":"request","session":"s","total_request_bytes":90,"messages":{"messages_total_bytes":50}}`, `{"type":"request","session":"s","total_request_bytes":90,"messages_full":[` + apiUser("go") + `,` + apiWords("one") + `]}`,
			`{"type":"response","session":"s","usage":{"input_tokens":5}}`, `{"type":"proxy_error","session":"s","error":"e"}`,
		}},
		{openAIChat(), []string{
			ocMessage("user", "go"), ocCalls("t", "t", ""), ocCalls("u"), ocResult("t", "x"), ocResult("", "y"), ocResult("u", "z"), ocMessage("assistant", "one"), ocMessage("system", "s"), `{"role":"narrator","content":"n"}`,
			ocTalk(ocMessage("user", "go"), ocMessage("assistant", "one")), ocTalk(ocMessage("user", "go"), ocMessage("assistant", "one"), ocMessage("user", "more"), ocCalls("t"), ocResult("t", "x"), ocResult("t", "x")),
			ocPair("a", ocCalls("t"), 9, ocMessage("user", "go"), ocMessage("assistant", "one"), ocMessage("user", "more")), ocPair("b", ocMessage("assistant", "two"), 9, ocMessage("system", "s"), ocMessage("user", "go")),
			ocPair("c", ocMessage("assistant", "two"), 9, ocMessage("user", "go"), ocCalls("t"), ocResult("t", "x")), `{"traj":[` + ocMessage("user", "go") + `,` + ocCalls("t") + `]}`,
		}},
	} {
		random := rand.New(rand.NewPCG(3, 4))
		for range 200 {
			lines := make([]string, random.IntN(40))
			for i := range lines {
				lines[i] = tt.deck[random.IntN(len(tt.deck))]
			}
			out, err := read(t, tt.f, strings.Join(lines, "\n"))
			if err != nil {
				continue
			}
			roundTrip(t, out)
			if t.Failed() {
				t.Fatalf("%s: the file was:\n%s", tt.f.Name, strings.Join(lines, "\n"))
			}
		}
	}
}
