package input

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"perch/formats/transcript"
)

// SurveyOptions says what of the files is looked at. The zero value looks at all of them.
type SurveyOptions struct {
	Since time.Time           // files that were not changed since are passed by
	Most  int                 // this many of the newest runs are enough; 0 for all
	Step  func(source string) // told after each file, never twice at a time; may be nil
}

// Found is a run that a survey found, with what its caller wanted to know about it.
type Found[R any] struct {
	ID, Thread, Source string
	Ended              time.Time // the last recorded moment; zero where no time is recorded
	Run                R

	file file
}

// Survey looks at all runs of an input, newest first: by the last moment they recorded, then by their source. Threads
// recorded inside others are parts of those and are no runs. Several files are read at a time; look is called for
// each run from several goroutines, and nothing of a run is kept but what it returns.
//
// The files changed last are read first. Where Most or Since let the survey pass by files, it takes for granted that
// no file was changed before the last moment it records.
func Survey[R any](ctx context.Context, in *Input, o SurveyOptions, look func(*transcript.Transcript) R) ([]Found[R], []*Problem) {
	s := surveyor[R]{in: in, options: o, look: look}
	jobs := s.jobs()
	slots := make(chan struct{}, max(1, in.options.Workers))
	var working sync.WaitGroup
	for i := range jobs {
		slots <- struct{}{}
		if ctx.Err() != nil || s.enough(jobs[i].changed) {
			<-slots
			break
		}
		working.Go(func() {
			defer func() { <-slots }()
			s.read(&jobs[i])
		})
	}
	working.Wait()
	return s.results(jobs)
}

// surveyor is a survey under way.
type surveyor[R any] struct {
	in      *Input
	options SurveyOptions
	look    func(*transcript.Transcript) R

	mu    sync.Mutex
	ended []time.Time // of the runs found so far
	over  bool        // too much was read in all
}

// job is a file to look at, and what was found in it.
type job[R any] struct {
	target   int
	file     file
	changed  time.Time
	runs     []Found[R]
	problems []*Problem
}

// jobs lists the files, those changed last first.
func (s *surveyor[R]) jobs() []job[R] {
	var jobs []job[R]
	for i := range s.in.targets {
		for _, f := range s.in.targets[i].files {
			j := job[R]{target: i, file: f}
			if f.err == nil {
				if info, err := fs.Stat(f.disk, f.name); err == nil {
					j.changed = info.ModTime()
				}
			}
			if s.options.Since.IsZero() || j.changed.IsZero() || !j.changed.Before(s.options.Since) {
				jobs = append(jobs, j)
			}
		}
	}
	slices.SortStableFunc(jobs, func(a, b job[R]) int {
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.file.source, b.file.source))
	})
	return jobs
}

// enough reports whether files changed at this moment or before can be passed by.
func (s *surveyor[R]) enough(changed time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.options.Most == 0 {
		return s.over
	}
	newer := 0
	for _, ended := range s.ended {
		if ended.After(changed) {
			newer++
		}
	}
	return s.over || newer >= s.options.Most
}

// read looks at one file.
func (s *surveyor[R]) read(j *job[R]) {
	over := false
	for t, err := range s.in.open(&j.file) {
		switch {
		case err != nil:
			over = errors.Is(err, errTotal)
			named := over || !s.in.targets[j.target].many && len(j.runs) == 0
			j.problems = append(j.problems, &Problem{Source: j.file.source, Named: named, Err: err})
		case !t.Nested:
			_, ended := t.Times()
			j.runs = append(j.runs, Found[R]{ID: t.ID, Thread: t.Thread, Source: t.Source, Ended: ended, Run: s.look(t), file: j.file})
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range j.runs {
		s.ended = append(s.ended, j.runs[i].Ended)
	}
	s.over = s.over || over
	if s.options.Step != nil {
		s.options.Step(j.file.source)
	}
}

// results puts what was found in order, with what the arguments as such lack.
func (s *surveyor[R]) results(jobs []job[R]) (runs []Found[R], problems []*Problem) {
	held := map[int]bool{}
	for i := range jobs {
		j := &jobs[i]
		runs, problems = append(runs, j.runs...), append(problems, j.problems...)
		held[j.target] = held[j.target] || len(j.runs) > 0
	}
	slices.SortStableFunc(runs, func(a, b Found[R]) int {
		return cmp.Or(b.Ended.Compare(a.Ended), cmp.Compare(a.Source, b.Source))
	})
	slices.SortStableFunc(problems, func(a, b *Problem) int { return cmp.Compare(a.Source, b.Source) })
	for i := range s.in.targets {
		t := &s.in.targets[i]
		switch {
		case t.err != nil:
			problems = append(problems, &Problem{Source: t.name, Named: true, Err: t.err})
		case t.many && !t.home && !held[i] && s.options.Since.IsZero() && !s.over:
			problems = append(problems, &Problem{Source: t.name, Named: true, Err: ErrVoid})
		}
	}
	return runs, problems
}
