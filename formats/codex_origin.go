package formats

import (
	"strings"

	"perch/formats/transcript"
)

// codexOrigin says where a user message of Codex comes from. The client sends what it adds as user messages too:
// each of their texts is wrapped in a tag of its own, or begins as the message with the user's AGENTS.md does. A
// person's has a text that is not, or a picture.
func codexOrigin(parts []transcript.Part) transcript.Origin {
	for i := range parts {
		if parts[i].Kind != transcript.Text || !codexContext(parts[i].Text) {
			return transcript.Person
		}
	}
	return transcript.Injected
}

// codexContext reports whether a text is one that the client puts into a user message.
func codexContext(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || strings.HasPrefix(text, "# AGENTS.md instructions") {
		return true
	}
	if !strings.HasPrefix(text, "<") {
		return false
	}
	tag, _, ok := strings.Cut(text[1:], ">")
	if !ok || !strings.HasSuffix(text, ">") {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(tag), " ")
	switch name {
	case "environment_context", "user_instructions", "instructions", "skill", "skills_instructions", "user_shell_command", "turn_aborted",
		"subagents", "subagent_notification", "hook_prompt", "permissions", "apps_instructions", "plugins_instructions",
		"collaboration_mode", "multi_agent_mode", "model_switch", "app-context", "additional_context", "goal_context", "user_action":
		return true
	}
	return false
}
