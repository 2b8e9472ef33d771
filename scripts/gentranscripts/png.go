package main

import (
	"encoding/base64"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
)

// picture is a screenshot: a real PNG of a few hundred bytes whose header tells its size.
type picture struct{ width, height int }

// base64 returns the PNG as recordings hold it.
func (p picture) base64() string { return base64.StdEncoding.EncodeToString(p.png()) }

// png encodes the picture, with one bit a pixel and every row alike. It writes the compressed stream itself because
// the bytes of compress/flate are not promised to stay the same from one Go release to the next.
func (p picture) png() []byte {
	header := binary.BigEndian.AppendUint32(nil, uint32(p.width))
	header = binary.BigEndian.AppendUint32(header, uint32(p.height))
	header = append(header, 1, 0, 0, 0, 0) // depth 1, grey, deflate, no filter, not interlaced

	row := make([]byte, 1+(p.width+7)/8)
	for i := 1; i < len(row); i++ {
		row[i] = []byte{0xff, 0xff, 0xc3, 0xff, 0x00}[i/7%5]
	}
	out := []byte("\x89PNG\r\n\x1a\n")
	out = chunk(out, "IHDR", header)
	out = chunk(out, "IDAT", zlibRows(row, p.height))
	return chunk(out, "IEND", nil)
}

// chunk appends one chunk of a PNG.
func chunk(out []byte, kind string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	body := append([]byte(kind), data...)
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}

// zlibRows compresses n copies of a row: the row in literals, then copies of what stands one row before.
func zlibRows(row []byte, n int) []byte {
	var w bitWriter
	w.out = append(w.out, 0x78, 0x01)
	w.bits(1, 1) // last block
	w.bits(1, 2) // fixed codes
	for _, b := range row {
		w.symbol(int(b))
	}
	for left := len(row) * (n - 1); left > 0; {
		if left < 258 { // the longest copy; what is left goes out in literals
			for i := range left {
				w.symbol(int(row[(len(row)-left%len(row)+i)%len(row)]))
			}
			break
		}
		w.symbol(285)
		w.distance(len(row))
		left -= 258
	}
	w.symbol(256) // end of block
	w.flush()
	sum := adler32.New()
	for range n {
		sum.Write(row)
	}
	return sum.Sum(w.out)
}

// bitWriter writes the bits of a deflate stream, least significant first.
type bitWriter struct {
	out  []byte
	hold uint32
	n    uint
}

// bits writes the n low bits of v.
func (w *bitWriter) bits(v uint32, n uint) {
	w.hold |= v << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.hold))
		w.hold >>= 8
	}
}

// code writes a Huffman code, which goes out most significant bit first.
func (w *bitWriter) code(v uint32, n uint) {
	for i := n; i > 0; i-- {
		w.bits(v>>(i-1)&1, 1)
	}
}

// symbol writes a literal, the end of the block or a length, in the fixed codes of RFC 1951, section 3.2.6.
func (w *bitWriter) symbol(s int) {
	switch {
	case s < 144:
		w.code(uint32(0x30+s), 8)
	case s < 256:
		w.code(uint32(0x190+s-144), 9)
	case s < 280:
		w.code(uint32(s-256), 7)
	default:
		w.code(uint32(0xc0+s-280), 8)
	}
}

// distance writes how far back a copy reaches, at least 5, in the fixed codes of RFC 1951, section 3.2.5.
func (w *bitWriter) distance(d int) {
	code, extra, base := uint32(4), uint(1), 5
	for ; d >= base+2<<extra; extra++ {
		base += 2 << extra
		code += 2
	}
	if d >= base+1<<extra {
		base += 1 << extra
		code++
	}
	w.code(code, 5)
	w.bits(uint32(d-base), extra)
}

// flush writes the bits that are still held.
func (w *bitWriter) flush() {
	if w.n > 0 {
		w.bits(0, 8-w.n)
	}
}
