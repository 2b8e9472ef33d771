package pipeline

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"perch/formats/transcript"
)

var update = flag.Bool("update", false, "rewrite the expected output of testdata/*.txt")

// TestScripts runs the cases of testdata/*.txt, one file a stage. A case is a title, a script, "----" and what
// happens. The script's lines:
//
//	budget H=100000 T=80000 G=60000 S=0     limits and overhead, in tokens
//	step prune {"Batch": {"Calls": 3}}      a step with its stage's defaults but for these fields
//	step summarize {} always                the same with another gate
//	system 100                              a message of so many tokens; also injected, user, say (a response), summary
//	user 100 + image 1200x900               parts of one message are joined by +
//	Read 4000 + Bash 200 error              a response with calls, and a message for each result
//	Browser page 30 + Browser page 5 changed + Camera image 1600x1000
//	call                                    a model call: prints each step that ran, and what stands if it changed
//	rewind 0 1 2, reset 0 1 2               what the recorded agent did to its prompt
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, block := range strings.Split(strings.TrimSpace(string(b)), "\n\n") {
			in, want, _ := strings.Cut(block, "\n----")
			title, script, _ := strings.Cut(in, "\n")
			var got string
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+strings.Trim(title, "# "), func(t *testing.T) {
				got = strings.TrimRight(runScript(t, script), "\n")
				if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" && !*update {
					t.Error(diff)
				}
			})
			out = append(out, in+"\n----\n"+got)
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.Join(out, "\n\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// player plays one script.
type player struct {
	t   *testing.T
	p   Pipeline
	b   Budget
	ix  *Index
	s   *State
	m   CharsMeter
	out strings.Builder
	n   int // call ids
}

func runScript(t *testing.T, script string) string {
	ix := NewIndex()
	p := &player{t: t, ix: ix, s: NewState(ix)}
	p.m.State = p.s
	for line := range strings.Lines(script) {
		p.line(strings.TrimSpace(line))
	}
	return p.out.String()
}

func (p *player) line(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "budget":
		p.budget(strings.Fields(rest))
	case "step":
		p.step(rest)
	case "call":
		p.call()
	case "rewind", "reset":
		var ids []MessageID
		for _, f := range strings.Fields(rest) {
			ids = append(ids, MessageID(p.number(f)))
		}
		if word == "reset" {
			p.s.Reset(ids, nil)
		} else {
			p.s.Rewind(ids)
		}
		p.show()
	default:
		p.message(word, line)
	}
}

func (p *player) number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

func (p *player) budget(fields []string) {
	for _, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		n := transcript.Estimated(p.number(value))
		switch name {
		case "H":
			p.b.Limit = n
		case "T":
			p.b.Trigger = n
		case "G":
			p.b.Target = n
		case "S":
			p.m.Hidden = n
		}
	}
}

func (p *player) step(line string) {
	use, line, _ := strings.Cut(line, " ")
	fields, gate := line, ""
	if i := strings.LastIndexByte(line, '}'); i >= 0 {
		fields, gate = line[:i+1], strings.TrimSpace(line[i+1:])
	}
	for _, s := range Default().Steps {
		if s.Stage.Name() != use {
			continue
		}
		s.Stage = p.settings(s.Stage, fields)
		if gate != "" {
			s.When = When(Unit(gate))
		}
		p.p.Steps = append(p.p.Steps, s)
		return
	}
	p.t.Fatalf("no stage %q", use)
}

