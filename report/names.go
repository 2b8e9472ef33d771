package report

import (
	"path"
	"strings"

	"perch/replay"
)

// threadName is how much of a thread's id a run's name shows, in terminal cells.
const threadName = 12

// names gives every run a short name: the path below the folder all of them share, without the ending they share,
// and the thread where it is not the main one.
func names(runs []*replay.Result) []string {
	out := make([]string, len(runs))
	if len(runs) == 0 {
		return out
	}
	dir, ending := path.Dir(runs[0].Source), path.Ext(unpacked(runs[0].Source))
	for _, r := range runs {
		for dir != "." && dir != "/" && !strings.HasPrefix(r.Source, dir+"/") {
			dir = path.Dir(dir)
		}
		if path.Ext(unpacked(r.Source)) != ending {
			ending = ""
		}
	}
	for i, r := range runs {
		name := strings.TrimPrefix(unpacked(r.Source), dir+"/")
		if short := strings.TrimSuffix(name, ending); path.Base(short) != "" && short != "" {
			name = short
		}
		if r.Thread != "" && r.Thread != "main" && !strings.Contains(name, r.Thread) {
			name += " " + middle(r.Thread, threadName)
		}
		out[i] = name
	}
	return out
}

// rowNames gives every run the name its row shows: a thread whose row stands below another of the same file shows
// only its own id, indented.
func rowNames(runs []*replay.Result) []string {
	out := names(runs)
	for i, r := range runs {
		if i > 0 && runs[i-1].Source == r.Source && r.Thread != "main" {
			out[i] = "  + " + middle(r.Thread, threadName)
		}
	}
	return out
}

// unpacked is a file's name without the ending that says how it is packed.
func unpacked(name string) string { return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst") }
