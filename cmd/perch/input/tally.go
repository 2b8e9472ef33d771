package input

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Tally counts what was read: transcripts and their files, and by reason what gave none. The zero value is empty.
type Tally struct {
	transcripts int
	sources     map[string]bool // the files that gave transcripts

	reasons []remark // what lay in folders and gave none, in order of appearance
	files   map[remark][]string

	unreadable, others, passed int // files that gave none
}

// remark words a reason for one file and for several.
type remark struct{ one, many string }

// remarks are the reasons that are expected in a folder.
var remarks = [...]struct {
	err  error
	text remark
}{
	{ErrUnknown, remark{"is not a transcript", "are not transcripts"}},
	{ErrBinary, remark{"is not a transcript", "are not transcripts"}},
	{ErrNothing, remark{"holds no transcript", "hold no transcript"}},
	{ErrEmpty, remark{"is empty", "are empty"}},
	{ErrUTF16, remark{"is UTF-16 text (iconv -f UTF-16 -t UTF-8 converts it)", "are UTF-16 text (iconv -f UTF-16 -t UTF-8 converts them)"}},
	{ErrSpecial, remark{"is a pipe, socket or device", "are pipes, sockets or devices"}},
	{ErrLink, remark{"is a link to a folder and was not followed", "are links to folders and were not followed"}},
	{fs.ErrPermission, remark{"may not be read", "may not be read"}},
}

// Found counts a transcript of a file.
func (t *Tally) Found(source string) {
	if t.sources == nil {
		t.sources = map[string]bool{}
	}
	t.transcripts++
	t.sources[source] = true
}

// Failed counts a file that gave no transcript, and remembers for [Tally.Lines] one that merely lay in a folder.
func (t *Tally) Failed(p *Problem) {
	switch is := func(reason error) bool { return errors.Is(p.Err, reason) }; {
	case is(ErrUnknown), is(ErrBinary), is(ErrNothing), is(ErrEmpty):
		t.others++
	case is(ErrVoid):
	case is(ErrSpecial), is(ErrLink):
		t.passed++
	default:
		t.unreadable++
	}
	if !p.Named {
		t.remark(p)
	}
}

// remark groups what lay in folders by reason.
func (t *Tally) remark(p *Problem) {
	text := remark{"could not be read (" + p.Err.Error() + ")", "could not be read (" + p.Err.Error() + ")"}
	for _, r := range remarks {
		if errors.Is(p.Err, r.err) {
			text = r.text
			break
		}
	}
	if t.files == nil {
		t.files = map[remark][]string{}
	}
	if t.files[text] == nil {
		t.reasons = append(t.reasons, text)
	}
	t.files[text] = append(t.files[text], p.Source)
}

// Lines says how many files of folders are what, with the names of the first few.
func (t *Tally) Lines() []string {
	const most = 3
	var lines []string
	for _, reason := range t.reasons {
		files := t.files[reason]
		text := "1 file " + reason.one
		if len(files) > 1 {
			text = fmt.Sprintf("%d files %s", len(files), reason.many)
		}
		text += ": " + strings.Join(files[:min(most, len(files))], ", ")
		if len(files) > most {
			text += ", ..."
		}
		lines = append(lines, text)
	}
	return lines
}

// Sum says in one line what was read and what was not. It is empty where everything gave transcripts, and where a
// single file was looked at.
func (t *Tally) Sum() string {
	if failed := t.unreadable + t.others + t.passed; failed == 0 || failed+len(t.sources) == 1 {
		return ""
	}
	text := several(t.transcripts, "transcript") + " from " + several(len(t.sources), "file")
	for _, rest := range []struct {
		n         int
		one, many string
	}{
		{t.unreadable, "not readable", "not readable"},
		{t.others, "not a transcript", "not transcripts"},
		{t.passed, "passed by", "passed by"},
	} {
		switch {
		case rest.n == 1:
			text += ", 1 " + rest.one
		case rest.n > 1:
			text += fmt.Sprintf(", %d %s", rest.n, rest.many)
		}
	}
	return text
}

// several is a number with its noun.
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
