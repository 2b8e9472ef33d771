package formats

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"perch/formats/transcript"
)

// A picture's tokens follow from its pixels: a size that is not found makes its price a guess.
func TestMediaSizes(t *testing.T) {
	picture := image.NewPaletted(image.Rect(0, 0, 321, 123), color.Palette{color.Black, color.White})
	encoded := func(encode func(b *bytes.Buffer) error) string {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	pngData := encoded(func(b *bytes.Buffer) error { return png.Encode(b, picture) })
	webp := func(kind, rest string) string {
		return "RIFF\x00\x00\x00\x00WEBP" + kind + "\x00\x00\x00\x00" + rest + strings.Repeat("\x00", 12)
	}
	for _, tt := range []struct {
		name, mime, file string
		w, h, pages      int
	}{
		{"PNG", "image/png", pngData, 321, 123, 0},
		{"PNG of which only the header is left", "image/png", pngData[:60], 321, 123, 0},
		{"PNG under another name", "image/jpeg", pngData, 321, 123, 0},
		{"JPEG", "image/jpeg", encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, picture, nil) }), 321, 123, 0},
		{"GIF", "image/gif", encoded(func(b *bytes.Buffer) error { return gif.Encode(b, picture, nil) }), 321, 123, 0},
		{"lossy WebP", "image/webp", webp("VP8 ", "\x00\x00\x00\x9d\x01\x2a\x41\x01\x7b\x00"), 321, 123, 0},
		{"lossless WebP", "image/webp", webp("VP8L", "\x2f\x40\x81\x1e\x00"), 321, 123, 0},
		{"extended WebP", "image/webp", webp("VP8X", "\x00\x00\x00\x00\x40\x01\x00\x7a\x00\x00"), 321, 123, 0},
		{"no picture", "image/png", "not a picture at all, but some text of 50 bytes .", 0, 0, 0},
		{"empty", "image/png", "", 0, 0, 0},
		{"PDF", "application/pdf", "%PDF-1.4\n1 0 obj<</Type /Pages /Kids[2 0 R 3 0 R]>>\n2 0 obj<</Type /Page>>\n3 0 obj<</Type/Page /Parent 1 0 R>>", 0, 0, 2},
		{"PDF with packed objects", "application/pdf", "%PDF-1.7\n1 0 obj<</Type/ObjStm>>", 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data := base64.StdEncoding.EncodeToString([]byte(tt.file))
			got := media(tt.mime, data)
			want := transcript.Media{Mime: tt.mime, Width: tt.w, Height: tt.h, Pages: tt.pages, Bytes: len(tt.file), Data: data}
			if got != want {
				got.Data, want.Data = "", ""
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}
