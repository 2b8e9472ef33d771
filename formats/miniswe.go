package formats

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// miniSWE is the trajectories of mini-swe-agent: one JSON document a run, chat messages in the order in which they
// were sent, none ever taken back. A response holds the provider's whole answer under extra, with the counts as
// openaichat_usage.go reads them. Before version 1.1 of the format the commands stood in the text, and their output
// was a user's message; the oldest files are no more than the list of messages.
func miniSWE() Format {
	return Format{
		Name:  "mini-swe-agent",
		About: "trajectories of mini-swe-agent (*.traj.json)",
		Gives: Gives{Usage: true, Images: true},
		Homes: []Home{
			{Env: "MSWEA_GLOBAL_CONFIG_DIR", Dir: "~/.config/mini-swe-agent", Pattern: "*.traj.json"},
			{Dir: "~/Library/Application Support/mini-swe-agent", Pattern: "*.traj.json"},
		},
		Sniff: sniffMiniSWE,
		Read:  whole(parseMiniSWE),
	}
}

// sniffMiniSWE looks for what only mini-swe-agent says of a run, or for its name on a bare list of messages.
func sniffMiniSWE(head []byte, name string) bool {
	root := gjson.ParseBytes(bytes.TrimSpace(head))
	switch {
	case root.IsArray():
		return strings.HasSuffix(name, ".traj.json") && isChatMessage(root.Get("0"))
	case !root.IsObject():
		return false
	case strings.HasPrefix(root.Get("trajectory_format").Str, "mini-swe-agent"), root.Get("info.mini_version").Exists(),
		strings.HasPrefix(root.Get("info.config.agent_type").Str, "minisweagent"):
		return true
	}
	return root.Get("info.model_stats.api_calls").Exists() && isChatMessage(root.Get("messages.0"))
}

// parseMiniSWE reads a trajectory: a single thread.
func parseMiniSWE(r io.Reader, _ string) ([]*transcript.Transcript, error) {
	t, err := readTrajectory(r)
	if err != nil || len(t.Messages)+len(t.Calls) == 0 {
		return nil, err
	}
	return []*transcript.Transcript{t}, nil
}

// readTrajectory reads the document.
func readTrajectory(f io.Reader) (*transcript.Transcript, error) {
	var n notes
	d, err := readDocument(f, MaxLine, &n)
	if err != nil {
		return nil, err
	}
	messages := d.root
	if !messages.IsArray() {
		if messages = d.root.Get("messages"); !messages.IsArray() {
			return nil, errors.New("it has no list of messages: give a trajectory of mini-swe-agent")
		}
	}
	t := &transcript.Transcript{
		ID: own(d.root.Get("instance_id")), Thread: "main", Format: "mini-swe-agent", Agent: "mini-swe-agent",
		Version: own(d.root.Get("info.mini_version")),
	}
	l := chatList{notes: &n, calls: map[int]*transcript.Call{}}
	messages.ForEach(func(_, v gjson.Result) bool {
		l.step(v, d.lineOf(v), t.Version)
		return true
	})
	l.lay(t)
	n.into(t)
	return t, nil
}

// step reads one message of a trajectory. The last one, with the role exit, says how the run ended and was not sent;
// a user's message but the first is the agent's own, with an output or a reminder of its rules.
func (l *chatList) step(v gjson.Result, line int, version string) {
	before, extra := len(l.messages), v.Get("extra")
	if v.Get("role").Str == "exit" {
		l.messages = append(l.messages, transcript.Message{
			Role: transcript.User, Origin: transcript.Injected, NotSent: true, Line: line,
			Parts: l.content(v.Get("content"), transcript.Text),
		})
		return
	}
	asked := slices.ContainsFunc(l.messages, func(m transcript.Message) bool { return m.Origin == transcript.Person })
	l.message(v, line)
	if len(l.messages) == before {
		return
	}
	m := &l.messages[before]
	m.Time = moment(extra.Get("timestamp"))
	switch m.Role {
	case transcript.User:
		if asked {
			m.Origin = transcript.Injected
		}
	case transcript.Tool:
		failed := extra.Get("returncode").Num != 0 || extra.Get("exception_info").Str != ""
		for i := range m.Parts {
			m.Parts[i].IsError = failed
		}
	case transcript.Assistant:
		l.calls[before] = trajectoryCall(extra.Get("response"), line, version, m, l.notes)
	}
}

// trajectoryCall is the call behind a response, from the answer that was kept whole.
func trajectoryCall(response gjson.Result, line int, version string, m *transcript.Message, n *notes) *transcript.Call {
	return &transcript.Call{
		Key: own(response.Get("id")), Kind: transcript.Main, Model: own(response.Get("model")), Version: version,
		Usage: chatUsage(response.Get("usage"), line, n), Stopped: response.Get("choices.0.finish_reason").Type == gjson.String,
		Time: m.Time, Line: line,
	}
}
