package formats

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// claudeCode is the session files of Claude Code, versions 1.0 to 2.1: one JSON record a line, linked to a tree by
// uuid and parentUuid. Two thirds of such a file never reach the model.
//
// A file is read in three steps:
//
//  1. claudecode_entry.go decodes each record into an entry and keeps only what can stand in a prompt,
//  2. claudecode_group.go gathers the entries of a thread into nodes: a response with its results, a message, a
//     boundary, each with the node it hangs on,
//  3. claudecode_thread.go lays the nodes out in the order of the file, and says where the thread went back or was
//     compacted.
func claudeCode() Format {
	return Format{
		Name:  "claude-code",
		About: "session files of Claude Code 1.0 to 2.1 (~/.claude/projects), with those of its sub-agents",
		Gives: Gives{Usage: true, Compactions: true, Images: true, Agents: true},
		Homes: []Home{
			{Env: "CLAUDE_CONFIG_DIR", Dir: "~/.claude", Pattern: "projects/**/*.jsonl"},
			{Dir: "~/.config/claude", Pattern: "projects/**/*.jsonl"},
		},
		Sniff: sniffClaude,
		Read:  whole(parseClaude),
	}
}

// sniffClaude looks for a record that only Claude Code writes. A session may begin with records beside the tree, such
// as a title or a queued prompt. Qwen Code has the same tree, but its messages have parts and no content.
func sniffClaude(head []byte, _ string) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
			continue
		}
		kind, has := "", map[string]bool{}
		gjson.ParseBytes(line).ForEach(func(k, v gjson.Result) bool { // a cut line gives what stands before the cut
			switch k.Str {
			case "type":
				kind = v.Str
			case "message":
				has["content"] = v.Get("content").Exists()
			}
			has[k.Str] = true
			return true
		})
		switch {
		case has["parentUuid"] && has["isSidechain"],
			kind == "summary" && has["leafUuid"],
			kind == "file-history-snapshot" && has["messageId"],
			(kind == "user" || kind == "assistant") && has["sessionId"] && has["content"]:
			return true
		}
	}
	return false
}

// parseClaude reads a session file.
func parseClaude(r io.Reader, _ string) ([]*transcript.Transcript, error) {
	file := claudeFile{threads: map[threadKey]*claudeThread{}, side: map[string]string{}}
	if err := eachRecord(r, &file.notes, file.add); err != nil {
		return nil, err
	}
	return file.transcripts()
}

// threadKind is where the records of a thread stand in a file, in the order in which threads are yielded.
type threadKind uint8

const (
	mainThread   threadKind = iota // the thread a person talks to
	sideThread                     // a sub-agent's records beside it, or in a file of their own
	nestedThread                   // a sub-agent's records inside progress records of the main thread
)

// threadKey tells threads apart.
type threadKey struct {
	kind threadKind
	name string
}

// claudeFile is a session file as it is read: its threads, and what concerns the whole file.
type claudeFile struct {
	notes   notes
	threads map[threadKey]*claudeThread
	order   []*claudeThread
	side    map[string]string // uuid of a side chain's record: its thread
}

// add decodes a record and hands it to its thread.
func (f *claudeFile) add(r record) {
	e := decodeClaude(r, &f.notes)
	if e.nested != nil {
		f.thread(nestedThread, e.nested.agent).add(e.nested)
	}
	if e.side {
		f.thread(sideThread, f.sideName(e)).add(e)
		return
	}
	f.thread(mainThread, "main").add(e)
}

// sideName names the thread of a side chain's record: the sub-agent's id, or else the first record of its chain.
func (f *claudeFile) sideName(e *claudeEntry) string {
	key := e.agent
	if key == "" {
		key = f.side[e.parent]
	}
	if key == "" {
		key = e.uuid
	}
	if e.uuid != "" {
		f.side[e.uuid] = key
	}
	return key
}

// thread returns a thread of a kind by its name.
func (f *claudeFile) thread(kind threadKind, name string) *claudeThread {
	key := threadKey{kind, name}
	t := f.threads[key]
	if t == nil {
		t = &claudeThread{kind: kind, name: name, byUUID: map[string]*claudeEntry{}}
		f.threads[key] = t
		f.order = append(f.order, t)
	}
	return t
}

// transcripts builds every thread that holds something: the main one, the side chains, the nested ones.
func (f *claudeFile) transcripts() ([]*transcript.Transcript, error) {
	slices.SortStableFunc(f.order, func(a, b *claudeThread) int { return cmp.Compare(a.kind, b.kind) })
	var out []*transcript.Transcript
	for _, t := range f.order {
		if tr := t.build(); len(tr.Messages) > 0 || len(tr.Calls) > 0 {
			out = append(out, tr)
		}
	}
	if len(out) > 0 {
		f.notes.into(out[0])
	} else if f.notes.damaged > 0 {
		w := f.notes.list[0]
		return nil, fmt.Errorf("no message could be read; line %d: %s", w.Line, w.Message)
	}
	return out, nil
}
