package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
)

// source is a stream of chances. A run has one for its text, one for its ids and one for the noise of its meter,
// so that a change of one does not shuffle the others.
type source struct{ *rand.Rand }

// newSource returns the stream of a seed; of tells apart the streams of one run.
func newSource(seed, of uint64) source { return source{rand.New(rand.NewPCG(seed, of))} }

// pick returns one entry of a list.
func pick[T any](r source, list []T) T { return list[r.IntN(len(list))] }

// between returns a number from lo to hi, both included.
func (r source) between(lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// chance is true in share of all cases.
func (r source) chance(share float64) bool { return r.Float64() < share }

// bytes returns n bytes.
func (r source) bytes(n int) []byte {
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:n]
}

// hex returns n hexadecimal digits.
func (r source) hex(n int) string { return hex.EncodeToString(r.bytes(n/2 + 1))[:n] }

// base64 returns n characters of base64.
func (r source) base64(n int) string { return base64.StdEncoding.EncodeToString(r.bytes(n))[:n] }

// uuid returns a random UUID, version 4.
func (r source) uuid() string {
	b := r.bytes(16)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// id returns an id as the provider writes them: a prefix and 22 letters and digits.
func (r source) id(prefix string) string {
	const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	b := []byte(prefix)
	for range 22 {
		b = append(b, letters[r.IntN(len(letters))])
	}
	return string(b)
}
