package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long work may take before a progress bar appears.
const patience = time.Second

// progress shows on a terminal how many files are done. Without a terminal it does nothing.
type progress struct {
	bar     *progressbar.ProgressBar
	started time.Time
	last    string
	done    int
}

// newProgress prepares a bar over so many files; it appears once the work has taken a while.
func newProgress(w io.Writer, files int, visible bool) *progress {
	p := &progress{started: time.Now()}
	if visible && files > 1 {
		p.bar = progressbar.NewOptions(files,
			progressbar.OptionSetWriter(w), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(),
			progressbar.OptionUseANSICodes(true))
	}
	return p
}

// step notes that something of a file is done. A file may hold several transcripts.
func (p *progress) step(file string) {
	if p.bar == nil || file == p.last {
		return
	}
	p.last = file
	p.done++
	if time.Since(p.started) >= patience {
		p.bar.Describe(shortened(file))
		_ = p.bar.Set(min(p.done, p.bar.GetMax()-1)) // a terminal that went away is no reason to stop
	}
}

// shortened keeps the end of a path, which tells files apart.
func shortened(path string) string {
	const most = 30
	if r := []rune(path); len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return path
}

// finish takes the bar away.
func (p *progress) finish() {
	if p.bar != nil && time.Since(p.started) >= patience {
		_ = p.bar.Clear()
	}
}
