package main

import (
	"math"
	"unicode/utf8"

	"perch/formats/transcript"
)

// The sizes the model of the prompt adds to text, in tokens, as measured on recorded Claude runs.
const (
	callTokens    = 51 // a tool call beyond its name and input
	resultTokens  = 8  // a tool result beyond its text
	messageTokens = 4  // a message of its own
	pageTokens    = 2150

	imageEdge = 1568 // longest side an image is scaled down to, in pixels
	imageArea = 750  // pixels a token of an image covers
	imageMost = 1600 // tokens of the largest image

	thinkingPerChar = 0.205 // tokens a character of a thinking signature stands for
	spread          = 0.03  // standard deviation of a text's density around its class's
)

// meter says what content truly costs in the prompt. It is deliberately not a tokenizer: a density by class with
// some noise, so that estimates made by perch meet numbers they did not make themselves.
type meter struct{ noise source }

// density is how many characters one true token covers. Claude's real densities over the same classes lie near
// these: it needs 1.1 to 1.3 tokens where o200k needs one.
func density(c transcript.Class) float64 {
	switch c {
	case transcript.Code:
		return 2.75
	case transcript.JSON:
		return 2.1
	case transcript.Numbers:
		return 1.65
	case transcript.Page:
		return 2.75
	case transcript.Log:
		return 2.1
	case transcript.CJK:
		return 1.3
	case transcript.Hex:
		return 1.65
	}
	return 3.9 // prose
}

// text is the true size of a text.
func (m meter) text(c transcript.Class, s string) int {
	n := float64(utf8.RuneCountInString(s)) / density(c)
	return int(math.Round(n * (1 + spread*m.noise.NormFloat64())))
}

// image is the true size of an image.
func (m meter) image(p picture) int {
	w, h := float64(p.width), float64(p.height)
	if long := max(w, h); long > imageEdge {
		w, h = w*imageEdge/long, h*imageEdge/long
	}
	return min(imageMost, int(w*h/imageArea))
}

// signature is how long the signature of a thinking block is that cost tokens.
func signature(tokens int) int { return int(math.Round(float64(tokens) / thinkingPerChar)) }
