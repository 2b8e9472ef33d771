package input

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Stdin is the argument that stands for standard input.
const Stdin = "-"

// find resolves one argument. label=path is understood where no file has that very name, and so are the names of
// runs.
func find(ctx context.Context, arg string, stdin io.Reader, most Size, names *names) target {
	label, path := "", arg
	if before, after, ok := strings.Cut(arg, "="); ok && before != "" && after != "" {
		if _, err := os.Lstat(arg); err != nil {
			label, path = before, after
		}
	}
	t := target{name: arg}
	if label == "" {
		label = path
	}
	if path == Stdin {
		if label == Stdin {
			label = "stdin"
		}
		t.files = []file{{source: label, disk: &once{r: stdin, limit: most}, name: "stdin"}}
		return t
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isName(path):
		t.files, t.err = names.find(ctx, path)
		if label != path {
			relabel(t.files, label)
		}
	case errors.Is(err, fs.ErrNotExist):
		t.glob(path, label)
	case err != nil:
		t.err = plainReason(err)
	case info.IsDir():
		t.many = true
		t.folder(path, label)
	default:
		t.files = []file{single(path, label, info)}
	}
	return t
}

// single is a file that was found by its own path.
func single(path, source string, info fs.FileInfo) file {
	if !info.Mode().IsRegular() {
		return file{source: source, err: ErrSpecial}
	}
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	return file{source: source, disk: os.DirFS(dir), name: name}
}

// folder adds every file below a folder, in sorted order. Links to files are read, links to folders are not
// followed, so that a loop of links ends.
func (t *target) folder(root, source string) {
	disk := os.DirFS(root)
	_ = fs.WalkDir(disk, ".", func(name string, d fs.DirEntry, err error) error {
		f := file{source: filepath.Join(source, filepath.FromSlash(name)), disk: disk, name: name}
		switch {
		case err != nil:
			f.err = plainReason(err)
		case d.IsDir():
			return nil
		default:
			f.err = openable(disk, name, d)
		}
		t.files = append(t.files, f)
		return nil // an unreadable folder is a problem of its own, the walk goes on beside it
	})
}

// openable reports why an entry of a folder is not opened.
func openable(disk fs.FS, name string, d fs.DirEntry) error {
	mode := d.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := fs.Stat(disk, name)
		if err != nil {
			return plainReason(err)
		}
		if mode = info.Mode(); mode.IsDir() {
			return ErrLink
		}
	}
	if !mode.IsRegular() {
		return ErrSpecial
	}
	return nil
}

// glob adds what a pattern matches: files, and everything below folders.
func (t *target) glob(pattern, label string) {
	t.many = true
	matches, err := doublestar.FilepathGlob(pattern, doublestar.WithNoFollow())
	if err != nil || len(matches) == 0 {
		t.err = ErrMissing
		return
	}
	slices.Sort(matches)
	for _, path := range matches {
		source := path
		if label != pattern {
			source = filepath.Join(label, path)
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			t.files = append(t.files, file{source: source, err: plainReason(err)})
		case !info.IsDir():
			t.files = append(t.files, single(path, source, info))
		case !strings.Contains(pattern, "**"): // a ** matches what is below a folder by itself
			t.folder(path, source)
		}
	}
}
