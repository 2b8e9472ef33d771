package main

import (
	"strings"

	"perch/formats/transcript"
)

// call is one tool call of the agent together with what comes back.
type call struct {
	tool   string
	input  any
	result string
	class  transcript.Class // of the result
	ui     any              // the client's own copy of the result
	image  *picture         // a screenshot behind the text
	list   bool             // the result is a list of blocks, as MCP servers answer
	failed bool
}

// Inputs and client copies of Claude Code's own tools.
type (
	pathInput struct {
		Path   string `json:"file_path"`
		Offset int    `json:"offset,omitempty"`
		Limit  int    `json:"limit,omitempty"`
	}
	editInput struct {
		Path string `json:"file_path"`
		Old  string `json:"old_string"`
		New  string `json:"new_string"`
	}
	writeInput struct {
		Path    string `json:"file_path"`
		Content string `json:"content"`
	}
	bashInput struct {
		Command     string `json:"command"`
		Description string `json:"description"`
	}
	grepInput struct {
		Pattern string `json:"pattern"`
		Path    string `json:"path"`
		Mode    string `json:"output_mode"`
	}
	taskInput struct {
		Description string `json:"description"`
		Prompt      string `json:"prompt"`
		Agent       string `json:"subagent_type"`
	}

	fileUI struct {
		Type string   `json:"type"`
		File fileCopy `json:"file"`
	}
	fileCopy struct {
		Path    string `json:"filePath"`
		Content string `json:"content"`
		Lines   int    `json:"numLines"`
		Start   int    `json:"startLine"`
		Total   int    `json:"totalLines"`
	}
	bashUI struct {
		Stdout      string `json:"stdout"`
		Stderr      string `json:"stderr"`
		Interrupted bool   `json:"interrupted"`
		IsImage     bool   `json:"isImage"`
	}
)

// brief cuts the client's copy of a result: real files repeat it whole, here its beginning says enough.
func brief(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "")
	}
	return s
}

// read reads lines of a file, all of them with from 0.
func read(path, text string, class transcript.Class, from int) call {
	in := pathInput{Path: path}
	if from > 0 {
		in.Offset, in.Limit = from, strings.Count(text, "\n")
	}
	n := strings.Count(text, "\n")
	ui := fileUI{Type: "text", File: fileCopy{Path: path, Content: brief(text), Lines: n, Start: max(from, 1), Total: from + n}}
	return call{tool: "Read", input: in, result: numbered(text, max(from, 1)), class: class, ui: ui}
}

// bash runs a command.
func bash(command, description, out string, class transcript.Class) call {
	out = strings.TrimSuffix(out, "\n")
	return call{tool: "Bash", input: bashInput{command, description}, result: out, class: class, ui: bashUI{Stdout: brief(out)}}
}

// fails makes a call one that reports a failure.
func (c call) fails() call {
	c.failed = true
	c.ui = "Error: " + brief(c.result)
	return c
}

// screenshot adds a picture to a call's result.
func (c call) screenshot(width, height int) call {
	c.image = &picture{width, height}
	return c
}

// grep searches for a pattern.
func grep(pattern, path, out string) call {
	out = strings.TrimSuffix(out, "\n")
	return call{tool: "Grep", input: grepInput{pattern, path, "content"}, result: out, class: transcript.Code}
}

// edit replaces one piece of a file by another.
func edit(path, before, after string) call {
	return call{tool: "Edit", input: editInput{path, before, after}, result: "The file " + path + " has been updated.", class: transcript.Prose}
}

// create writes a new file.
func create(path, content string) call {
	return call{tool: "Write", input: writeInput{path, content}, result: "File created successfully at: " + path, class: transcript.Prose}
}
