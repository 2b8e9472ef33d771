package estimate

import "perch/formats/transcript"

// A recorded output count is the price of its reply if the provider said that the response was complete, or if it
// is no placeholder and at least this share of what the reply's visible content should cost. Older Claude Code
// clients record the count of the stream's start, 8 or less, in 57 % of their responses.
const (
	placeholder  = 8
	trustedShare = 0.85
)

// reply writes the entries of call k's reply from its recorded output, and reports whether that could be trusted.
// Reasoning that the output contains is the price of the reply's thinking; where the recording holds no part for
// it, the other parts bear it until it leaves the prompt.
func (w *walk) reply(k int) bool {
	call := &w.t.Calls[k]
	var thoughts, others []transcript.PartID
	for m := call.Reply.From; m < call.Reply.To; m++ {
		for id := range parts(w.t, m) {
			switch {
			case w.ledger.written[w.s.Items.index(id)] || w.t.Messages[m].NotSent:
			case w.t.Part(id).Kind == transcript.Thinking:
				thoughts = append(thoughts, id)
			default:
				others = append(others, id)
			}
		}
	}
	if !w.trusts(call, thoughts, others) {
		return false
	}
	output := transcript.Ledger(call.Usage.Output.N)
	reasoning := min(transcript.Ledger(call.Usage.Reasoning.Or(0)), output)
	firm := Shared
	if len(thoughts)+len(others) == 1 {
		firm = Exact
	}
	switch {
	case reasoning == 0:
		w.charge(append(thoughts, others...), output, firm, k)
	case len(thoughts) > 0 && len(others) > 0:
		w.charge(thoughts, reasoning, firm, k)
		w.charge(others, output-reasoning, firm, k)
	case len(thoughts) > 0:
		w.charge(thoughts, output, firm, k)
	default:
		w.charge(others, output, firm, k)
		for i, n := range apportion(reasoning, w.weights(others)) {
			row := w.s.Items.index(others[i])
			w.ledger.reasoning[row] = min(n, w.s.entries[row].Tokens)
		}
	}
	return true
}

// trusts reports whether a call's output count is the price of its reply.
func (w *walk) trusts(call *transcript.Call, thoughts, others []transcript.PartID) bool {
	out := call.Usage.Output
	if call.Err != "" || out.N <= 0 || out.From == transcript.NotRecorded || out.From == transcript.Client {
		return false
	}
	if call.Stopped {
		return true
	}
	visible := 0.0
	model, _ := w.table.Of(w.t, call)
	family := w.table.Family(model)
	for _, id := range append(thoughts[:len(thoughts):len(thoughts)], others...) {
		item := w.s.Items.Item(id)
		ratio, _ := w.table.Ratio(family, item.Class, w.s.Items.counter.Name())
		visible += ratio * float64(item.Local)
	}
	return out.N > placeholder && float64(out.N) >= trustedShare*visible
}

// charge splits tokens over parts by what the meter says they cost and writes their entries.
func (w *walk) charge(ids []transcript.PartID, tokens transcript.Ledger, firm Firmness, k int) {
	for i, n := range apportion(tokens, w.weights(ids)) {
		w.ledger.write(ids[i], Entry{Tokens: n, From: firm, Call: k})
	}
}

// weights is what the meter says now that each part costs.
func (w *walk) weights(ids []transcript.PartID) []float64 {
	rates := w.meter.rates()
	weights := make([]float64, len(ids))
	for i, id := range ids {
		weights[i], _ = rates.size(w.s.wrapper(id), w.s.Item(id))
	}
	return weights
}
