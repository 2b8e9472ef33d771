package formats

import (
	"regexp"
	"strconv"
	"strings"

	"perch/formats/transcript"
)

// The texts by which providers refuse a prompt that does not fit, beside those of Anthropic, which [overflow] knows.
var (
	doesNotFit = regexp.MustCompile(`(?i)exceeds the (?:context window|available context size)|context[ _](?:length|window)[ _]exceed` +
		`|maximum context length|longer than the model's context length|greater than the context length|exceeded model token limit` +
		`|input token count.{0,40}exceeds the maximum|maximum prompt length|prompt token count.{0,40}exceeds the limit|maximum allowed input length` +
		`|prompt too long; exceeded|reduce the length of the messages|input is too long for requested model`)
	namedWindow = regexp.MustCompile(`(?i)maximum context length(?: is| of)?:? \(?([\d,]+)|context length \(([\d,]+) tokens\)|model with ([\d,]+) maximum context length`)
	namedInput  = regexp.MustCompile(`(?i)maximum number of tokens allowed:? \(?([\d,]+)|maximum prompt length is ([\d,]+)|exceeds the limit of ([\d,]+)|maximum allowed input length of ([\d,]+)`)
	tooMany     = regexp.MustCompile(`(?i)rate limit|too many requests|throttl|quota`)
)

// tooLong reports whether an error of some provider says that the prompt did not fit, and the limit it names. What
// was refused for the number of requests is another matter, though its text may name a number of tokens too.
func tooLong(text string) (bool, transcript.Limit) {
	if too, limit := overflow(text); too {
		return true, limit
	}
	if !doesNotFit.MatchString(text) || tooMany.MatchString(text) {
		return false, transcript.Limit{}
	}
	if n := named(namedInput, text); n > 0 {
		return true, transcript.Limit{Tokens: n, Kind: transcript.Input, From: transcript.FromRecord}
	}
	if n := named(namedWindow, text); n > 0 {
		return true, transcript.Limit{Tokens: n, Kind: transcript.Window, From: transcript.FromRecord}
	}
	return true, transcript.Limit{}
}

// named returns the number that a text names at one of a pattern's groups; 0 where it names none.
func named(re *regexp.Regexp, text string) int {
	m := re.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(strings.Join(m[1:], ""), ",", ""))
	if err != nil || n >= maxTokens {
		return 0
	}
	return n
}
