package main

import (
	"fmt"
	"strings"
)

// goStatements are the lines Go functions are made of, already indented by one tab.
var goStatements = [...]string{
	"\tif err := s.{verb1}{Noun1}(ctx, {noun1}); err != nil {\n\t\treturn fmt.Errorf(\"{verb1} {noun1} %s: %w\", {noun1}.ID, err)\n\t}\n",
	"\t{noun1}, ok := s.{noun2}s[{noun3}.ID]\n\tif !ok {\n\t\treturn nil, Err{Noun1}Missing\n\t}\n",
	"\tfor i, {noun1} := range {noun2}s {\n\t\tif {noun1}.{Adj1} {\n\t\t\tcontinue\n\t\t}\n\t\ttotal += {noun1}.{Noun3} * int64(i+1)\n\t}\n",
	"\t// {Noun1} is {adj} here: the {noun2} was {verb}ed {adv}.\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n",
	"\tswitch {noun1}.State {\n\tcase State{Adj}:\n\t\ts.{verb}({noun1})\n\tcase State{Adj}, State{Adj}:\n\t\treturn s.{verb}{Noun1}({noun1}, {d4})\n\t}\n",
	"\trows, err := s.db.QueryContext(ctx, `SELECT id, {noun1}_id, {noun2}, {adj}_at FROM {noun3}s WHERE {noun1}_id = $1`, {noun1}.ID)\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer rows.Close()\n",
	"\tselect {\n\tcase s.{noun1}s <- {noun2}:\n\tcase <-ctx.Done():\n\t\treturn ctx.Err()\n\tcase <-time.After({d2} * time.Second):\n\t\ts.metrics.{Adj}{Noun1}s.Inc()\n\t}\n",
	"\tif len({noun1}s) > max{Noun1}s {\n\t\t{noun1}s = {noun1}s[len({noun1}s)-max{Noun1}s:]\n\t}\n",
	"\tlog.Info(\"{verb}ed {noun}\", \"{noun1}\", {noun1}.ID, \"{noun2}\", len({noun2}s))\n",
	"\t{noun1} := {Noun1}{ID: newID(), {Noun2}: {noun2}.ID, {Adj}: true, Created: s.clock()}\n",
	"\tif {noun1}.{Noun2} == nil || {noun1}.{Noun2}.Expires.Before(s.clock()) {\n\t\t{noun1}.{Noun2} = s.default{Noun2}\n\t}\n",
	"\tgot, err := s.{noun1}s.{Verb}(ctx, {noun2}.ID, {Verb}Options{Limit: {d3}, {Adj}: {noun2}.{Adj}})\n\tif errors.Is(err, ErrNotFound) {\n\t\treturn s.{verb}{Noun2}(ctx, {noun2})\n\t}\n",
}

// goFile returns a Go source file of at least n lines.
func (r source) goFile(n int) string {
	var out strings.Builder
	head := r.fill("{noun1}")
	fmt.Fprintf(&out, "package %s\n\nimport (\n\t\"context\"\n\t\"errors\"\n\t\"fmt\"\n\t\"sync\"\n\t\"time\"\n)\n\n", head)
	out.WriteString(r.goType())
	for strings.Count(out.String(), "\n") < n {
		out.WriteString(r.goFunc())
	}
	return out.String()
}

// goType returns a struct with a comment.
func (r source) goType() string {
	var out strings.Builder
	out.WriteString(r.fill("// {Noun1}Store {verb}s each {adj} {noun2} of a {noun1} and knows its {noun3}.\ntype {Noun1}Store struct {\n\tmu sync.Mutex\n"))
	for range r.between(3, 8) {
		out.WriteString(r.fill(pick(r, []string{
			"\t{noun1}s map[string]*{Noun1}\n", "\t{adj}{Noun} int64 // in cents\n", "\tmax{Noun1}s int\n", "\t{noun}Every time.Duration\n",
			"\t{verb}{Noun} func(context.Context, {Noun}) error\n", "\t{Adj}At time.Time `json:\"{adj}_at\"`\n",
		})))
	}
	return out.String() + "}\n\n"
}

// goFunc returns a method with a comment.
func (r source) goFunc() string {
	var out strings.Builder
	out.WriteString(r.fill("// {Verb1}{Noun1} {verb1}s the {adj} {noun1} and leaves the {noun} as it was.\n" +
		"func (s *{Noun2}Store) {Verb1}{Noun1}(ctx context.Context, {noun3} {Noun3}) error {\n"))
	for range r.between(2, 6) {
		out.WriteString(r.fill(pick(r, goStatements[:])))
	}
	return out.String() + "\treturn nil\n}\n\n"
}

// pyStatements are the lines Python functions are made of.
var pyStatements = [...]string{
	"    {noun1}s = [{noun1} for {noun1} in self.{noun2}s if not {noun1}.{adj}]\n",
	"    if {noun1} is None or {noun1}.{noun2} > self.max_{noun2}:\n        raise {Noun1}Error(f\"{adj} {noun1}: {{noun1}.id}\")\n",
	"    with self.session.begin() as tx:\n        tx.execute(\"update {noun1}s set {noun2} = :v where id = :id\", {\"v\": {d4}, \"id\": {noun1}.id})\n",
	"    frame = frame.groupby([\"{noun1}\", \"{noun2}\"], as_index=False)[\"{noun3}\"].sum()\n",
	"    for key, {noun1} in sorted(self.{noun1}s.items(), key=lambda kv: kv[1].{noun2}):\n        total += {noun1}.{noun2} * {d3} // {d2}\n        yield key, total\n",
	"    logger.warning(\"{verb} %s {adv}\", {noun1}.id)\n",
	"    return {Noun1}(id=uuid4().hex, {noun2}={noun2}.id, {adj}=True, amount=Decimal(\"{d4}.{d2}\"))\n",
}

// pyFile returns a Python source file of at least n lines.
func (r source) pyFile(n int) string {
	var out strings.Builder
	out.WriteString("from __future__ import annotations\n\nimport logging\nfrom decimal import Decimal\nfrom uuid import uuid4\n\nlogger = logging.getLogger(__name__)\n\n\n")
	for strings.Count(out.String(), "\n") < n {
		out.WriteString(r.fill("def {verb1}_{adj}_{noun1}(self, {noun1}: {Noun1}, {noun2}: int = {d2}) -> {Noun1}:\n    \"\"\"{Verb1} the {noun1} and {verb} its {adj} {noun}.\"\"\"\n    total = 0\n"))
		for range r.between(2, 5) {
			out.WriteString(r.fill(pick(r, pyStatements[:])))
		}
		out.WriteString("\n\n")
	}
	return out.String()
}

// numbered returns a text as Claude Code's Read tool shows it, from a first line on.
func numbered(text string, first int) string {
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "%6d→%s", first+i, line)
	}
	return out.String()
}

// lines returns lines [from, from+n) of a text.
func lines(text string, from, n int) string {
	all := strings.SplitAfter(text, "\n")
	from = min(from, len(all))
	return strings.Join(all[from:min(from+n, len(all))], "")
}
