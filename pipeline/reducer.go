package pipeline

import (
	"unicode/utf8"

	"perch/formats/transcript"
)

// reducer gathers the reductions of one plan. It takes only those that the step may make and that free something.
type reducer struct {
	v     *View
	list  []Reduction
	freed transcript.Estimated
	why   func(PartID, Reason) bool // told why a part is spared, until it returns false; nil where nobody asks
}

// to moves a part to a form, if that is allowed and smaller. It reports whether it did.
func (r *reducer) to(id PartID, f Form) bool {
	if r.v.Protected(id.Message) {
		r.spare(id, "protected")
		return false
	}
	return r.force(id, f)
}

// force is to, for protected parts as well.
func (r *reducer) force(id PartID, f Form) bool {
	freed := r.v.Size(id) - r.v.SizeAs(id, f)
	if freed <= 0 || !later(r.v.Form(id), f) {
		r.spare(id, "not-smaller")
		return false
	}
	r.list = append(r.list, Reduction{Part: id, To: f})
	r.freed += freed
	return true
}

// spare tells why a part stays as it is.
func (r *reducer) spare(id PartID, why Reason) {
	if r.why != nil && !r.why(id, why) {
		r.why = nil
	}
}

// take returns what was gathered as one edit, and starts the next.
func (r *reducer) take(why Reason) []Edit {
	if len(r.list) == 0 {
		return nil
	}
	e := Edit{Reduce: r.list, Reason: why}
	r.list = nil
	return []Edit{e}
}

// minHeadTail is the smallest head and tail a text is cut to, in runes: less is no use to a model.
const minHeadTail = 400

// fit returns the largest head and tail of a part that costs at most limit tokens, but no less than minHeadTail
// runes. It asks the meter a few times, because size need not be proportional to length.
func (v *View) fit(id PartID, limit transcript.Estimated) Form {
	now := max(v.Size(id), 1)
	n := utf8.RuneCountInString(Body(v.Message(id.Message), id.Part, v.Form(id)))
	for range 16 {
		n = max(minHeadTail, int(int64(n)*int64(max(limit, 0))/int64(now)))
		f := Form{Kind: HeadTail, N: n}
		now = v.SizeAs(id, f)
		if now <= limit || n == minHeadTail {
			return f
		}
		n-- // a rounding meter must not hold it here
	}
	return Form{Kind: HeadTail, N: minHeadTail}
}
