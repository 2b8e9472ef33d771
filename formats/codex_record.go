package formats

import (
	"time"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// place is where and when a record was written.
type place struct {
	line int
	time time.Time
}

// codexReader reads the records of one rollout file.
type codexReader struct {
	notes  notes
	thread *codexThread
	named  bool // the head of the file was read

	own     string // id of the session
	session string // id of the session whose head was read last: a fork repeats the one it came from
	turn    codexTurn
	total   codexUsage // running totals of the last token count
	last    codexCount
	known   map[string]bool // ids of the responses whose usage was read
}

// codexTurn is the turn under way, from a person's message to the agent's answer.
type codexTurn struct {
	id     string // empty where the version records none
	worked bool   // it has a message or an answer: it is not a compaction that a person asked for
	cuts   []int  // indexes of its compactions whose trigger is not known yet
}

// newCodexReader starts a transcript.
func newCodexReader(source string) *codexReader {
	r := &codexReader{known: map[string]bool{}}
	t := &transcript.Transcript{Thread: "main", Source: source, Format: "codex", Agent: "codex"}
	r.thread = &codexThread{t: t, notes: &r.notes}
	return r
}

// finish returns the transcript.
func (r *codexReader) finish() *transcript.Transcript {
	t := r.thread.finish()
	counted := false
	for i := range t.Calls {
		counted = counted || t.Calls[i].Usage.Prompt.Known()
	}
	if len(t.Calls) > 0 && !counted {
		r.notes.warn(0, "no token count is recorded, as in every session of Codex before 0.34: what a prompt really cost is not known")
	}
	r.notes.into(t)
	return t
}

// record reads one record and reports whether its kind is known.
func (r *codexReader) record(rec record) bool {
	kind, p := rec.obj.Get("type").Str, rec.obj.Get("payload")
	at := place{rec.line, instant(rec.obj.Get("timestamp"))}
	if !p.Exists() {
		return r.flat(rec.obj, at)
	}
	switch kind {
	case "session_meta":
		r.head(p, at)
	case "turn_context":
		if model := own(p.Get("model")); model != "" {
			r.thread.model = model
		}
		r.thread.limitOutputs(p.Get("truncation_policy"))
		if id := own(p.Get("turn_id")); id != "" {
			r.turn.id = id
		}
	case "response_item":
		return r.item(p, at)
	case "event_msg":
		return r.event(p, at)
	case "compacted":
		r.compacted(p, at)
	case "token_usage_record":
		r.usageRecord(p, at)
	case "world_state", "inter_agent_communication", "inter_agent_communication_metadata": // items hold what of them was sent
	default:
		r.notes.strange(orName(kind, "record without a type"))
		return false
	}
	return true
}

// flat reads a record of the form before 0.34, which has no envelope.
func (r *codexReader) flat(o gjson.Result, at place) bool {
	switch {
	case o.Get("type").Exists():
		return r.item(o, at)
	case o.Get("record_type").Exists(): // marks the state of the screen
		return true
	case o.Get("id").Exists() && o.Get("instructions").Exists():
		r.head(o, at)
		return true
	}
	r.notes.strange("record without a type")
	return false
}

// head reads the head of a session. A file has more of them: one at every resumption, and in a fork the head of the
// session it was forked from, whose records follow under new times. The system prompt stands in base_instructions;
// instructions, in older files, repeats the message with the user's AGENTS.md.
func (r *codexReader) head(p gjson.Result, at place) {
	t := r.thread.t
	id := own(p.Get("id"))
	if r.session = id; !r.named {
		r.own, t.ID = id, id
		if p.Get("source.subagent").Exists() || p.Get("parent_thread_id").Exists() {
			t.Thread = orName(id, "sub-agent")
			t.ID = firstText(p, "session_id", "parent_thread_id", "source.subagent.thread_spawn.parent_thread_id", "forked_from_id", "id")
		}
	} else if id != "" && id != r.own {
		r.notes.once(at.line, "records copied from another session follow, as in a fork: their calls have the same keys in both files")
	}
	if !r.named {
		t.Project = own(p.Get("cwd"))
	}
	if v := own(p.Get("cli_version")); v != "" {
		r.thread.version = v
		if !r.named {
			t.Version = v
		}
	}
	if text := own(p.Get("base_instructions.text")); text != "" && !r.named && len(t.Messages) == 0 {
		r.thread.put(transcript.Message{
			Role: transcript.System, Origin: transcript.Injected, Line: at.line, Time: at.time,
			Parts: []transcript.Part{{Kind: transcript.Text, Text: text}},
		}, false)
		r.thread.based = true
	}
	r.named = true
}

// firstText returns the first of several fields that holds a text.
func firstText(v gjson.Result, paths ...string) string {
	for _, path := range paths {
		if s := own(v.Get(path)); s != "" {
			return s
		}
	}
	return ""
}

// item reads an item of the conversation.
func (r *codexReader) item(p gjson.Result, at place) bool {
	known, works := r.thread.item(p, at)
	if works {
		r.turn.worked = true
		r.settle("auto")
	}
	return known
}

// settle says what triggered the compactions of the turn.
func (r *codexReader) settle(trigger string) {
	for _, i := range r.turn.cuts {
		r.thread.t.Changes[i].Trigger = trigger
	}
	r.turn.cuts = nil
}

// event reads an event. Most restate an item for the screen.
func (r *codexReader) event(p gjson.Result, at place) bool {
	switch kind := p.Get("type").Str; kind {
	case "token_count":
		r.tokenCount(p.Get("info"), at)
	case "task_started", "turn_started":
		r.thread.close()
		r.turn = codexTurn{id: own(p.Get("turn_id"))}
		r.thread.limited(p.Get("model_context_window"))
	case "task_complete", "turn_complete":
		r.fail(p.Get("error"), at)
		r.thread.close()
		if r.turn.id != "" && !r.turn.worked {
			r.settle("manual")
		}
	case "turn_aborted":
		r.thread.abort("the turn was aborted: " + orName(own(p.Get("reason")), "no reason recorded"))
	case "error":
		r.fail(p, at)
	case "thread_rolled_back":
		r.rolledBack(p, at)
	default:
		if !knownCodexEvent(kind) {
			r.notes.strange("event/" + orName(kind, "without a type"))
			return false
		}
	}
	return true
}

// knownCodexEvent reports whether events of a type are known to hold nothing that is sent.
func knownCodexEvent(kind string) bool {
	switch kind {
	case "user_message", "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break",
		"exec_command_begin", "exec_command_end", "patch_apply_begin", "patch_apply_end", "mcp_tool_call_begin", "mcp_tool_call_end",
		"web_search_begin", "web_search_end", "image_generation_end", "view_image_tool_call", "plan_update", "turn_diff",
		"dynamic_tool_call_request", "dynamic_tool_call_response", "item_started", "item_completed", "hook_started", "hook_completed",
		"context_compacted", "thread_name_updated", "thread_settings_applied", "thread_goal_updated", "session_configured",
		"entered_review_mode", "exited_review_mode", "undo_completed", "sub_agent_activity", "background_event", "warning",
		"guardian_warning", "guardian_assessment", "stream_error", "model_reroute", "model_verification", "deprecation_notice",
		"exec_approval_request", "apply_patch_approval_request", "request_user_input", "request_permissions", "elicitation_request",
		"collab_agent_spawn_begin", "collab_agent_spawn_end", "collab_agent_interaction_begin", "collab_agent_interaction_end",
		"collab_waiting_begin", "collab_waiting_end", "collab_close_begin", "collab_close_end", "collab_resume_begin", "collab_resume_end":
		return true
	}
	return false
}
