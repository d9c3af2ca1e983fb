// Codes about HTML: tags, attributes, comments and characters. The texts describe the repairs of the HTML standard.

extension DiagnosticCode {
  static let tags: [DiagnosticCode] = [
    DiagnosticCode(
      "duplicate-attribute", .markup, "An attribute is on an element twice",
      "Browsers use the first one and ignore the other.",
      effect: "Often a `{@rest}` repeats an attribute: the value that the caller passes is then ignored.",
      remedy:
        """
        Remove one of the two, or exclude the attribute from `@rest`. Combine classes with `class={["a", \
        @class]}`.
        """),
    DiagnosticCode(
      "missing-attribute-value", .markup, "An attribute has no value after `=`",
      "Browsers use an empty value.",
      effect: "The attribute does not do what was meant.",
      remedy: "Add the value, or remove the `=`."),
    DiagnosticCode(
      "missing-whitespace-between-attributes", .markup, "Attributes without a space between them",
      "Browsers read them as separate attributes.",
      effect: "It works, but usually a quote is missing or doubled nearby.",
      remedy: "Add the space."),
    DiagnosticCode(
      "unexpected-character-in-tag", .markup, "A quote, `<`, `=` or `/` where none belongs",
      "Browsers skip the character or make it part of a name.",
      effect: "A wrong attribute name is ignored without a message.",
      remedy: "Correct the quotes in the tag. Values with quotes must be escaped, as HEEx does."),
    DiagnosticCode(
      "eof-in-tag", .markup, "The markup ends inside a tag",
      "Browsers drop the tag.",
      effect: "The element does not exist.",
      remedy: "Complete the tag. If the markup comes from `raw/1`, it may have been cut."),
    DiagnosticCode(
      "eof-in-comment", .markup, "A comment is not closed",
      "Browsers read the rest of the markup as the text of the comment.",
      effect: "The rest of the page is invisible.",
      remedy: "Add `-->`. If the markup comes from `raw/1`, it may have been cut."),
    DiagnosticCode(
      "eof-in-processing-instruction", .markup, "A `<?` is not closed",
      "Browsers drop the rest of the markup.",
      effect: "The rest of the page is missing.",
      remedy: "Remove the `<?`, or write it as `&lt;?`."),
    DiagnosticCode(
      "incorrectly-opened-comment", .markup, "Invalid markup became a comment",
      "Markup such as `<!x>` or `<?php … ?>` is not HTML. Browsers read it as a comment.",
      effect: "The content is invisible.",
      remedy: "Remove it, or write `<` as `&lt;`."),
    DiagnosticCode(
      "incorrectly-closed-comment", .markup, "A comment is closed by `--!>`",
      "Browsers accept it.",
      effect: "Other programs may read on to the next `-->`.",
      remedy: "Write `-->`."),
    DiagnosticCode(
      "abrupt-closing-of-empty-comment", .markup, "An empty comment is closed too early",
      "Such as `<!-->`. Browsers read it as an empty comment.",
      effect: "Usually a comment was opened by mistake, and its text is visible.",
      remedy: "Write `<!-- … -->`."),
    DiagnosticCode(
      "invalid-first-character-of-tag-name", .markup, "A `<` that does not begin a tag",
      "Browsers read it as text.",
      effect: "It works if the text was meant.",
      remedy: "Write `&lt;`. HEEx escapes `{@text}`; only `raw/1` and static text need it."),
    DiagnosticCode(
      "missing-end-tag-name", .markup, "An end tag without a name",
      "`</>` is skipped.",
      effect: "The element that it should close stays open.",
      remedy: "Write the name."),
    DiagnosticCode(
      "image-tag", .markup, "`<image>` instead of `<img>`",
      "Browsers read it as `<img>`.",
      effect: "It works, but the element in the page has another name than in the template.",
      remedy:
        "Write `<img>`. If the view renders markup of LiveView Native, which has an `<Image>`, mount it with `?dialect=native`."
    ),
    DiagnosticCode(
      "unexpected-doctype", .markup, "A doctype inside the page",
      "Browsers skip it.",
      effect: "Usually a whole document was inserted, for example an e-mail.",
      remedy: "Insert only the content of its `<body>`, or show it in an `<iframe srcdoc>`.",
      inNative: "Remove the doctype."),
    DiagnosticCode(
      "unexpected-null-character", .markup, "A NUL character",
      "Browsers drop it or replace it by U+FFFD.",
      effect: "The text differs from the data.",
      remedy: "Remove NUL characters from the data."),
  ]
}
