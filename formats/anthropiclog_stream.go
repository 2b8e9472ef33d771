package formats

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// maxBlocks is how many blocks of content a streamed response may have.
const maxBlocks = 10_000

// messageStream puts the events of a streamed response together to the message they carry.
type messageStream struct {
	seen   bool
	out    streamedMessage
	blocks []*streamedBlock
}

// streamedMessage is a message as it would have come in one piece.
type streamedMessage struct {
	ID      string                     `json:"id,omitempty"`
	Model   string                     `json:"model,omitempty"`
	Stop    string                     `json:"stop_reason,omitempty"`
	Usage   map[string]json.RawMessage `json:"usage,omitempty"`
	Content []map[string]any           `json:"content"`
	Error   json.RawMessage            `json:"error,omitempty"`
}

// streamedBlock is a block of content: as it began, and what was added to its fields.
type streamedBlock struct {
	fields map[string]any
	text   map[string]*strings.Builder
}

// newMessageStream begins a message.
func newMessageStream() *messageStream {
	return &messageStream{out: streamedMessage{Usage: map[string]json.RawMessage{}}}
}

// read reads the events: server-sent ones as a text, or a list of them.
func (s *messageStream) read(v gjson.Result) {
	if v.IsArray() {
		v.ForEach(func(_, e gjson.Result) bool {
			if d := body(e.Get("data")); d.Exists() {
				e = d
			}
			s.event(e)
			return true
		})
		return
	}
	for line := range strings.Lines(v.Str) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:")
		if !ok {
			continue
		}
		if e, ok := embedded(strings.TrimSpace(data)); ok {
			s.event(e)
		}
	}
}

// event adds one event.
func (s *messageStream) event(e gjson.Result) {
	s.seen = true
	switch e.Get("type").Str {
	case "message_start":
		s.out.ID, s.out.Model = e.Get("message.id").Str, e.Get("message.model").Str
		s.count(e.Get("message.usage"))
	case "message_delta":
		s.out.Stop = e.Get("delta.stop_reason").Str
		s.count(e.Get("usage"))
	case "content_block_start":
		if i := e.Get("index").Num; i != float64(len(s.blocks)) || len(s.blocks) == maxBlocks {
			return
		}
		b := &streamedBlock{fields: map[string]any{}, text: map[string]*strings.Builder{}}
		e.Get("content_block").ForEach(func(k, v gjson.Result) bool {
			b.fields[k.Str] = json.RawMessage(v.Raw)
			return true
		})
		s.blocks = append(s.blocks, b)
	case "content_block_delta":
		if i := e.Get("index").Num; i >= 0 && i < float64(len(s.blocks)) {
			s.blocks[int(i)].add(e.Get("delta"))
		}
	case "error":
		s.out.Error = json.RawMessage(e.Get("error").Raw)
	}
}

// count takes the counts of an event; the last one holds.
func (s *messageStream) count(usage gjson.Result) {
	usage.ForEach(func(k, v gjson.Result) bool {
		if _, known := s.out.Usage[k.Str]; !known || v.Num > 0 || v.IsObject() {
			s.out.Usage[k.Str] = json.RawMessage(v.Raw)
		}
		return true
	})
}

// add adds a delta to the block.
func (b *streamedBlock) add(delta gjson.Result) {
	field := ""
	switch delta.Get("type").Str {
	case "text_delta":
		field = "text"
	case "thinking_delta":
		field = "thinking"
	case "signature_delta":
		field = "signature"
	case "input_json_delta":
		field = "partial_json"
	default:
		return
	}
	if b.text[field] == nil {
		b.text[field] = &strings.Builder{}
	}
	b.text[field].WriteString(delta.Get(field).Str)
}

// message returns the message as JSON. The input of a call that was cut off is its text.
func (s *messageStream) message() (string, bool) {
	for _, b := range s.blocks {
		for field, text := range b.text {
			if field != "partial_json" {
				b.fields[field] = text.String()
			} else if input, ok := embedded(text.String()); ok {
				b.fields["input"] = json.RawMessage(input.Raw)
			} else {
				b.fields["input"] = text.String()
			}
		}
		s.out.Content = append(s.out.Content, b.fields)
	}
	out, err := json.Marshal(s.out)
	return string(out), s.seen && err == nil
}