// settings overwrites fields of a stage.
func (p *player) settings(stage Stage, fields string) Stage {
	var err error
	if fields == "" {
		return stage
	}
	switch s := stage.(type) {
	case Prune:
		err = json.Unmarshal([]byte(fields), &s)
		stage = s
	case Microcompact:
		err = json.Unmarshal([]byte(fields), &s)
		stage = s
	case Summarize:
		err = json.Unmarshal([]byte(fields), &s)
		stage = s
	case Enforce:
		err = json.Unmarshal([]byte(fields), &s)
		stage = s
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return stage
}

func (p *player) message(word, line string) {
	roles := map[string]transcript.Message{
		"system":   {Role: transcript.System, Origin: transcript.Injected},
		"injected": {Role: transcript.User, Origin: transcript.Injected},
		"user":     {Role: transcript.User, Origin: transcript.Person},
		"say":      {Role: transcript.Assistant, Origin: transcript.Agent},
		"summary":  {Role: transcript.User, Origin: transcript.Compaction},
	}
	parts := strings.Split(line, " + ")
	if m, ok := roles[word]; ok {
		for _, part := range parts {
			m.Parts = append(m.Parts, p.part(strings.TrimPrefix(part, word+" "), transcript.Text))
		}
		if word == "summary" {
			m.Parts[0].Kind = transcript.Summary
		}
		p.add(m)
		return
	}
	call := transcript.Message{Role: transcript.Assistant, Origin: transcript.Agent}
	var results []transcript.Message
	for _, part := range parts {
		tool, what, _ := strings.Cut(part, " ")
		p.n++
		id := fmt.Sprint("call", p.n)
		call.Parts = append(call.Parts, transcript.Part{Kind: transcript.ToolCall, Tool: tool, CallID: id, Text: "{}"})
		result := p.part(what, transcript.ToolResult)
		result.Tool, result.CallID = tool, id
		results = append(results, transcript.Message{Role: transcript.Tool, Origin: transcript.FromTool, Parts: []transcript.Part{result}})
	}
	p.add(call)
	for _, r := range results {
		p.add(r)
	}
}

// part makes "400", "400 error", "image 640x480", "page 30" or "page 5 changed".
func (p *player) part(what string, kind transcript.Kind) transcript.Part {
	f := strings.Fields(what)
	switch f[0] {
	case "image":
		w, h, _ := strings.Cut(f[1], "x")
		return transcript.Part{Kind: transcript.Image, Media: transcript.Media{Mime: "image/png", Width: p.number(w), Height: p.number(h)}}
	case "page":
		return transcript.Part{Kind: kind, Text: snapshotText(p.number(f[1]), len(f) > 2)}
	}
	return transcript.Part{Kind: kind, Text: strings.Repeat("abc\n", p.number(f[0])), IsError: len(f) > 1}
}

// snapshotText is a page with n paragraphs and one button.
func snapshotText(n int, changed bool) string {
	head := "main"
	if changed {
		head = "<changed> main"
	}
	return "- Page URL: http://site/\n- Page Title: Site\n```yaml\n- " + head + " [ref=e1]:\n" +
		strings.Repeat("  - paragraph [ref=e2]: nothing to act upon\n", n) + "  - button \"Go\" [ref=e3]\n```"
}

func (p *player) add(m transcript.Message) { p.s.Append(p.ix.Add(&m)) }

func (p *player) call() {
	out, err := p.p.Next(context.Background(), p.s, p.b, p.m)
	if err != nil {
		p.t.Fatal(err)
	}
	fired, ran := false, false
	for _, o := range out {
		if !o.Ran {
			continue
		}
		ran, fired = true, fired || o.Fired()
		fmt.Fprintf(&p.out, "%s %d", o.Use, o.Before)
		if o.Fired() {
			fmt.Fprintf(&p.out, " -> %d", o.After)
		}
		for _, word := range []string{string(o.Skip), string(o.Reason)} {
			if word != "" {
				fmt.Fprintf(&p.out, ", %s", word)
			}
		}
		if o.Surfaced {
			p.out.WriteString(", surfaced")
		}
		if o.TailShortened {
			p.out.WriteString(", tail shortened")
		}
		if s := o.Summary; s != nil {
			fmt.Fprintf(&p.out, "\n  summarized %d messages, %d tokens to %d, kept %d messages, %d tokens, folded %v", s.Messages, s.Tokens, s.Size, s.Kept, s.KeptTokens, s.Folded)
		}
		if o.Impossible != "" {
			fmt.Fprintf(&p.out, "\n  impossible: %s", o.Impossible)
		}
		p.out.WriteString("\n")
	}
	if !ran {
		p.out.WriteString("no step runs\n")
	}
	if fired {
		p.show()
	}
}

// show prints the prompt, a line a message.
func (p *player) show() {
	v := View{s: p.s, m: p.m}
	for _, id := range p.s.Prompt() {
		m := p.s.Message(id)
		what := string(m.Role)
		if m.Role == transcript.Tool {
			what = m.Parts[0].Tool
		} else if v.isSummary(id) {
			what = "summary"
		}
		fmt.Fprintf(&p.out, "  %d %s %d", id, what, v.MessageSize(id))
		for i := range m.Parts {
			if f := p.s.Form(PartID{id, i}); f.Kind != Full {
				fmt.Fprintf(&p.out, " %v(%d)", f.Kind, f.N)
			}
		}
		p.out.WriteString("\n")
	}
}
