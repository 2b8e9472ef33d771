package pipeline_test

import (
	"context"
	"fmt"
	"strings"

	"perch/formats/transcript"
	"perch/pipeline"
)

// A live agent keeps one State for its thread, appends what is new, asks the pipeline before each model call, and
// sends what the state renders.
func Example() {
	budget, _ := pipeline.DefaultBudget().Budget(transcript.Limit{Tokens: 60_000, Kind: transcript.Window}, 8_000, false)
	index := pipeline.NewIndex()
	state := pipeline.NewState(index)
	meter := pipeline.CharsMeter{State: state, Hidden: 2_000}
	add := func(role transcript.Role, origin transcript.Origin, parts ...transcript.Part) {
		state.Append(index.Add(&transcript.Message{Role: role, Origin: origin, Parts: parts}))
	}

	add(transcript.User, transcript.Person, transcript.Part{Kind: transcript.Text, Text: "Which of these files is wrong?"})
	for call := 1; call <= 12; call++ {
		outcomes, err := pipeline.Default().Next(context.Background(), state, budget, meter)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, o := range outcomes {
			if o.Fired() {
				fmt.Printf("before call %d: %s freed %d tokens\n", call, o.Use, o.Before-o.After)
			}
		}
		prompt, _ := state.Render(nil)
		_ = prompt // send it here; what follows is the model's answer and the tool's

		id := fmt.Sprint("call", call)
		add(transcript.Assistant, transcript.Agent, transcript.Part{Kind: transcript.ToolCall, Tool: "Read", CallID: id, Text: `{"path":"a.csv"}`})
		add(transcript.Tool, transcript.FromTool, transcript.Part{Kind: transcript.ToolResult, Tool: "Read", CallID: id, Text: strings.Repeat("17,4;", 4_000)})
	}
	// Output:
	// before call 9: microcompact freed 24955 tokens
}
