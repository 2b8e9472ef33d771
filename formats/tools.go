package formats

import (
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// maxSubject is where a subject is cut, in bytes: enough to tell two commands apart.
const maxSubject = 200

// about says what a tool call is about and what it does to it, from the tool's name and its input. Agents name
// their tools as they like, so a name is judged by its words: read_file, ReadFile and mcp__files__read are one.
// A call without a subject has no effect to record either, save that of a browser.
func about(tool string, input gjson.Result) (subject string, effect transcript.Effect) {
	effect = effectOf(tool)
	best := notSubject
	input.ForEach(func(key, v gjson.Result) bool {
		if key.Str == "command" && v.Str == "view" { // tools that read and write as they are told
			effect = transcript.Reads
			return true
		}
		if rank := subjectRank(key.Str, effect); rank < best {
			if s := oneLine(v); s != "" {
				subject, best = s, rank
			}
		}
		return true
	})
	if subject == "" && effect != transcript.Browses {
		return "", ""
	}
	return subject, effect
}

// effectOf judges a tool by the words of its name; the first match below wins, so that search_replace writes and
// web_search searches.
func effectOf(tool string) transcript.Effect {
	if i := strings.LastIndex(tool, "__"); i >= 0 { // mcp__server__tool
		tool = tool[i+2:]
	}
	seen := map[transcript.Effect]bool{}
	for _, w := range words(tool) {
		switch w {
		case "browser", "computer":
			return transcript.Browses
		case "write", "edit", "multiedit", "replace", "patch", "create", "insert", "delete", "save":
			seen[transcript.Writes] = true
		case "grep", "glob", "search", "find", "ripgrep":
			seen[transcript.Searches] = true
		case "web", "fetch", "webfetch", "navigate", "url", "page", "screenshot", "click", "goto":
			seen[transcript.Browses] = true
		case "bash", "shell", "exec", "execute", "run", "command", "terminal", "powershell", "python":
			seen[transcript.Runs] = true
		case "read", "view", "cat", "open", "list", "ls":
			seen[transcript.Reads] = true
		}
	}
	for _, e := range [...]transcript.Effect{transcript.Writes, transcript.Searches, transcript.Browses, transcript.Runs, transcript.Reads} {
		if seen[e] {
			return e
		}
	}
	return ""
}

// notSubject is the rank of a field that says nothing about a call's subject.
const notSubject = 100

// subjectRank orders the fields of a call's input by how well they say what it is about: 0 for the kind of field
// that fits the effect, then paths, addresses, commands and patterns.
func subjectRank(key string, effect transcript.Effect) int {
	rank, fits := notSubject, transcript.Effect("")
	switch key {
	case "file_path", "path", "notebook_path", "absolute_path", "filename", "file", "target_file", "dir_path", "directory":
		rank, fits = 1, transcript.Reads
		if effect == transcript.Writes {
			fits = transcript.Writes
		}
	case "url", "uri":
		rank, fits = 2, transcript.Browses
	case "command", "cmd", "script", "code":
		rank, fits = 3, transcript.Runs
	case "pattern", "query", "regex":
		rank, fits = 4, transcript.Searches
	case "element", "ref", "bash_id", "task_id", "shell_id", "skill", "name":
		rank = 5
	}
	if fits != "" && fits == effect {
		return 0
	}
	return rank
}

// oneLine is the first line of a field, or the words of a list joined, cut at maxSubject bytes.
func oneLine(v gjson.Result) string {
	s := own(v)
	if v.IsArray() {
		var list []string
		v.ForEach(func(_, e gjson.Result) bool {
			list = append(list, own(e))
			return len(list) < maxSubject
		})
		s = strings.Join(list, " ")
	}
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return cut(s, maxSubject)
}

// words cuts a name at everything that is no letter or digit and where a capital follows a small letter.
func words(name string) []string {
	var out []string
	start, last := -1, rune(0)
	for i, r := range name {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start >= 0 && (!inside || unicode.IsUpper(r) && unicode.IsLower(last)) {
			out = append(out, strings.ToLower(name[start:i]))
			start = -1
		}
		if inside && start < 0 {
			start = i
		}
		last = r
	}
	if start >= 0 {
		out = append(out, strings.ToLower(name[start:]))
	}
	return out
}
