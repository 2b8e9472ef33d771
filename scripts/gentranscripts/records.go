package main

import (
	"bytes"
	"encoding/json"
)

// record is one line of a session file, in the order in which the client writes its fields. The envelope is common
// to all records of the chain; which of the others are set depends on the type.
type record struct {
	ParentUUID    *string `json:"parentUuid"`
	LogicalParent string  `json:"logicalParentUuid,omitempty"`
	IsSidechain   bool    `json:"isSidechain"`
	UserType      string  `json:"userType"`
	Cwd           string  `json:"cwd"`
	SessionID     string  `json:"sessionId"`
	Version       string  `json:"version"`
	GitBranch     string  `json:"gitBranch"`
	AgentID       string  `json:"agentId,omitempty"`
	Type          string  `json:"type"`

	Subtype        string    `json:"subtype,omitempty"`
	Content        string    `json:"content,omitempty"`
	Level          string    `json:"level,omitempty"`
	Data           any       `json:"data,omitempty"`
	ToolUseID      string    `json:"toolUseID,omitempty"`
	ParentToolUse  string    `json:"parentToolUseID,omitempty"`
	Compact        *boundary `json:"compactMetadata,omitempty"`
	Microcompact   *cleared  `json:"microcompactMetadata,omitempty"`
	DurationMs     int       `json:"durationMs,omitempty"`
	HookCount      int       `json:"hookCount,omitempty"`
	Message        *message  `json:"message,omitempty"`
	RequestID      string    `json:"requestId,omitempty"`
	IsMeta         bool      `json:"isMeta,omitempty"`
	TranscriptOnly bool      `json:"isVisibleInTranscriptOnly,omitempty"`
	IsSummary      bool      `json:"isCompactSummary,omitempty"`
	Error          string    `json:"error,omitempty"`
	IsAPIError     bool      `json:"isApiErrorMessage,omitempty"`
	UUID           string    `json:"uuid"`
	Timestamp      string    `json:"timestamp"`
	ToolUseResult  any       `json:"toolUseResult,omitempty"`
	SourceUUID     string    `json:"sourceToolAssistantUUID,omitempty"`
}

// message is what went to the model or came from it.
type message struct {
	Model        string  `json:"model,omitempty"`
	ID           string  `json:"id,omitempty"`
	Type         string  `json:"type,omitempty"`
	Role         string  `json:"role"`
	Content      any     `json:"content"` // a string, or []block
	StopReason   *string `json:"stop_reason,omitempty"`
	StopSequence *string `json:"stop_sequence,omitempty"`
	Usage        *usage  `json:"usage,omitempty"`
}

// usage is the provider's count of one call. The prompt is the sum of the first three.
type usage struct {
	Input         int       `json:"input_tokens"`
	CacheCreation int       `json:"cache_creation_input_tokens"`
	CacheRead     int       `json:"cache_read_input_tokens"`
	Creation      *lifetime `json:"cache_creation,omitempty"`
	Output        int       `json:"output_tokens"`
	Tier          string    `json:"service_tier,omitempty"`
}

// lifetime splits what was written to the cache by how long it is kept.
type lifetime struct {
	FiveMinutes int `json:"ephemeral_5m_input_tokens"`
	OneHour     int `json:"ephemeral_1h_input_tokens"`
}

// block is one content block of a message.
type block struct {
	Type      string  `json:"type"`
	Text      string  `json:"text,omitempty"`
	Thinking  *string `json:"thinking,omitempty"`
	Signature string  `json:"signature,omitempty"`
	ID        string  `json:"id,omitempty"`
	Name      string  `json:"name,omitempty"`
	Input     any     `json:"input,omitempty"`
	ToolUseID string  `json:"tool_use_id,omitempty"`
	Content   any     `json:"content,omitempty"` // a string, or []block
	IsError   bool    `json:"is_error,omitempty"`
	Source    *media  `json:"source,omitempty"`
}

// media is an image or a document as it was sent.
type media struct {
	Type string `json:"type"`
	Mime string `json:"media_type"`
	Data string `json:"data"`
}

// boundary is what a compaction tells of itself. Only newer versions write what comes after PreTokens.
type boundary struct {
	Trigger    string     `json:"trigger"`
	PreTokens  int        `json:"preTokens"`
	DurationMs int        `json:"durationMs,omitempty"`
	Segment    *segment   `json:"preservedSegment,omitempty"`
	Messages   *preserved `json:"preservedMessages,omitempty"`
	PostTokens int        `json:"postTokens,omitempty"`
	Dropped    int        `json:"cumulativeDroppedTokens,omitempty"`
}

// segment names the records that stay word for word behind a summary by their ends.
type segment struct {
	Head   string `json:"headUuid"`
	Anchor string `json:"anchorUuid"`
	Tail   string `json:"tailUuid"`
}

// preserved names them one by one.
type preserved struct {
	Anchor string   `json:"anchorUuid"`
	UUIDs  []string `json:"uuids"`
	All    []string `json:"allUuids"`
}

// cleared is what a microcompaction tells of itself.
type cleared struct {
	Trigger     string   `json:"trigger"`
	PreTokens   int      `json:"preTokens"`
	Saved       int      `json:"tokensSaved"`
	Tools       []string `json:"compactedToolIds"`
	Attachments []string `json:"clearedAttachmentUUIDs"`
}

// marshal returns v as JSON on one line, with <, > and & as they are, like the clients write it.
func marshal(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // the records are plain values
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
