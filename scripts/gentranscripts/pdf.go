package main

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// pdf returns a small PDF with one line of text on each of n pages, in base64.
func pdf(r source, n int) string {
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"", // the list of pages, below
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var kids strings.Builder
	for range n {
		text := "BT /F1 11 Tf 72 720 Td (" + r.line() + ") Tj ET"
		at := len(objects) + 1
		fmt.Fprintf(&kids, "%d 0 R ", at)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", at+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [ %s] /Count %d >>", kids.String(), n)

	var out, table strings.Builder
	out.WriteString("%PDF-1.4\n")
	for i, body := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table.String(), len(objects)+1, start)
	return base64.StdEncoding.EncodeToString([]byte(out.String()))
}
