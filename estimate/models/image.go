package models

import (
	"fmt"
	"math"
)

// Image is how a model sizes pictures. All edges are in pixels.
type Image struct {
	Rule ImageKind `json:"rule"`

	LongEdge  int `json:"long_edge,omitempty"`  // a longer picture is scaled down to it first
	ShortEdge int `json:"short_edge,omitempty"` // then the shorter edge, to this
	SmallEdge int `json:"small_edge,omitempty"` // a picture with both edges within this costs Small
	Small     int `json:"small,omitempty"`      // tokens

	PerToken int     `json:"per_token,omitempty"` // area: pixels a token covers
	Patch    int     `json:"patch,omitempty"`     // patches, tiles: edge of one
	Scale    float64 `json:"scale,omitempty"`     // patches: tokens per patch; 1 where absent
	Base     int     `json:"base,omitempty"`      // tiles: tokens beside the tiles
	PerTile  int     `json:"per_tile,omitempty"`  // tiles: tokens per tile
	Max      int     `json:"max,omitempty"`       // tokens; 0: no cap

	Assumed int    `json:"assumed"` // tokens of a picture whose size the recording does not tell
	Note    string `json:"note,omitempty"`
}

// ImageKind names a rule.
type ImageKind string

// The image rules.
const (
	Area    ImageKind = "area"    // width x height / PerToken
	Patches ImageKind = "patches" // ceil(width / Patch) x ceil(height / Patch) x Scale
	Tiles   ImageKind = "tiles"   // Base + PerTile x ceil(width / Patch) x ceil(height / Patch)
	Flat    ImageKind = "flat"    // Assumed, whatever the size
)

// Image returns how a model sizes pictures.
func (tb *Table) Image(m Model) Image { return tb.images[m.Image] }

// Tokens is what a picture of this size costs; known is false where the size had to be assumed.
func (r Image) Tokens(width, height int) (tokens int, known bool) {
	if r.Rule == Flat {
		return r.Assumed, true
	}
	if width <= 0 || height <= 0 {
		return r.Assumed, false
	}
	if r.SmallEdge > 0 && max(width, height) <= r.SmallEdge {
		return r.Small, true
	}
	w, h := float64(width), float64(height)
	w, h = fit(w, h, max(w, h), r.LongEdge)
	w, h = fit(w, h, min(w, h), r.ShortEdge)
	switch r.Rule {
	case Area:
		tokens = int(math.Ceil(w * h / float64(r.PerToken)))
	case Patches:
		scale := r.Scale
		if scale == 0 {
			scale = 1
		}
		tokens = int(math.Ceil(r.grid(w, h) * scale))
	case Tiles:
		tokens = r.Base + r.PerTile*int(r.grid(w, h))
	}
	if r.Max > 0 {
		tokens = min(tokens, r.Max)
	}
	return tokens, true
}

// grid is how many patches cover a picture.
func (r Image) grid(w, h float64) float64 {
	p := float64(r.Patch)
	return math.Ceil(w/p) * math.Ceil(h/p)
}

// fit scales a picture down so that its edge is at most limit; 0 is no limit. Edges are whole pixels.
func fit(w, h, edge float64, limit int) (float64, float64) {
	if limit == 0 || edge <= float64(limit) {
		return w, h
	}
	f := float64(limit) / edge
	return math.Round(w * f), math.Round(h * f)
}

// check verifies that a rule has what it divides by.
func (r Image) check() error {
	switch r.Rule {
	case Area:
		if r.PerToken <= 0 {
			return fmt.Errorf("an area rule needs per_token above 0")
		}
	case Patches, Tiles:
		if r.Patch <= 0 {
			return fmt.Errorf("a rule of %s needs patch above 0", r.Rule)
		}
	case Flat:
	default:
		return fmt.Errorf("no rule %q; the rules are area, patches, tiles, flat", r.Rule)
	}
	if r.Assumed <= 0 {
		return fmt.Errorf("assumed must be above 0: a picture never costs nothing")
	}
	return nil
}
