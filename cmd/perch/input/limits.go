package input

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"perch/formats"
)

// Limits bounds what one invocation reads, so that no file can take the memory or the disk's worth of time.
type Limits struct {
	Line     Size // the longest line of a recording; what is behind it is cut off, which costs that record
	Lines    int  // the most lines of a recording: a reader keeps something of every record, however short it is
	File     Size // the largest file, as it lies on the disk; standard input too
	Unpacked Size // the most a packed file may unpack to
	Total    Size // the most that is read in all, after unpacking: no more is kept in memory for it
}

// DefaultLimits lets every real recording pass: the longest record known has 2 MB, one with full-size pictures some
// tens of MB, and a provider takes no request above 32 MB. A million of the shortest records take less than 1 GB.
func DefaultLimits() Limits {
	return Limits{Line: 64 * megabyte, Lines: 1_000_000, File: 1000 * megabyte, Unpacked: 1000 * megabyte, Total: 64_000 * megabyte}
}

// MostLine is the largest Limits.Line: what readers of formats hold in one piece.
const MostLine = Size(formats.MaxLine)

// Size is a number of bytes. As text it has a decimal or a binary unit: 64MB, 1.5GB, 256MiB; without one it is
// bytes.
type Size int64

const megabyte Size = 1_000_000

// unit is a unit of sizes.
type unit struct {
	name  string
	bytes float64
}

// units are the units that are read, in lower case; the longest of equal endings first.
var units = [...]unit{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"b", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12},
}

// String writes a size in the largest decimal unit that holds it without a remainder.
func (s Size) String() string {
	name, bytes := "B", Size(1)
	for _, u := range []unit{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}} {
		if s != 0 && s%Size(u.bytes) == 0 {
			name, bytes = u.name, Size(u.bytes)
		}
	}
	return fmt.Sprintf("%d%s", s/bytes, name)
}

// Set reads a size; it makes a Size the value of a flag.
func (s *Size) Set(text string) error {
	number, scale := strings.ToLower(strings.TrimSpace(text)), 1.0
	for _, u := range units {
		if before, ok := strings.CutSuffix(number, u.name); ok {
			number, scale = strings.TrimSpace(before), u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) || n*scale < 1 || n*scale > 1<<60 {
		return fmt.Errorf("want a size above 0, as in 256MB, 1.5GB or 64MiB")
	}
	*s = Size(n * scale)
	return nil
}

// Type names the kind of value in the help of a flag.
func (s *Size) Type() string { return "size" }

// meter counts what is read in all, by several readers at a time. A nil meter counts nothing.
type meter struct {
	limit Size
	read  atomic.Int64
}

// add counts so many bytes and reports an error once there are too many.
func (m *meter) add(n int) error {
	if m != nil && m.read.Add(int64(n)) > int64(m.limit) {
		return errTotal
	}
	return nil
}
