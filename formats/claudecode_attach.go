package formats

import (
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// decodeAttachment decodes what the client attaches to a prompt on its own. The record is not the very text that
// was sent: the client words it anew. So only attachments whose text is recorded become messages, with that text
// alone; the wording around it stays part of what the provider counts and the recording does not show.
func (e *claudeEntry) decodeAttachment(a gjson.Result, n *notes) {
	e.sub = own(a.Get("type"))
	e.origin = own(a.Get("origin.kind"))
	d := claudeBlocks{line: e.line, notes: n, m: &e.message}
	switch e.sub {
	case "queued_command": // typed while the agent worked, or news of a task
		d.user(a.Get("prompt"))
		e.meta = a.Get("commandMode").Str == "task-notification"
	case "file":
		e.decodeFile(a.Get("content"), &d)
	case "task_reminder", "todo_reminder":
		e.attach(taskLines(a.Get("content")))
	case "invoked_skills":
		e.attach(joined(a.Get("skills"), "content"))
	case "hook_blocking_error":
		e.attach(own(a.Get("blockingError.blockingError")))
	case "hook_success":
		if event := a.Get("hookEvent").Str; event == "SessionStart" || event == "UserPromptSubmit" { // others go to the screen
			e.attach(own(a.Get("content")))
		}
	default:
		field, known := attachedText(e.sub)
		if !known {
			n.strange("attachment/" + orName(e.sub, "without a type"))
		}
		if field != "" {
			e.attach(joined(a.Get(field), ""))
		}
	}
}

// attachedText names the field that holds the text of an attachment; "" where it has none, or none that is sent.
func attachedText(kind string) (field string, known bool) {
	switch kind {
	case "hook_additional_context", "skill_listing", "selected_lines_in_ide", "directory":
		return "content", true
	case "nested_memory":
		return "content.content", true
	case "edited_text_file":
		return "snippet", true
	case "deferred_tools_delta", "agent_listing_delta":
		return "addedLines", true
	case "mcp_instructions_delta":
		return "addedBlocks", true
	case "total_tokens_reminder", "batching_reminder_sent", "silent_turn_reminder":
		return "text", true
	case "read_truncation_notice":
		return "banner", true
	case "compact_file_reference", "plan_mode", "plan_mode_exit", "plan_mode_reentry", "diagnostics", "task_status", "date_change",
		"budget_usd", "dynamic_skill", "auto_mode", "ultra_effort_enter", "ultra_effort_exit", "command_permissions",
		"hook_system_message", "hook_non_blocking_error", "hook_cancelled", "async_hook_response", "opened_file_in_ide", "goal_status":
		return "", true
	}
	return "", false
}

// attach makes a text the attachment's only part.
func (e *claudeEntry) attach(text string) {
	if text != "" {
		e.message.parts = []transcript.Part{{Kind: transcript.Text, Text: text}}
	}
}

// decodeFile decodes an attached file: a text, or a picture or document by its data.
func (e *claudeEntry) decodeFile(content gjson.Result, d *claudeBlocks) {
	file := content.Get("file")
	kind := content.Get("type").Str
	switch {
	case kind == "image" && file.Get("base64").Str != "":
		d.add(transcript.Part{Kind: transcript.Image, Media: media(own(file.Get("type")), own(file.Get("base64")))})
	case kind == "pdf" && file.Get("base64").Str != "":
		d.add(transcript.Part{Kind: transcript.Document, Media: media("application/pdf", own(file.Get("base64")))})
	default:
		e.attach(own(file.Get("content")))
	}
}

// joined is a text, or a list of texts one a line; with a field, a list of objects that hold a text there.
func joined(v gjson.Result, field string) string {
	if !v.IsArray() {
		return own(v)
	}
	var list []string
	v.ForEach(func(_, e gjson.Result) bool {
		if field != "" {
			e = e.Get(field)
		}
		if s := own(e); s != "" {
			list = append(list, s)
		}
		return true
	})
	return strings.Join(list, "\n")
}

// taskLines lists the tasks of a reminder, which the client sends with their state and subject.
func taskLines(tasks gjson.Result) string {
	var list []string
	tasks.ForEach(func(_, t gjson.Result) bool {
		name := own(t.Get("subject"))
		if name == "" {
			name = own(t.Get("content"))
		}
		if name != "" {
			list = append(list, "["+own(t.Get("status"))+"] "+name)
		}
		return true
	})
	return strings.Join(list, "\n")
}
