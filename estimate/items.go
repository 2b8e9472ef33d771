package estimate

import (
	"perch/estimate/models"
	"perch/formats/transcript"
)

// AssumedPages is how many pages a document has whose recording does not tell.
const AssumedPages = 5

// Items is the immutable table of what is known of every part of a transcript without any recorded count: one row a
// part. It can be shared.
type Items struct {
	t       *transcript.Transcript
	counter Counter
	table   *models.Table
	rows    []Item
	first   []int // rows[first[m]:first[m+1]] are the parts of message m
}

// NewItems counts every part of a transcript once.
//
// Text is counted by the counter. Media, thinking without text and withheld items are sized by the rules of the
// model that the message was first sent to: pictures by their pixels, documents by their pages, thinking by the
// bytes of its signature. Where a rule finds nothing to go by it takes the table's constant, and the row is marked
// Approximate. A tool call's input that the client filled in after the response ([transcript.Part.Unsent]) is 0.
func NewItems(t *transcript.Transcript, counter Counter, table *models.Table) *Items {
	x := &Items{t: t, counter: counter, table: table, first: make([]int, 1, len(t.Messages)+1)}
	call := 0
	for m := range t.Messages {
		for call < len(t.Calls)-1 && t.Calls[call].At <= m {
			call++
		}
		rules := x.rules(call)
		for i := range t.Messages[m].Parts {
			x.rows = append(x.rows, rules.item(&t.Messages[m].Parts[i]))
		}
		x.first = append(x.first, len(x.rows))
	}
	return x
}

// Item returns the row of a part.
func (x *Items) Item(id transcript.PartID) Item { return x.rows[x.index(id)] }

// Text returns what the row of a text part would be.
func (x *Items) Text(text string) Item { return textItem(x.counter, text, transcript.Classify(text)) }

// index is a part's row.
func (x *Items) index(id transcript.PartID) int { return x.first[id.Message] + id.Part }

// rules are what one model's rules say about parts.
type rules struct {
	counter Counter
	family  models.Family
	image   models.Image
}

// rules returns the rules of the model that call k went to.
func (x *Items) rules(k int) rules {
	call := &transcript.Call{}
	if k < len(x.t.Calls) {
		call = &x.t.Calls[k]
	}
	model, _ := x.table.Of(x.t, call)
	return rules{counter: x.counter, family: x.table.Family(model), image: x.table.Image(model)}
}

// item sizes one part.
func (r rules) item(p *transcript.Part) Item {
	switch {
	case p.Kind == transcript.Image:
		tokens, known := r.image.Tokens(p.Media.Width, p.Media.Height)
		return Item{Local: transcript.Local(tokens), Class: transcript.Picture, Approximate: !known}
	case p.Kind == transcript.Document && p.Text == "":
		return r.document(p)
	case p.Kind == transcript.Thinking:
		return r.thinking(p)
	case p.Kind == transcript.Opaque && p.Text == "":
		return Item{Local: transcript.Local(r.family.Opaque), Class: transcript.Withheld, Approximate: true}
	case p.Kind == transcript.ToolCall && p.Unsent:
		return Item{Class: transcript.JSON}
	case p.Kind == transcript.ToolCall:
		return textItem(r.counter, p.Text, transcript.JSON)
	}
	return textItem(r.counter, p.Text, transcript.Classify(p.Text))
}

// document sizes a document by its pages.
func (r rules) document(p *transcript.Part) Item {
	pages := p.Media.Pages
	if pages <= 0 {
		pages = AssumedPages
	}
	return Item{
		Local:       transcript.Local(pages * r.family.Page),
		Class:       transcript.Picture,
		Approximate: p.Media.Pages <= 0,
	}
}

// thinking sizes thinking by its signature where the family's signatures tell, because its text may be withheld or
// a summary; by its text where that is longer.
func (r rules) thinking(p *transcript.Part) Item {
	item := textItem(r.counter, p.Text, transcript.Thought)
	signed := transcript.Local(float64(p.Opaque)*r.family.Signature + 0.5)
	if signed > item.Local {
		item.Local, item.Approximate = signed, true
	}
	if item.Local == 0 && p.Opaque > 0 {
		item.Local, item.Approximate = transcript.Local(r.family.Thought), true
	}
	return item
}

// textItem sizes a text of a known class.
func textItem(c Counter, text string, class transcript.Class) Item {
	item := Item{Local: c.Count(text), Naive: Chars4(text), Class: class}
	if a, ok := c.(interface{ Approximate(text string) bool }); ok {
		item.Approximate = a.Approximate(text)
	}
	return item
}
