package main

import (
	"strings"

	"perch/formats/transcript"
)

// workspace is a made-up project an agent works on: files that reads, searches and edits agree about.
type workspace struct {
	r     source
	root  string
	paths []string
	files []string
}

// newWorkspace makes a project of n files of some hundred lines.
func newWorkspace(r source, root string, n int) *workspace {
	w := &workspace{r: r, root: root}
	for range n {
		if r.chance(0.75) {
			w.paths = append(w.paths, root+r.fill("/internal/{noun}/{adj}_{noun}.go"))
			w.files = append(w.files, r.goFile(r.between(120, 420)))
		} else {
			w.paths = append(w.paths, root+r.fill("/tools/{verb}_{noun}.py"))
			w.files = append(w.files, r.pyFile(r.between(80, 260)))
		}
	}
	return w
}

// read reads about n lines somewhere in a file.
func (w *workspace) read(n int) call {
	i := w.r.IntN(len(w.files))
	text := w.files[i]
	from := 0
	if total := strings.Count(text, "\n"); total > n {
		from = w.r.IntN(total - n)
	}
	return read(w.paths[i], lines(text, from, n), transcript.Code, from+1)
}

// search looks for a name and finds it on n lines.
func (w *workspace) search(n int) call {
	word := w.r.fill("{Verb}{Noun}")
	var out strings.Builder
	for range n {
		i := w.r.IntN(len(w.files))
		all := strings.Split(w.files[i], "\n")
		at := w.r.IntN(len(all))
		out.WriteString(strings.TrimPrefix(w.paths[i], w.root+"/") + w.r.fill(":{d3}:") + strings.TrimSpace(all[at]) + "\n")
	}
	return grep(word, w.root, out.String())
}

// edit rewrites a few lines of a file.
func (w *workspace) edit(n int) call {
	i := w.r.IntN(len(w.files))
	from := w.r.IntN(max(1, strings.Count(w.files[i], "\n")-n))
	before := lines(w.files[i], from, n)
	after := before + w.r.fill(pick(w.r, goStatements[:]))
	w.files[i] = strings.Replace(w.files[i], before, after, 1)
	return edit(w.paths[i], before, after)
}

// add writes a new file of about n lines.
func (w *workspace) add(n int) call {
	path, text := w.root+w.r.fill("/internal/{noun}/{verb}_{noun}_test.go"), w.r.goFile(n)
	w.paths, w.files = append(w.paths, path), append(w.files, text)
	return create(path, text)
}

// test runs the tests of n packages.
func (w *workspace) test(n int) call {
	if w.r.chance(0.4) {
		return bash("go test ./...", "Run the tests", "Exit code 1\n"+w.r.testRun(n, w.r.between(1, 3)), transcript.Log).fails()
	}
	return bash("go test ./...", "Run the tests", w.r.testRun(n, 0), transcript.Log)
}

// logs reads n lines of a service's log.
func (w *workspace) logs(n int) call {
	return bash(w.r.fill("journalctl -u {noun}d -n {d3} --no-pager"), "Read the service log", w.r.log(n), transcript.Log)
}

// config reads an export of n records.
func (w *workspace) config(n int) call {
	return bash(w.r.fill("curl -s localhost:8080/v2/{noun}s?limit={d2}"), "Fetch sample records", w.r.jsonList(n, w.r.chance(0.5)), transcript.JSON)
}
