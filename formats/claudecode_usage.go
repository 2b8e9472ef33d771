package formats

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"perch/formats/transcript"
)

// placeholderOutput is the largest output count that may be the value from the start of a stream: versions up to
// about 2.1.60 recorded 1 to 8 for more than half of all responses.
const placeholderOutput = 8

// claudeUsage is the usage of a response as its last record gives it. The uncached input, the cache reads and the
// cache writes add up to the prompt.
type claudeUsage struct {
	input, read, write, output, thought count
}

// decode reads a usage object and reports whether every number in it was one. The list of iterations needs no
// look: where a fallback model answered, the counts beside it are those of the last attempt.
func (u *claudeUsage) decode(v gjson.Result) (sound bool) {
	*u = claudeUsage{}
	sound = counts(v, map[string]*count{
		"input_tokens":                &u.input,
		"cache_read_input_tokens":     &u.read,
		"cache_creation_input_tokens": &u.write,
		"output_tokens":               &u.output,
	})
	sound = sound && counts(v.Get("output_tokens_details"), map[string]*count{"thinking_tokens": &u.thought})
	if !sound {
		*u = claudeUsage{}
	}
	return sound
}

// usage is the canonical form. A usage of zeros is that of a request whose count was never recorded.
func (u *claudeUsage) usage(stopped, aborted bool) transcript.Usage {
	prompt := u.input.n + u.read.n + u.write.n
	if prompt == 0 {
		return transcript.Usage{}
	}
	out := transcript.Usage{Prompt: transcript.Of(prompt), CacheRead: u.read.count(), CacheWrite: u.write.count(), Output: u.output.count(), Reasoning: u.thought.count()}
	if out.Output.Known() && (aborted || !stopped && u.output.n <= placeholderOutput) {
		out.Output.From = transcript.Partial
	}
	return out
}

// The texts by which the API refuses a prompt that does not fit.
var (
	promptTooLong = regexp.MustCompile(`(?i)prompt is too long(?:: \d+ tokens > (\d+) maximum)?`)
	sumTooLong    = regexp.MustCompile("(?i)input length and `max_tokens` exceed context limit(?:: \\d+ \\+ \\d+ > (\\d+))?")
)

// overflow reports whether an error says that the prompt did not fit, and the window it names.
func overflow(text string) (bool, transcript.Limit) {
	for _, re := range [...]*regexp.Regexp{promptTooLong, sumTooLong} {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil && n > 0 && n < maxTokens {
			return true, transcript.Limit{Tokens: n, Kind: transcript.Window, From: transcript.FromRecord}
		}
		return true, transcript.Limit{}
	}
	return false, transcript.Limit{}
}

// maxError is where the text of an error is cut, in bytes: some carry a whole page of HTML.
const maxError = 500

// call is the request that an assistant record answers. The caller sets where it stands.
func (e *claudeEntry) call() *transcript.Call {
	c := &transcript.Call{Key: e.uuid, Kind: transcript.Main, Model: e.message.model, Version: e.version, Time: e.time, Line: e.line}
	if e.message.id != "" {
		c.Key = e.message.id
		if e.request != "" {
			c.Key += "/" + e.request
		}
	}
	if !e.failed {
		return c
	}
	var texts []string
	for i := range e.message.parts {
		texts = append(texts, e.message.parts[i].Text)
	}
	text := strings.Join(texts, "\n")
	c.Model = "" // the record names a placeholder
	c.Overflow, c.Limit = overflow(text)
	if c.Err = cut(text, maxError); c.Err == "" {
		c.Err = "an error without a text"
	}
	return c
}
