package formats

import (
	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// count is a number that may be missing.
type count struct {
	n  int
	ok bool
}

// count is the canonical form.
func (c count) count() transcript.Count {
	if !c.ok {
		return transcript.Count{}
	}
	return transcript.Of(c.n)
}

// counts reads the named members of a usage object and reports whether every one that is there is a number.
func counts(v gjson.Result, into map[string]*count) (sound bool) {
	sound = true
	v.ForEach(func(key, v gjson.Result) bool {
		if c := into[key.Str]; c != nil {
			c.n, c.ok = tokens(v)
			sound = sound && (c.ok || v.Type == gjson.Null)
		}
		return true
	})
	return sound
}
