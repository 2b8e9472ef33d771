package pipeline

import (
	"flag"
	"os"
	"testing"
)

// TestMain asks rapid for more cases than its default of 100, unless told otherwise, and keeps its files out of the
// tree.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.checks": "200", "rapid.nofailfile": "true", "rapid.shrinktime": "10s"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	os.Exit(m.Run())
}
