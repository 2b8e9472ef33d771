package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionCommand returns `perch version`: which build this is.
func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "which build this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.stdout, "perch %s %s %s/%s\n", build(debug.ReadBuildInfo()), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// build names a build: the module's version, and the revision where the build recorded one.
func build(info *debug.BuildInfo, ok bool) string {
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	name := info.Main.Version
	modified := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			name += " " + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " (modified)"
		}
	}
	return name + modified
}
