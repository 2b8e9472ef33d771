package main

import (
	"fmt"
	"strings"
	"unicode"
)

// The word lists of the grammars.
var (
	nouns = [...]string{
		"account", "address", "archive", "balance", "batch", "booking", "bucket", "budget", "carrier", "catalog", "channel", "charge",
		"client", "contract", "coupon", "cursor", "customer", "deadline", "delivery", "deposit", "digest", "discount", "endpoint", "entry",
		"envelope", "event", "export", "forecast", "gateway", "grant", "handler", "header", "holiday", "index", "invoice", "item", "journal",
		"ledger", "lease", "limit", "listener", "lock", "manifest", "margin", "message", "meter", "mirror", "notice", "offset", "order",
		"outbox", "packet", "parcel", "payment", "payout", "period", "plan", "policy", "price", "profile", "queue", "quota", "receipt",
		"record", "refund", "region", "reminder", "replica", "report", "request", "retry", "rule", "schedule", "schema", "segment", "session",
		"shard", "shipment", "signal", "snapshot", "statement", "stock", "stream", "subscription", "supplier", "tariff", "task", "tenant",
		"ticket", "token", "transfer", "trigger", "vendor", "voucher", "warehouse", "watcher", "webhook", "window", "worker",
	}
	verbs = [...]string{
		"accept", "adjust", "allocate", "apply", "approve", "archive", "assign", "attach", "balance", "cancel", "capture", "check", "claim",
		"clear", "close", "collect", "commit", "compare", "confirm", "convert", "copy", "count", "deliver", "detect", "drain", "dispatch",
		"expire", "export", "fetch", "filter", "finish", "flush", "forward", "group", "hold", "import", "index", "issue", "limit", "list",
		"load", "lock", "match", "merge", "migrate", "notify", "open", "pack", "parse", "patch", "pause", "post", "prepare", "publish", "pull",
		"purge", "rank", "read", "rebuild", "refresh", "reject", "release", "renew", "replay", "reserve", "reset", "resolve", "resume",
		"retry", "revoke", "rotate", "route", "sample", "schedule", "send", "settle", "sign", "sort", "split", "start", "stop", "store",
		"sync", "track", "trim", "update", "validate", "verify", "watch", "write",
	}
	adjectives = [...]string{
		"active", "broken", "cached", "closed", "cold", "daily", "delayed", "disabled", "double", "early", "empty", "expired", "final",
		"foreign", "frozen", "gross", "hidden", "idle", "internal", "invalid", "large", "late", "local", "manual", "minor", "missing",
		"monthly", "nested", "new", "old", "open", "partial", "pending", "primary", "quiet", "remote", "second", "shared", "silent", "slow",
		"stale", "strict", "stuck", "third", "unused", "urgent", "valid", "weekly", "whole", "wrong",
	}
	adverbs = [...]string{
		"again", "already", "at once", "by hand", "in order", "in the background", "later", "only once", "silently", "too early", "too late",
		"twice", "under load", "without a lock",
	}
	people = [...]string{
		"Amara Osei", "Bruno Keller", "Chloe Martin", "Daniel Novak", "Elif Kaya", "Farah Aziz", "Goran Petrov", "Hanna Lind", "Ivo Santos",
		"Jana Vesela", "Kofi Mensah", "Lena Brandt", "Mateo Cruz", "Nadia Rossi", "Oskar Holm", "Priya Nair", "Rosa Vidal", "Sven Dahl",
		"Tomas Urban", "Yuki Arai",
	}
	cities = [...]string{
		"Aarhus", "Bilbao", "Bergen", "Cork", "Dresden", "Fukuoka", "Ghent", "Halifax", "Izmir", "Kraków", "León", "Malmö", "Nantes", "Osaka",
		"Porto", "Quito", "Rabat", "Split", "Turin", "Utrecht", "Valencia", "Zürich",
	}
	levels = [...]string{"DEBUG", "INFO", "INFO", "INFO", "INFO", "WARN", "ERROR"}
)

