package formats

import (
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// chatFile is a file of chat messages as it is read.
type chatFile struct {
	name   string
	notes  notes
	folder folder
	alone  chatList                 // messages that stand by themselves, one a line
	runs   []*transcript.Transcript // conversations that have nothing to do with each other
	seen   bool                     // something that could have been a message
}

// newChatFile begins a file.
func newChatFile(name string) *chatFile {
	c := &chatFile{name: name}
	c.folder = folder{format: "openai-chat", notes: &c.notes}
	c.alone = chatList{notes: &c.notes}
	return c
}

// read reads the file, as one document or line by line.
func (c *chatFile) read(f io.Reader) error {
	head, all, err := openText(f)
	if err != nil {
		return err
	}
	if isDocument(head) {
		return c.document(all)
	}
	for rec, err := range records(all, MaxLine, &c.notes) {
		if err != nil {
			return err
		}
		c.value(rec.obj, rec.line, lineName(rec.line))
	}
	return nil
}

// document reads a file that is one JSON value.
func (c *chatFile) document(f io.Reader) error {
	d, err := readDocument(f, MaxLine, &c.notes)
	if err != nil {
		return err
	}
	if !d.root.IsArray() {
		c.value(d.root, d.lineOf(d.root), "main")
		return nil
	}
	n := 0
	d.root.ForEach(func(_, v gjson.Result) bool {
		n++
		c.value(v, d.lineOf(v), fmt.Sprintf("item-%d", n))
		return true
	})
	return nil
}

// value reads one line, or one element of a document.
func (c *chatFile) value(v gjson.Result, line int, name string) {
	c.seen = true
	if request, response := chatRequest(v); request.Exists() {
		c.folder.add(c.exchange(v, request, response, line, name))
		return
	}
	if traj := v.Get("traj"); traj.IsArray() {
		c.run(v, traj, line)
		return
	}
	if messages := v.Get("messages"); messages.IsArray() {
		l := chatList{notes: &c.notes}
		l.add(messages, line)
		x := &exchange{line: line, name: name, id: chatID(v), model: own(v.Get("model"))}
		x.head, x.history = splitHead(settled(l.messages, &c.notes), chatTools(v, line))
		c.folder.add(x)
		return
	}
	if v.IsObject() && v.Get("role").Type == gjson.String {
		c.alone.message(v, line)
		return
	}
	c.notes.strange("value without messages")
}

// run reads one of many conversations that were recorded in a file.
func (c *chatFile) run(v, messages gjson.Result, line int) {
	l := chatList{notes: &c.notes}
	l.add(messages, line)
	t := &transcript.Transcript{ID: chatID(v), Format: "openai-chat"}
	if l.lay(t); len(t.Messages) > 0 {
		c.runs = append(c.runs, t)
	}
}

// transcripts lists what was read. Only the first thread is called main.
func (c *chatFile) transcripts() ([]*transcript.Transcript, error) {
	out := c.folder.transcripts()
	if len(c.alone.messages) > 0 {
		t := &transcript.Transcript{Format: "openai-chat"}
		c.alone.lay(t)
		out = append(out, t)
	}
	out = append(out, c.runs...)
	for i, t := range out {
		t.Source = c.name
		if i == 0 {
			t.Thread = "main"
		} else if t.Thread == "" {
			t.Thread = fmt.Sprintf("item-%d", i+1)
		}
	}
	if len(out) > 0 {
		c.notes.into(out[0])
		return out, nil
	}
	if c.notes.damaged > 0 {
		w := c.notes.list[0]
		return nil, fmt.Errorf("no message could be read; line %d: %s", w.Line, w.Message)
	}
	if c.seen {
		return nil, errNoChat
	}
	return nil, nil
}

// chatID is the id that a conversation was recorded with, as far as one of the usual fields holds it.
func chatID(v gjson.Result) string {
	for _, field := range [...]string{"session_id", "conversation_id", "instance_id", "custom_id", "id"} {
		if id := own(v.Get(field)); id != "" {
			return cut(id, maxSubject)
		}
	}
	if task := v.Get("task_id"); task.Exists() && !task.IsObject() && !task.IsArray() {
		return cut(fmt.Sprintf("task %s trial %s", task.String(), v.Get("trial").String()), maxSubject)
	}
	return ""
}

// splitHead parts the system messages that a history begins with from the rest, and puts the schemas of the tools
// behind them.
func splitHead(history []transcript.Message, tools []transcript.Message) (head, rest []transcript.Message) {
	n := 0
	for n < len(history) && history[n].Role == transcript.System {
		n++
	}
	return append(history[:n:n], tools...), history[n:]
}
