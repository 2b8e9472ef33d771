package formats

import "regexp"

// keyLike matches what is a credential by its form: the keys of the large providers, and what follows the names that
// headers give credentials.
var keyLike = regexp.MustCompile(`(?i)\b(?:sk|pk|rk|gsk|xai)-[\w*.-]{6,}|\bAIza[\w-]{10,}|\b(?:bearer|basic)\s+[\w.~+/=*-]{6,}` +
	`|\b(?:x-api-key|api[ _-]?key(?: provided)?|authorization|cookie|password|secret)["']?\s*[:=]\s*["']?[^\s"',;]+`)

// withoutKeys takes credentials out of the text of an error. Servers repeat there what they were sent.
func withoutKeys(text string) string { return keyLike.ReplaceAllString(text, "[removed]") }
