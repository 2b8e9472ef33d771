package lint

// Everything in a row's list of our packages lets it import all of them.
const Everything = "*"

// Rules is what [Check] checks against.
type Rules struct {
	Rooms  []Room
	Shared []string // modules that more than one package may import

	FileLines int // a file has no more lines
	FuncLines int // a function has no more lines

	Marks  []string // words that put work off
	Exits  []string // functions that end the process
	Makers []string // functions whose value may be a package variable: it cannot change once made
	Tables []string // package variables of other forms, as folder.name: values that nobody changes
}

// Room is one row of the import table: a package and what it may import beside the standard library.
type Room struct {
	Dir    string
	Ours   []string // folders of our packages
	Theirs []string // modules, or packages of modules
	Never  []string // packages of the standard library, or single names such as time.Now, that it does without
}

// pure are the packages and names that the pure core does without: no files, clock, network or chance.
func pure() []string {
	return []string{"os", "net", "math/rand", "time.Now", "time.Since"}
}

// Project returns the rules of this project. The rows follow the table in the design's architecture page.
func Project() Rules {
	return Rules{
		Rooms: []Room{
			{Dir: "formats/transcript", Never: pure()},
			{Dir: "formats", Ours: []string{"formats/transcript"}, Theirs: []string{"github.com/tidwall/gjson"}, Never: []string{"os", "net"}},
			{Dir: "estimate/models", Ours: []string{"formats/transcript"}, Never: []string{"os", "net"}},
			{
				Dir: "estimate", Ours: []string{"formats/transcript", "estimate/models"},
				Theirs: []string{"github.com/pkoukk/tiktoken-go", "github.com/pkoukk/tiktoken-go-loader"}, Never: []string{"os", "net"},
			},
			{Dir: "pipeline/page", Ours: []string{"formats/transcript"}, Theirs: []string{"golang.org/x/net/html"}, Never: pure()},
			{Dir: "pipeline", Ours: []string{"formats/transcript", "pipeline/page"}, Never: pure()},
			{Dir: "replay/cost", Ours: []string{"formats/transcript", "estimate"}, Never: pure()},
			{
				Dir: "replay", Ours: []string{"formats/transcript", "estimate", "estimate/models", "pipeline", "replay/cost"},
				Theirs: []string{"golang.org/x/sync"}, Never: []string{"os", "net"},
			},
			{
				Dir:    "replay/config",
				Ours:   []string{"formats/transcript", "estimate", "estimate/models", "pipeline", "pipeline/page", "replay", "replay/cost"},
				Theirs: []string{"github.com/goccy/go-yaml"}, Never: []string{"net"},
			},
			{
				Dir: "report", Ours: []string{"formats/transcript", "estimate", "pipeline", "replay", "replay/config", "replay/cost"},
				Theirs: []string{"github.com/olekukonko/tablewriter"}, Never: []string{"os", "net"},
			},
			{
				Dir: "cmd/perch/input", Ours: []string{"formats", "formats/transcript"},
				Theirs: []string{"github.com/bmatcuk/doublestar/v4", "github.com/klauspost/compress", "golang.org/x/sync"},
			},
			{
				Dir: "cmd/perch", Ours: []string{Everything},
				Theirs: []string{
					"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/schollz/progressbar/v3", "github.com/google/renameio/v2",
					"golang.org/x/sync", "golang.org/x/term",
				},
			},
			{Dir: "scripts/gentranscripts", Ours: []string{"formats", "formats/transcript"}},
			{Dir: "scripts/lint"},
		},
		Shared:    []string{"golang.org/x/sync", "golang.org/x/term"},
		FileLines: 450,
		FuncLines: 80,
		Marks:     []string{"TO" + "DO", "FIX" + "ME", "XX" + "X"},
		Exits:     []string{"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln"},
		Makers:    []string{"errors.New", "fmt.Errorf", "regexp.MustCompile", "strings.NewReplacer", "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues"},
		Tables:    []string{"estimate.asciiKind", "estimate.o200kBase", "estimate.cl100kBase", "replay/config.pins"},
	}
}
