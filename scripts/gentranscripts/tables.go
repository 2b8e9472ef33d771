package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// ledgerCSV returns n rows of postings with a header.
func (r source) ledgerCSV(n int) string {
	var out strings.Builder
	out.WriteString("posting_id,booked_on,account,counter_account,currency,amount,tax,balance\n")
	day := time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC)
	balance := r.IntN(90_000_000)
	for i := range n {
		amount := r.IntN(4_000_000) - 1_500_000
		balance += amount
		fmt.Fprintf(&out, "%d,%s,%d,%d,%s,%d.%02d,%d.%02d,%d.%02d\n", 7_300_000+i*3+r.IntN(3), day.Format(time.DateOnly), 1000+r.IntN(8999),
			1000+r.IntN(8999), pick(r, []string{"EUR", "CHF", "SEK", "JPY"}), amount/100, abs(amount%100), amount/520, abs(amount%97), balance/100, abs(balance%100))
		if r.chance(0.2) {
			day = day.AddDate(0, 0, 1)
		}
	}
	return out.String()
}

// column returns n numbers, one a line.
func (r source) column(n int) string {
	var out strings.Builder
	for range n {
		fmt.Fprintf(&out, "%.*f\n", r.between(2, 6), r.NormFloat64()*40_000)
	}
	return out.String()
}

// entry is one record of a JSON export.
type entry struct {
	ID       string   `json:"id"`
	Customer string   `json:"customer"`
	City     string   `json:"city"`
	State    string   `json:"state"`
	Cents    int      `json:"amount_cents"`
	Tags     []string `json:"tags"`
	Updated  string   `json:"updated_at"`
	Paid     bool     `json:"paid"`
}

// jsonList returns n records, indented or on one line.
func (r source) jsonList(n int, indent bool) string {
	list := make([]entry, n)
	for i := range list {
		list[i] = entry{
			ID: r.id("inv_"), Customer: pick(r, people[:]), City: pick(r, cities[:]), State: pick(r, adjectives[:]), Cents: r.IntN(9_000_000),
			Tags:    []string{r.fill("{adj}-{noun}"), r.fill("{noun}")},
			Updated: time.Unix(1_760_000_000+int64(r.IntN(20_000_000)), 0).UTC().Format(time.RFC3339), Paid: r.chance(0.6),
		}
	}
	if !indent {
		return string(marshal(list))
	}
	out, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		panic(err) // plain values only
	}
	return string(out)
}

// chinese are sentences of a support inbox in another script.
var chinese = [...]string{
	"发票金额与合同不一致，请核对后再付款。", "第三季度的应收账款已经全部入账。", "仓库今天收到两批货物，其中一批缺少清单。", "客户要求把付款期限延长到月底。",
	"系统在夜间同步时出现重复记录。", "请确认汇率是否按照当天收盘价计算。",
}

// inbox returns n lines of it.
func (r source) inbox(n int) string {
	var out strings.Builder
	for range n {
		out.WriteString(pick(r, chinese[:]))
		out.WriteByte('\n')
	}
	return out.String()
}

// abs returns n without its sign.
func abs(n int) int { return max(n, -n) }
