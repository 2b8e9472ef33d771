package report

import (
	"strings"

	"perch/replay/config"
)

// Format is a format of recordings perch reads.
type Format struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Gives Gives  `json:"gives"`
}

// Gives says what recordings of a format tell beside the messages.
type Gives struct {
	Usage       bool `json:"usage"`
	Window      bool `json:"window"`
	Compactions bool `json:"compactions"`
	Images      bool `json:"images"`
	Agents      bool `json:"agents"`
}

// Presets draws the presets: other agents' pipelines, and how faithful each is.
func Presets(presets []config.About) Table {
	t := Table{Title: "Presets: named settings of the pipeline to start from", Columns: []Column{
		Name("preset", "name").Shown(Always), Name("what it is", "summary").Shown(Always), Name("as of", "date").Ranked(1), Name("source", "source").Shown(DataOnly),
	}}
	for _, p := range presets {
		t.Rows = append(t.Rows, []Cell{One(Words(p.Name)), One(Words(p.Summary)), One(Words(p.Date)), One(Words(p.Source))})
	}
	t.Notes = []Note{{Label: "next", Text: "perch presets show NAME prints one as a file to start your own from; --preset NAME uses it"}}
	return t
}

// Formats draws the formats that are read, with what each tells beside the messages.
func Formats(formats []Format) Table {
	t := Table{Title: "Formats perch reads; they are recognised by content", Columns: []Column{
		Name("format", "name").Shown(Always), Name("what it is", "about").Shown(Always),
		Name("usage", "usage").Shown(Always).Ranked(1), Name("window", "window").Shown(Always).Ranked(1),
		Name("compactions", "compactions").Shown(Always).Ranked(1), Name("images", "images").Shown(Always).Ranked(2),
		Name("sub-agents", "agents").Shown(Always).Ranked(2),
	}}
	for _, f := range formats {
		t.Rows = append(t.Rows, []Cell{
			One(Words(f.Name)), One(Words(f.About)), yes(f.Gives.Usage), yes(f.Gives.Window), yes(f.Gives.Compactions),
			yes(f.Gives.Images), yes(f.Gives.Agents),
		})
	}
	t.Notes = []Note{{Label: "usage", Text: "the provider's token counts: without them there is nothing to replay against"}}
	return t
}

// yes is a fact that holds or not.
func yes(holds bool) Cell {
	if holds {
		return One(Words("yes"))
	}
	return One(Words("no"))
}

// Setting is one setting in force, as scripts read it.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // as it is written in a file
	Origin string `json:"origin"`
}

// SettingList lists settings for scripts.
func SettingList(entries []config.Entry) []Setting {
	out := make([]Setting, len(entries))
	for i, e := range entries {
		out[i] = Setting{e.Key, e.Value, e.Origin.String()}
	}
	return out
}

// Settings draws the settings in force, with where each value comes from and what it means.
func Settings(entries []config.Entry, keys []config.Key) Table {
	t := Table{Title: "Settings in force", Columns: []Column{
		Name("key", "key").Shown(Always), Name("value", "value").Shown(Always), Name("from", "origin").Shown(Always),
		Name("unit", "unit").Ranked(1), Name("meaning", "doc").Ranked(2),
	}}
	known := map[string]config.Key{}
	for _, k := range keys {
		known[k.Name] = k
	}
	for _, e := range entries {
		k := known[e.Key]
		t.Rows = append(t.Rows, []Cell{
			One(Words(e.Key)), One(Words(e.Value)), One(Words(e.Origin.String())), One(Words(k.Unit)), One(Words(k.Doc)),
		})
	}
	t.Notes = []Note{{Label: "order", Text: strings.Join([]string{"default", "preset", "file", "environment", "flag"}, " < ")}}
	return t
}
