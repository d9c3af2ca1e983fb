// Codes about HTML: tags, attributes, comments and characters. The texts describe the repairs of
// the HTML standard. `DiagnosticCode.groups` contains these codes.

extension DiagnosticCode {
  static let tags: [DiagnosticCode] = [
    DiagnosticCode(
      "duplicate-attribute", .markup, "An attribute is on an element twice",
      "Browsers use the first one. Often a `{@rest}` repeats an attribute.",
      example: #"`<p class="a" class="b">c</p>`"#,
      remedy: #"Remove one, or exclude it from `@rest`. Combine classes with `class={["a", @class]}`."#),
    DiagnosticCode(
      "missing-attribute-value", .markup, "An attribute has no value after `=`",
      "Browsers use an empty value.",
      example: "`<p id=>a</p>`",
      remedy: "Add the value, or remove the `=`."),
    DiagnosticCode(
      "missing-whitespace-between-attributes", .markup, "No space between attributes",
      "Browsers read them separately, but usually a quote is missing nearby.",
      example: #"`<p id="a"class="b">c</p>`"#,
      remedy: "Add the space."),
    DiagnosticCode(
      "unexpected-character-in-tag", .markup, "A quote, `<`, `=` or `/` where none belongs",
      "Browsers skip the character or make it part of a name.",
      example: "`<p title='it's'>a</p>`",
      remedy: "Correct the quotes, and escape those in values, as HEEx does."),
    DiagnosticCode(
      "eof-in-tag", .markup, "The markup ends inside a tag",
      "Browsers drop the tag.",
      example: #"`<p>a</p><p class="b`"#,
      remedy: "Complete it. Markup from `raw/1` may have been cut."),
    DiagnosticCode(
      "eof-in-comment", .markup, "A comment is not closed",
      "Browsers read the rest of the markup as the comment.",
      example: "`<!-- a <p>b</p>`",
      remedy: "Add `-->`. Markup from `raw/1` may have been cut."),
    DiagnosticCode(
      "eof-in-processing-instruction", .markup, "A `<?` is not closed",
      "Browsers drop the rest of the markup.",
      example: "`<?php echo 1`",
      remedy: "Remove the `<?`, or write it as `&lt;?`."),
    DiagnosticCode(
      "incorrectly-opened-comment", .markup, "Invalid markup became a comment",
      "Browsers read it as a comment, so it is invisible.",
      example: "`<!a>`",
      remedy: "Remove it, or write `<` as `&lt;`."),
    DiagnosticCode(
      "incorrectly-closed-comment", .markup, "A comment is closed by `--!>`",
      "Browsers accept it, but other programs may read on to the next `-->`.",
      example: "`<!-- a --!>`",
      remedy: "Write `-->`."),
    DiagnosticCode(
      "abrupt-closing-of-empty-comment", .markup, "An empty comment is closed too early",
      "Usually a comment was opened by mistake, and its text is visible.",
      example: "`<!-->a`",
      remedy: "Write `<!-- … -->`."),
    DiagnosticCode(
      "invalid-first-character-of-tag-name", .markup, "A `<` that does not begin a tag",
      "Browsers read it as text.",
      example: "`a < b`",
      remedy: "Write `&lt;` in static text and `raw/1`. HEEx escapes `{@text}`."),
    DiagnosticCode(
      "missing-end-tag-name", .markup, "An end tag without a name",
      "Browsers skip it, so the element stays open.",
      example: "`<b>a</>`",
      remedy: "Write the name."),
    DiagnosticCode(
      "image-tag", .markup, "`<image>` instead of `<img>`",
      "Browsers read it as `<img>`.",
      example: #"`<image src="/a.png">`"#,
      remedy: "Write `<img>`. Mount a page of LiveView Native, which has an `<Image>`, with `?dialect=native`."),
    DiagnosticCode(
      "unexpected-doctype", .markup, "A doctype inside the page",
      "Browsers skip it. Usually a whole document was inserted, such as an e-mail.",
      example: "`<!doctype html><p>a</p>`",
      remedy: "Insert only the content of its `<body>`, or use an `<iframe srcdoc>`.",
      inNative: "Remove the doctype."),
    DiagnosticCode(
      "unexpected-null-character", .markup, "A NUL character",
      "Browsers drop it or replace it by U+FFFD.",
      example: "`\\u0000` in the JSON of a slot",
      remedy: "Remove NUL characters from the data."),
  ]
}
