// Package transcript says what a recorded agent run is: messages made of parts, the model calls that were
// sent, and the changes that were made to the context between them.
//
// A reader of package formats fills a [Transcript] once; nobody changes it afterwards. Consumers follow it with
// [Transcript.Walk], which yields, in order, every message that enters the prompt, every change of the prompt and
// every call, so that the prompt of each call is known without building it again:
//
//  1. an Append event adds one message to the end of the prompt,
//  2. an Alter event rewrites the prompt (a compaction, a rewind) or shrinks parts of it (a recorded clear),
//  3. a Send event is one model call: its prompt is exactly what stands at that moment.
//
// The package has no dependency but the standard library and does no input or output.
package transcript

import "time"

// Transcript is one recorded thread of one agent run. It is immutable once a reader has returned it.
type Transcript struct {
	ID      string // the run's id as recorded (session id)
	Thread  string // "main", or the id of the sub-agent this thread belongs to
	Source  string // where it was read from: the path as given, joined with the path below it
	Format  string // name of the format that read it
	Agent   string // the agent that recorded it, for example "claude-code"
	Version string // the agent's version at the first call, as recorded
	Project string // the folder the agent first worked in, as recorded; empty where that is not recorded

	// Nested marks a thread that was recorded inside records of another one (a sub-agent's progress), so that
	// its usage is not part of the file's own totals.
	Nested bool

	Messages []Message
	Calls    []Call
	Changes  []Change
	Warnings []Warning

	Damaged int            // records that could not be read at all
	Unknown map[string]int // records of a kind this reader does not know, by name
}

// Message is one message of the canonical form. A provider's response is one message with all its parts; every
// tool result is one message of role tool that directly follows the response that called it (or another result
// of the same response); what a person typed beside results is a message of its own after them.
type Message struct {
	Role   Role      `json:"role"`
	Origin Origin    `json:"origin"`
	Parts  []Part    `json:"parts"`
	Time   time.Time `json:"time,omitzero"`
	Line   int       `json:"line,omitempty"` // 1-based line of the record it came from

	// NotSent marks a message that was recorded but never stood in a prompt: an API error's text, a result
	// without its call. Walk does not yield it.
	NotSent bool `json:"not_sent,omitempty"`
}

// Part is the smallest piece of a message that has a size of its own.
type Part struct {
	Kind Kind `json:"kind"`

	// Text is the visible text: prose, a tool call's input as raw JSON, a tool result's text, readable thinking.
	Text string `json:"text,omitempty"`

	Tool   string `json:"tool,omitempty"` // tool name, on calls and on everything in a result
	CallID string `json:"call,omitempty"` // pairs a call with its result; never empty on either

	Subject string `json:"subject,omitempty"` // what the call is about: a path, a URL, a command
	Effect  Effect `json:"effect,omitempty"`  // what the call does to its subject
	IsError bool   `json:"error,omitempty"`   // on a result: the tool reported a failure

	Media  Media `json:"media,omitzero"`        // on images and documents
	Opaque int   `json:"opaque,omitempty"`      // bytes the recording withholds or encrypts (a thinking signature, an encrypted item)
	Unsent bool  `json:"client_only,omitempty"` // on a tool call: the client filled this input in after the response
}

// Media describes an image or a document. Width, Height and Pages are 0 where the recording does not tell.
type Media struct {
	Mime   string `json:"mime,omitempty"`
	Width  int    `json:"width,omitempty"`  // pixels
	Height int    `json:"height,omitempty"` // pixels
	Pages  int    `json:"pages,omitempty"`
	Bytes  int    `json:"bytes,omitempty"` // size of the decoded file
	Data   string `json:"data,omitempty"`  // base64 as recorded; empty where it was withheld
}

// Call is one request to the model. Its prompt is what Walk has built when it yields the call.
type Call struct {
	At    int  `json:"at"`    // Messages[:At] were recorded before it
	Reply Span `json:"reply"` // its response; empty where it failed

	Key     string   `json:"key,omitempty"` // the same in every copy of this call
	Kind    CallKind `json:"kind"`
	Model   string   `json:"model,omitempty"`
	Version string   `json:"version,omitempty"` // the agent's version that sent it
	Usage   Usage    `json:"usage"`
	Limit   Limit    `json:"limit,omitzero"` // the limit the recording names, if it does

	Stopped  bool      `json:"stopped,omitempty"`  // a stop reason was recorded: the output count is final
	Hosted   bool      `json:"hosted,omitempty"`   // the provider ran tools inside this response
	Err      string    `json:"err,omitempty"`      // the recorded error, empty for a call that succeeded
	Overflow bool      `json:"overflow,omitempty"` // the error says that the prompt did not fit
	Time     time.Time `json:"time,omitzero"`
	Line     int       `json:"line,omitempty"`
}

// Usage is what the provider counted for one call. Prompt is inclusive: everything the request carried, cached or
// not. Reasoning is part of Output.
type Usage struct {
	Prompt     Count `json:"prompt"`
	CacheRead  Count `json:"cache_read"`
	CacheWrite Count `json:"cache_write"`
	Output     Count `json:"output"`
	Reasoning  Count `json:"reasoning"`
}

// Uncached is the part of the prompt that was neither read from nor written to a cache.
func (u Usage) Uncached() Recorded {
	return u.Prompt.N - u.CacheRead.N - u.CacheWrite.N
}

// Limit is how large a request may be.
type Limit struct {
	Tokens int        `json:"tokens"`
	Kind   LimitKind  `json:"kind"`
	From   Provenance `json:"from"`
}

// Change is something the recorded agent did to its context between two calls.
type Change struct {
	At   int        `json:"at"` // Messages[:At] were recorded before it
	Kind ChangeKind `json:"kind"`

	// Prompt is the whole prompt right after the change, in order, for a change that rewrites it (compact,
	// rewind); nil for one that only reduces. A span may reach beyond At: the change itself brought those
	// messages (a summary), and Walk does not append them again.
	Prompt []Span `json:"prompt,omitempty"`

	Reduce []PartID `json:"reduce,omitempty"` // parts whose bodies left the prompt (clear)

	Trigger string `json:"trigger,omitempty"` // "auto", "manual", or what the recording says
	Before  Count  `json:"before"`            // what the recorder said the prompt was
	After   Count  `json:"after"`             // what the recorder said it became
	Line    int    `json:"line,omitempty"`
}

// Span is a half-open range [From, To) of message indexes.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Len is the number of messages in the span.
func (s Span) Len() int { return s.To - s.From }

// PartID names a part by the index of its message and its index there. It never shifts.
type PartID struct {
	Message int `json:"message"`
	Part    int `json:"part"`
}

// Warning is something a reader of results must know about a recording, with the line it was seen on (0: the
// whole file).
type Warning struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// BeginsAtBoundary reports whether the recording starts with the result of a compaction, so that the history
// before it is not in the file.
func (t *Transcript) BeginsAtBoundary() bool {
	return len(t.Changes) > 0 && t.Changes[0].Kind == Compact && t.Changes[0].At == 0
}

// Part returns the part id names.
func (t *Transcript) Part(id PartID) *Part { return &t.Messages[id.Message].Parts[id.Part] }
