package input

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"perch/formats"
)

// Home is a folder of this machine in which an agent may keep its runs.
type Home struct {
	Dir     string // as the operating system writes it
	Pattern string // the runs in it: slash-separated, ** for any depth
}

// Folder is the part of the home below which all its runs lie.
func (h Home) Folder() string {
	below, _ := doublestar.SplitPattern(h.Pattern)
	return filepath.Join(h.Dir, filepath.FromSlash(below))
}

// baseFolders are the folders of the XDG Base Directory Specification, each with the variable that moves it.
var baseFolders = [...]struct{ dir, env string }{
	{"~/.config", "XDG_CONFIG_HOME"}, {"~/.local/share", "XDG_DATA_HOME"}, {"~/.local/state", "XDG_STATE_HOME"}, {"~/.cache", "XDG_CACHE_HOME"},
}

// Homes returns the homes of all formats for a user's home folder, where environment variables have not moved them.
func Homes(getenv func(string) string, user string) []Home {
	var homes []Home
	for _, f := range formats.All {
		for _, h := range f.Homes {
			if dir := place(h, getenv, user); dir != "" {
				homes = append(homes, Home{Dir: dir, Pattern: h.Pattern})
			}
		}
	}
	return homes
}

// place is where a home lies, or "" where that needs a user's home folder and there is none.
func place(h formats.Home, getenv func(string) string, user string) string {
	if h.Env != "" {
		if dir := getenv(h.Env); dir != "" {
			return dir
		}
	}
	for _, base := range baseFolders {
		if below, ok := strings.CutPrefix(h.Dir, base.dir+"/"); ok && getenv(base.env) != "" {
			return filepath.Join(getenv(base.env), filepath.FromSlash(below))
		}
	}
	below, ok := strings.CutPrefix(h.Dir, "~/")
	switch {
	case !ok:
		return filepath.FromSlash(h.Dir)
	case user == "":
		return ""
	}
	return filepath.Join(user, filepath.FromSlash(below))
}

// Agents finds the files in the homes. A home that does not exist holds none.
func Agents(o Options) *Input {
	in := newInput(o)
	seen := map[string]bool{}
	for _, h := range o.Homes {
		dir, err := filepath.EvalSymlinks(h.Dir)
		if err != nil {
			continue
		}
		t := target{name: h.Folder(), many: true, home: true}
		disk := os.DirFS(h.Dir)
		matches, _ := doublestar.Glob(disk, h.Pattern, doublestar.WithFilesOnly(), doublestar.WithNoFollow()) // the pattern is ours
		for _, name := range matches {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if seen[path] {
				continue
			}
			seen[path] = true
			f := file{source: filepath.Join(h.Dir, filepath.FromSlash(name)), disk: disk, name: name}
			if info, err := os.Stat(f.source); err != nil {
				f.err = plainReason(err)
			} else if !info.Mode().IsRegular() {
				f.err = ErrSpecial
			}
			t.files = append(t.files, f)
		}
		in.targets = append(in.targets, t)
	}
	return in
}
