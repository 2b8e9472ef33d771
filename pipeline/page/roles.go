package page

// interactive reports whether a role is a control a person could use.
func interactive(role string) bool {
	switch role {
	case "button", "checkbox", "combobox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio",
		"scrollbar", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem":
		return true
	}
	return false
}

// structure reports whether a role tells where on the page things are, or what just happened: landmarks, dialogs,
// headings, the frames of lists of choices, table headers, live messages.
func structure(role string) bool {
	switch role {
	case "alert", "alertdialog", "banner", "columnheader", "complementary", "contentinfo", "dialog", "form", "grid",
		"heading", "iframe", "listbox", "main", "menu", "menubar", "navigation", "progressbar", "radiogroup", "region",
		"rowheader", "search", "status", "table", "tablist", "tabpanel", "toolbar", "tree", "treegrid":
		return true
	}
	return false
}

// known reports whether a word is a role of the notation at all.
func known(role string) bool {
	if interactive(role) || structure(role) {
		return true
	}
	switch role {
	case "application", "article", "blockquote", "caption", "cell", "code", "definition", "deletion", "directory",
		"document", "emphasis", "feed", "figure", "generic", "graphics-document", "graphics-object", "graphics-symbol",
		"gridcell", "group", "img", "insertion", "list", "listitem", "log", "mark", "marquee", "math", "meter", "none",
		"note", "paragraph", "presentation", "row", "rowgroup", "separator", "strong", "subscript", "suggestion",
		"superscript", "term", "text", "time", "timer", "tooltip":
		return true
	}
	return false
}
