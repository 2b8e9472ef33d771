package input

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perch/formats/transcript"
)

// Latest is the argument that stands for the newest run.
const Latest = "@1"

// idForm is what the id of a run, or its beginning, can look like: nothing that is a path or a pattern.
var idForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_-]{3,}$`)

// isName reports whether an argument can name a run: @3, or at least four characters of an id.
func isName(arg string) bool {
	_, numbered := number(arg)
	return numbered || idForm.MatchString(arg)
}

// number reads a run's number in the list.
func number(arg string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(arg, "@")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// names finds runs in the agents' folders by what `perch list` calls them. It reads those folders when it is first
// asked.
type names struct {
	args    []string // of the command line: the largest number among them says how far to read
	options Options

	runs []Found[struct{}]
	upTo int // so many of the newest runs are known
}

// find returns the files that hold a run.
func (n *names) find(ctx context.Context, name string) ([]file, error) {
	if at, ok := number(name); ok {
		return n.numbered(ctx, at)
	}
	if err := n.load(ctx, math.MaxInt); err != nil {
		return nil, err
	}
	return n.identified(name)
}

// numbered returns the file of a run by its number in the list.
func (n *names) numbered(ctx context.Context, at int) ([]file, error) {
	if at < 1 {
		return nil, errors.New("runs are numbered from @1, the newest")
	}
	most := at
	for _, arg := range n.args {
		if other, ok := number(arg); ok {
			most = max(most, other)
		}
	}
	if err := n.load(ctx, most); err != nil {
		return nil, err
	}
	if at > len(n.runs) {
		return nil, fmt.Errorf("there is no such run: the agents' folders hold %d; `perch list` shows them", len(n.runs))
	}
	run := &n.runs[at-1]
	return []file{run.part(func(t *transcript.Transcript) bool { return t.ID == run.ID && t.Thread == run.Thread })}, nil
}

// load makes sure that so many of the newest runs are known.
func (n *names) load(ctx context.Context, most int) error {
	if most <= n.upTo {
		return nil
	}
	o := SurveyOptions{Most: most}
	if most == math.MaxInt {
		o.Most = 0
	}
	n.runs, _ = Survey(ctx, Agents(n.options), o, func(*transcript.Transcript) struct{} { return struct{}{} })
	n.upTo = most
	return ctx.Err()
}

// identified returns the files of a run, or of a sub-agent's thread, by the beginning of its id.
func (n *names) identified(prefix string) ([]file, error) {
	byID := map[string][]file{}
	var ids []string
	for i := range n.runs {
		run := &n.runs[i]
		id := matching(prefix, run.ID, run.Thread)
		if id == "" {
			continue
		}
		if byID[id] == nil {
			ids = append(ids, id)
		}
		f := run.part(func(t *transcript.Transcript) bool { return matching(prefix, t.ID, t.Thread) == id })
		if !slices.ContainsFunc(byID[id], func(other file) bool { return other.source == f.source }) {
			byID[id] = append(byID[id], f)
		}
	}
	if byID[prefix] != nil {
		ids = []string{prefix}
	}
	switch len(ids) {
	case 0:
		return nil, errors.New("no such file or folder, and no run whose id begins with it; `perch list` shows the runs")
	case 1:
		files := byID[ids[0]]
		slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.source, b.source) })
		return files, nil
	}
	return nil, fmt.Errorf("the ids of %d runs begin with it, among them %s and %s: give more of it", len(ids), ids[0], ids[1])
}

// matching is the id of a run, or else of its thread, if it begins with prefix.
func matching(prefix, id, thread string) string {
	switch {
	case strings.HasPrefix(id, prefix):
		return id
	case thread != "main" && strings.HasPrefix(thread, prefix):
		return thread
	}
	return ""
}

// part is the file of a run, of which only some transcripts are meant.
func (f *Found[R]) part(only func(*transcript.Transcript) bool) file {
	part := f.file
	part.only = only
	return part
}

// relabel names files after a label; several are told apart by their own names.
func relabel(files []file, label string) {
	for i := range files {
		if len(files) == 1 {
			files[i].source = label
		} else {
			files[i].source = filepath.Join(label, filepath.Base(files[i].source))
		}
	}
}
