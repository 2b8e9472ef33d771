package estimate

import (
	"testing"

	"perch/formats/transcript"
)

// A user who asks why an estimate was off must be pointed at a fact of the recording, the strongest there is.
func TestGapCauses(t *testing.T) {
	image := transcript.Part{Kind: transcript.Image}
	for _, c := range []struct {
		name   string
		script func(*script)
		want   Cause
	}{
		{"nothing to explain", func(s *script) { s.result(50); s.call(1600, 0) }, ""},
		{"bodies cleared", func(s *script) {
			m := s.result(5000)
			s.call(6140, 30, said(30))
			s.change(transcript.Change{Kind: transcript.Clear, Reduce: []transcript.PartID{part(m, 0)}})
			s.person(10)
			s.call(3000, 0)
		}, Cleared},
		{"thread went back", func(s *script) {
			s.result(5000)
			s.call(6140, 30, said(30))
			s.change(transcript.Change{Kind: transcript.Rewind, Prompt: []transcript.Span{{From: 0, To: 1}}})
			s.person(10)
			s.call(3000, 0)
		}, Rewound},
		{"thread went back and its prompt fell below", func(s *script) {
			s.result(5000)
			s.call(6140, 30, said(30))
			s.change(transcript.Change{Kind: transcript.Rewind, Prompt: []transcript.Span{{From: 0, To: 3}}})
			s.person(10)
			s.call(3000, 0)
		}, SilentClear},
		{"other model", func(s *script) { s.result(50); s.call(9000, 0).Model = "keep-2" }, Switched},
		{"hosted tool", func(s *script) { s.result(50); s.call(9000, 0).Hosted = true }, HostedTool},
		{"aborted call", func(s *script) { s.result(50); s.call(0, 0).Err = "aborted"; s.call(9000, 0) }, AbortedCall},
		{"broken chain", func(s *script) {
			s.result(50)
			s.t.Warnings = []transcript.Warning{{Line: 3, Message: "the thread goes on in the order of the file"}}
			s.call(9000, 0)
		}, BrokenChain},
		{"picture without a size", func(s *script) { s.result(50, image); s.call(9000, 0) }, UnsizedImage},
		{"thinking due to leave", func(s *script) {
			s.result(50)
			s.call(1190, 900, thought(800), said(100)).Model = "keep"
			s.person(10)
			for k := range s.t.Calls {
				s.t.Calls[k].Model = "drop"
			}
			s.call(9000, 0).Model = "drop"
		}, ThinkingLeft},
		{"fall without a record", func(s *script) { s.result(50); s.call(400, 0) }, SilentClear},
		{"reply of unknown size", func(s *script) {
			s.result(50)
			s.call(1190, 2, said(3000))
			s.person(10)
			s.call(5000, 0)
		}, Placeholder},
		{"one part denser than its class", func(s *script) { s.result(5000); s.call(1140+6500, 0) }, ContentRatio},
		{"injected record", func(s *script) { s.result(50); s.injected(50); s.call(9000, 0) }, Injected},
		{"growth without a record", func(s *script) { s.result(50); s.call(9000, 0) }, Inferred},
		{"several parts that cost too little", func(s *script) {
			s.result(3000)
			s.person(3000)
			s.call(1500, 0)
		}, Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript()
			s.person(100)
			s.call(1100, 40, toolCall(40))
			c.script(s)
			calls := s.study(t).Calls
			if got := calls[len(calls)-1]; got.Gap != c.want {
				t.Errorf("the gap of %d tokens is put down to %q, want %q", int(got.Recorded)-int(got.Point), got.Gap, c.want)
			}
		})
	}
}
