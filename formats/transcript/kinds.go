package transcript

// Role is who speaks in a message, in the providers' terms.
type Role string

// The roles of the canonical form.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Origin is where a message really came from: a user-role message may be typed by a person, injected by the
// client, or made by a compaction.
type Origin string

// The origins. "User turn" always means a message of origin Person.
const (
	Person     Origin = "person"
	Injected   Origin = "injected"
	Agent      Origin = "agent"
	FromTool   Origin = "tool"
	Compaction Origin = "compaction"
)

// Kind is what a part holds.
type Kind string

// The kinds of parts.
const (
	Text       Kind = "text"
	Thinking   Kind = "thinking"
	ToolCall   Kind = "tool_call"
	ToolResult Kind = "tool_result"
	Image      Kind = "image"
	Document   Kind = "document"
	Summary    Kind = "summary" // what a recorded compaction left in place of the turns it summarized
	Opaque     Kind = "opaque"  // content the provider keeps encrypted
)

// Effect is what a tool call does to its subject.
type Effect string

// The effects of tool calls.
const (
	Reads    Effect = "read"
	Writes   Effect = "write"
	Runs     Effect = "run"
	Searches Effect = "search"
	Browses  Effect = "browse"
)

// CallKind tells the calls of a thread from requests the client made beside it.
type CallKind string

// The kinds of calls.
const (
	Main       CallKind = "main"
	Compacting CallKind = "compaction" // the request that wrote a summary
	Side       CallKind = "side"       // a title, a topic check: never an anchor
)

// ChangeKind is what a recorded change did.
type ChangeKind string

// The kinds of recorded changes.
const (
	Compact ChangeKind = "compact" // turns were replaced by a summary
	Clear   ChangeKind = "clear"   // bodies of tool results were cleared
	Rewind  ChangeKind = "rewind"  // the thread went back to an earlier message
)

// LimitKind is what a limit bounds.
type LimitKind string

// The kinds of limits.
const (
	Window LimitKind = "window" // prompt and output together
	Input  LimitKind = "input"  // the prompt alone
)

// Provenance is where a setting or a size came from.
type Provenance string

// The provenances of a limit, from the strongest to the weakest.
const (
	FromFlag     Provenance = "flag"
	FromFile     Provenance = "file"
	FromTier     Provenance = "tier"
	FromRecord   Provenance = "recorded"
	FromProof    Provenance = "inferred" // a recorded prompt exceeded the table's window
	FromTable    Provenance = "table"
	FromFallback Provenance = "default"
)
