package main

import (
	"fmt"
	"strings"
	"time"
)

// logLines are what services write.
var logLines = [...]string{
	"{noun1}-worker-{d1} {verb}ed {noun}={x8} in {d3}ms queue={d3}",
	"http: POST /v2/{noun1}s/{x6} 20{d1} {d4}us bytes={d5} ua=\"{noun}-client/{d1}.{d2}\"",
	"retrying {noun1} {x8} attempt={d1} next={d3}ms err=\"{adj} {noun}: connection reset by peer\"",
	"db pool: open={d2} idle={d1} waited={d3} maxLifetimeClosed={d2}",
	"gc pause={d2}.{d2}ms heap={d3}MiB goal={d3}MiB",
	"cache {noun} hit={d5} miss={d4} ratio=0.{d3}",
	"{person} signed in from 10.{d2}.{d2}.{d2} session={x8}",
	"rejected {adj} {noun1}: checksum {x8}{x8} want {x8}{x8}",
	"flushed {d4} {noun}s to segment {d5}.idx ({d6} bytes)",
}

// log returns n lines of a service's log, some seconds apart.
func (r source) log(n int) string {
	at := time.Date(2026, 3, 4, r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)
	var out strings.Builder
	for range n {
		at = at.Add(time.Duration(r.between(3, 4000)) * time.Millisecond)
		fmt.Fprintf(&out, "%s %-5s [%s] %s\n", at.Format("2006-01-02T15:04:05.000Z"), pick(r, levels[:]), r.fill("{noun}d"), r.fill(pick(r, logLines[:])))
	}
	return out.String()
}

// testRun returns what a Go test run of n packages prints, with failed of them failing.
func (r source) testRun(n, failed int) string {
	var out strings.Builder
	for i := range n {
		if i >= failed {
			fmt.Fprintf(&out, "ok  \texample.test/billing/%s\t%d.%03ds\n", r.fill("{noun}"), r.IntN(9), r.IntN(1000))
			continue
		}
		name := r.fill("Test{Verb}{Noun}/{adj}_{noun}")
		fmt.Fprintf(&out, "--- FAIL: %s (0.%02ds)\n", name, r.IntN(100))
		for range r.between(1, 4) {
			out.WriteString(r.fill("    {noun}_test.go:{d3}: {noun1} = {d4}, want {d4}\n"))
		}
		out.WriteString(r.fill("FAIL\texample.test/billing/{noun}\t0.{d3}s\n"))
	}
	if failed > 0 {
		out.WriteString("FAIL\n")
	}
	return out.String()
}

// hexdump returns n rows of a dump, as xxd prints them.
func (r source) hexdump(n int) string {
	var out strings.Builder
	at := r.IntN(1<<20) &^ 15
	for range n {
		row := r.bytes(16)
		if r.chance(0.4) {
			copy(row, r.fill("{noun}.{noun}={x8}"))
		}
		fmt.Fprintf(&out, "%08x:", at)
		for i := 0; i < 16; i += 2 {
			fmt.Fprintf(&out, " %02x%02x", row[i], row[i+1])
		}
		out.WriteString("  ")
		for _, c := range row {
			if c < 0x20 || c > 0x7e {
				c = '.'
			}
			out.WriteByte(c)
		}
		out.WriteByte('\n')
		at += 16
	}
	return out.String()
}

// checksums returns n lines of a checksum list.
func (r source) checksums(n int) string {
	var out strings.Builder
	for range n {
		out.WriteString(r.hex(64) + r.fill("  /evidence/{noun}/{adj}-{noun}-{d3}.bin\n"))
	}
	return out.String()
}
