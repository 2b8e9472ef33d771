package input

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Tally counts what lay in folders and gave no transcript, by reason. The zero value is empty.
type Tally struct {
	reasons []remark // in order of appearance
	files   map[remark][]string
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

// Add counts one file.
func (t *Tally) Add(p *Problem) {
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

// Lines says how many files are what, with the names of the first few.
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
