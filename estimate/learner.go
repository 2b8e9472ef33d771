package estimate

import (
	"math"

	"perch/estimate/models"
	"perch/formats/transcript"
)

// The features a step's tokens are explained by: the local tokens of each content class, and how many tool calls,
// results and other parts there are, because providers wrap each of them.
const (
	classFeatures = len(transcript.Classes)
	callFeature   = classFeatures
	resultFeature = classFeatures + 1
	otherFeature  = classFeatures + 2
	features      = classFeatures + 3
)

// What the learner believes about steps, chosen on 4,000 recorded Claude Code steps.
const (
	forgetting  = 0.998 // how much an observation still counts after the next one
	gate        = 4.0   // standard deviations beyond which a step is not learned from
	stepNoise   = 15.0  // tokens of a step that no part explains (standard deviation)
	partNoise   = 0.08  // share of a text part's tokens its class does not explain
	looseNoise  = 0.25  // the same for thinking, pictures and withheld items
	wrapperSD   = 6.0   // tokens by which a wrapper differs from its prior
	ratioLowest = 0.5   // a learned ratio is kept within these bounds
	ratioMost   = 4.0
)

// classIndex is a class's place among the features.
func classIndex(c transcript.Class) int {
	for i, known := range transcript.Classes {
		if c == known {
			return i
		}
	}
	return 0
}

// wrapper is the feature of what a provider adds around a part; bare is none.
type wrapper int

const bare wrapper = -1

// wrapperOf is what is around a part, given its place in its message: something around each tool call, and around
// any other message as a whole, which its first part bears.
func wrapperOf(k transcript.Kind, place int) wrapper {
	switch {
	case k == transcript.ToolCall:
		return wrapper(callFeature)
	case place > 0:
		return bare
	case k == transcript.ToolResult:
		return wrapper(resultFeature)
	}
	return wrapper(otherFeature)
}

// learner keeps one ratio per content class and one constant per wrapper: a Kalman filter whose state hardly moves
// (recursive least squares with forgetting), started from a family's priors.
type learner struct {
	mean      [features]float64
	cov       [features][features]float64
	prior     [features]float64 // variances it started from: forgetting does not go beyond them
	noise     float64           // share of a text part's tokens its class does not explain
	margin    float64           // see upperShare
	saturated int               // observations after which a ratio had to be clamped
	snapshot  *rates            // of what it knows now; nil until somebody asks
}

// newLearner starts from the priors of a family over a counter's tokens.
func newLearner(table *models.Table, family models.Family, counter string) *learner {
	spread := family.SD + table.CounterSD(counter)
	l := &learner{noise: partNoise + table.CounterSD(counter), margin: upperShare * spread}
	for i, class := range transcript.Classes {
		mean, sd := table.Ratio(family, class, counter)
		l.mean[i], l.prior[i] = mean, sd*sd
	}
	l.mean[callFeature], l.mean[resultFeature], l.mean[otherFeature] = family.Call, family.Result, family.Message
	for f := classFeatures; f < features; f++ {
		l.prior[f] = wrapperSD * wrapperSD
	}
	for i := range features {
		l.cov[i][i] = l.prior[i]
	}
	return l
}

// step is what a prompt gained: the features of its new parts and how much they vary by themselves.
type step struct {
	x     [features]float64
	noise float64 // variance, tokens squared
}

// add puts one part into the step.
func (s *step) add(around wrapper, item Item, l *learner) {
	class := classIndex(item.Class)
	s.x[class] += float64(item.Local)
	if around != bare {
		s.x[around]++
	}
	own := l.mean[class] * float64(item.Local) * noiseShare(item.Class, l.noise)
	s.noise += own * own
}

// noiseShare is the share of a part's tokens by which it differs from its class; text is that of texts.
func noiseShare(c transcript.Class, text float64) float64 {
	switch c {
	case transcript.Thought, transcript.Picture, transcript.Withheld:
		return looseNoise
	}
	return text
}

// predict returns the expected tokens of a step and their standard deviation.
func (l *learner) predict(s *step) (tokens, sd float64) {
	variance := stepNoise*stepNoise + s.noise
	for i, x := range s.x {
		if x == 0 {
			continue
		}
		tokens += l.mean[i] * x
		for j, y := range s.x {
			variance += x * y * l.cov[i][j]
		}
	}
	return tokens, math.Sqrt(variance)
}

// learn takes what a step really cost. A step too far off is not learned from: something else happened there.
func (l *learner) learn(s *step, tokens float64) {
	predicted, sd := l.predict(s)
	off := tokens - predicted
	if math.Abs(off) > gate*sd {
		return
	}
	l.snapshot = nil
	var gain [features]float64
	for i := range gain {
		for j, x := range s.x {
			gain[i] += l.cov[i][j] * x
		}
	}
	clamped := false
	for i := range gain {
		l.mean[i] += gain[i] * off / (sd * sd)
		if i < classFeatures && (l.mean[i] < ratioLowest || l.mean[i] > ratioMost) {
			l.mean[i] = min(max(l.mean[i], ratioLowest), ratioMost)
			clamped = true
		}
		l.mean[i] = max(l.mean[i], 0)
	}
	if clamped {
		l.saturated++
	}
	l.forget(&gain, sd*sd)
}

// forget updates the covariance after an observation of this gain and variance.
func (l *learner) forget(gain *[features]float64, variance float64) {
	for i := range gain {
		for j := range gain {
			l.cov[i][j] = (l.cov[i][j] - gain[i]*gain[j]/variance) / forgetting
		}
	}
	for i := range gain {
		if l.cov[i][i] > l.prior[i] { // never less sure than at the start
			shrink := math.Sqrt(l.prior[i] / l.cov[i][i])
			for j := range gain {
				l.cov[i][j] *= shrink
				l.cov[j][i] *= shrink
			}
		}
	}
}

// rates is a snapshot of a learner that can price one part at a time.
type rates struct {
	mean, sd [features]float64
	noise    float64 // see learner
	margin   float64 // see upperShare
}

// rates is a snapshot of what the learner knows now.
func (l *learner) rates() *rates {
	if l.snapshot != nil {
		return l.snapshot
	}
	r := &rates{mean: l.mean, noise: l.noise, margin: l.margin}
	for i := range r.sd {
		r.sd[i] = math.Sqrt(max(l.cov[i][i], 0))
	}
	l.snapshot = r
	return r
}

// tokens is size in whole tokens.
func (r *rates) tokens(around wrapper, item Item) (point, upper transcript.Estimated) {
	p, u := r.size(around, item)
	return transcript.Estimated(math.Round(p)), transcript.Estimated(math.Ceil(u))
}

// size returns what a part costs: the expected tokens, and an upper value that is seldom passed.
func (r *rates) size(around wrapper, item Item) (point, upper float64) {
	class, local := classIndex(item.Class), float64(item.Local)
	point = r.mean[class] * local
	sd := math.Hypot(r.sd[class]*local, point*noiseShare(item.Class, r.noise))
	if around != bare {
		point += r.mean[around]
		sd += r.sd[around]
	}
	return point, point*(1+r.margin) + upperSD*sd + upperPart
}

// How far above the point estimate an upper one lies, per part that the provider has not counted yet: 12 % of it
// for Claude (a family's standard deviation x upperShare), 1.5 standard deviations and 16 tokens. Chosen on the
// recorded steps so that their sum is seldom passed and lies less than 0.2 % of the prompt too high.
const (
	upperShare = 0.8
	upperSD    = 1.5
	upperPart  = 16 // tokens
)
