package formats

import (
	"encoding/base64"
	"encoding/binary"
	"image"
	_ "image/gif"  // its header
	_ "image/jpeg" // its header
	_ "image/png"  // its header
	"io"
	"regexp"
	"strings"

	"perch/formats/transcript"
)

// headerBytes bounds how much of a picture is decoded to find its size: a JPEG may have a preview before it.
const headerBytes = 256 << 10

// media describes a picture or document that is recorded as base64 text.
func media(mime, data string) transcript.Media {
	m := transcript.Media{Mime: mime, Data: data}
	m.Bytes = base64.StdEncoding.DecodedLen(len(data)) - strings.Count(data[max(0, len(data)-2):], "=")
	switch {
	case strings.HasPrefix(mime, "image/"):
		m.Width, m.Height = pixels(data)
	case mime == "application/pdf":
		m.Pages = pdfPages(data)
	}
	return m
}

// pixels reads the size of a PNG, JPEG, GIF or WebP picture from its header; 0, 0 where there is none.
func pixels(data string) (width, height int) {
	open := func() io.Reader {
		return io.LimitReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)), headerBytes)
	}
	if c, _, err := image.DecodeConfig(open()); err == nil {
		return c.Width, c.Height
	}
	head := make([]byte, 30)
	if _, err := io.ReadFull(open(), head); err != nil {
		return 0, 0
	}
	return webpPixels(head)
}

// webpPixels reads the size from the first 30 bytes of a WebP file, as the container's specification (RFC 9649)
// lays them out.
func webpPixels(b []byte) (width, height int) {
	if string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return 0, 0
	}
	switch string(b[12:16]) {
	case "VP8 ": // lossy: 14 bits each
		return int(binary.LittleEndian.Uint16(b[26:]) & 0x3fff), int(binary.LittleEndian.Uint16(b[28:]) & 0x3fff)
	case "VP8L": // lossless: 14 bits each, less one
		bits := binary.LittleEndian.Uint32(b[21:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
	case "VP8X": // extended: 24 bits each, less one
		return int(binary.LittleEndian.Uint32(b[23:])>>8) + 1, int(binary.LittleEndian.Uint32(b[26:])>>8) + 1
	}
	return 0, 0
}

// pageObject is a page of a PDF file, where the file does not pack its objects.
var pageObject = regexp.MustCompile(`/Type\s*/Page[^s]`)

// pdfPages counts the pages of a PDF file; 0 where they cannot be seen.
func pdfPages(data string) int {
	pdf, _ := base64.StdEncoding.DecodeString(data)
	return len(pageObject.FindAllIndex(pdf, -1))
}