// words returns the list a placeholder draws from, or nil for one it does not know.
func words(name string) []string {
	switch name {
	case "noun":
		return nouns[:]
	case "verb":
		return verbs[:]
	case "adj":
		return adjectives[:]
	case "adv":
		return adverbs[:]
	case "person":
		return people[:]
	case "city":
		return cities[:]
	case "level":
		return levels[:]
	}
	return nil
}

// fill replaces the placeholders of a template. {noun} draws a word of that list, {Noun} capitalises it, and a digit
// behind the name, as in {noun1}, draws once and stays. {d4} is a number of up to four digits, {x8} hexadecimal.
func (r source) fill(template string) string {
	var out strings.Builder
	drawn := map[string]string{}
	for {
		before, rest, found := strings.Cut(template, "{")
		out.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed || !placeholder(name) {
			if !found {
				return out.String()
			}
			out.WriteString("{")
			template = rest
			continue
		}
		out.WriteString(r.draw(name, drawn))
		template = after
	}
}

// placeholder reports whether a name between braces is one, so that templates can hold braces of code.
func placeholder(name string) bool {
	kind, digits := splitDigits(name)
	if kind == "d" || kind == "x" {
		return len(digits) == 1
	}
	return words(strings.ToLower(kind)) != nil
}

// draw returns what stands for one placeholder.
func (r source) draw(name string, drawn map[string]string) string {
	kind, digits := splitDigits(name)
	switch kind {
	case "d":
		top := 1
		for range digits[0] - '0' {
			top *= 10
		}
		return fmt.Sprint(r.IntN(top))
	case "x":
		return r.hex(int(digits[0] - '0'))
	}
	lower := strings.ToLower(kind)
	word := drawn[lower+digits]
	if word == "" || digits == "" {
		word = pick(r, words(lower))
		drawn[lower+digits] = word
	}
	if kind == lower {
		return word
	}
	return capital(word)
}

// splitDigits parts "noun1" into "noun" and "1".
func splitDigits(name string) (kind, digits string) {
	kind = strings.TrimRight(name, "0123456789")
	return kind, name[len(kind):]
}

// capital returns the word with its first letter in upper case.
func capital(word string) string {
	for i, c := range word {
		return string(unicode.ToUpper(c)) + word[i+len(string(c)):]
	}
	return word
}

// sentences are what people and agents write about their work.
var sentences = [...]string{
	"The {noun} is read before the {adj} {noun} has been written, so the {noun} comes back {adj}.",
	"I checked the {noun} against the {noun}: both {verb} the same {adj} {noun}.",
	"We {verb} every {noun} {adv}, but nobody looks at the {adj} {noun} afterwards.",
	"That explains why a {adj} {noun} can {verb} the {noun} {adv}.",
	"The {noun} keeps a {adj} copy of the {noun} and never asks for it {adv}.",
	"Next I will {verb} the {noun} and see whether the {adj} {noun} still fails.",
	"A {noun} that arrives late must {verb} its own {noun} and leave the {adj} one alone.",
	"There are {d2} places that {verb} a {noun}; {d1} of them also {verb} the {noun}.",
	"If the {noun} is {adj}, the {noun} will {verb} {adv} and the caller sees no error.",
	"{Person} asked for the {adj} {noun} to be kept until the {noun} closes.",
	"Nothing in the {noun} says who may {verb} it, which is the {adj} part.",
	"The {adj} case is the one with a {noun} but no {noun}; it should {verb} {adv}.",
	"For {city} the {noun} is counted {adv}, and that is where the {adj} {noun} comes from.",
	"So the order is: {verb} the {noun}, {verb} the {noun}, then {verb} what is left.",
	"This does not touch the {noun}; only the {adj} {noun} changes.",
}

// prose returns about n characters of running text in paragraphs.
func (r source) prose(n int) string {
	var out strings.Builder
	for out.Len() < n {
		if out.Len() > 0 {
			out.WriteString("\n\n")
		}
		for i := range r.between(2, 5) {
			if i > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(r.fill(pick(r, sentences[:])))
			if out.Len() >= n {
				break
			}
		}
	}
	return out.String()
}

// line returns one sentence.
func (r source) line() string { return r.fill(pick(r, sentences[:])) }
