// Codes about HTML: the nesting of elements. The texts describe the repairs of the HTML standard.
// `DiagnosticCode.groups` contains these codes.

extension DiagnosticCode {
  static let structure: [DiagnosticCode] = [
    DiagnosticCode(
      "stray-end-tag", .markup, "An end tag without a start tag",
      """
      Browsers ignore it, but read `</p>` as `<p></p>` and `</br>` as `<br>`. Often a `<div>` has already \
      closed the `<p>`.
      """,
      example: "`<p>a<div>b</div></p>`",
      remedy: "Remove it. Around a block, use a `<div>` instead of the `<p>`.",
      inNative: "Remove it, or write the start tag."),
    DiagnosticCode(
      "closes-view", .markup, "A `</div>` closes the view itself",
      """
      LiveView's client uses only what comes before it, so the rest of the page is missing after the first \
      update.
      """,
      example: "`<p>a</p></div><p>b</p>`",
      remedy: "Remove the surplus `</div>`."),
    DiagnosticCode(
      "unclosed-element", .markup, "An element has no end tag",
      "Browsers close it at the end of the markup, so everything after the start tag is inside.",
      example: "`<section><p>a</p>`",
      remedy: "Add the end tag where the content ends."),
    DiagnosticCode(
      "misnested-end-tag", .markup, "Elements overlap",
      "Browsers end both, and reopen formatting elements such as `<b>` behind them.",
      example: "`<div><span>a</div>`",
      remedy: "Close elements in reverse order."),
    DiagnosticCode(
      "mismatched-end-tag", .markup, "A heading is closed by the end tag of another level",
      "Browsers close the heading, with the level of its start tag.",
      example: "`<h1>a</h2>`",
      remedy: "Use the same level in both tags."),
    DiagnosticCode(
      "stray-start-tag", .markup, "A start tag is not allowed at this place",
      "Browsers keep the content without the tag, its attributes, hooks and bindings.",
      example: "`<div><tr>a</tr></div>`",
      remedy: "Put the element into its proper parent."),
    DiagnosticCode(
      "nested-heading", .markup, "A heading begins inside a heading",
      "Browsers close the open heading first.",
      example: "`<h1>a<h2>b</h2></h1>`",
      remedy: "Close the first heading before the second."),
    DiagnosticCode(
      "nested-link", .markup, "A link begins inside a link",
      "Browsers close the open `<a>` first, so the rest of its content is outside.",
      example: #"`<a href="/a">a<a href="/b">b</a></a>`"#,
      remedy: "Put the links beside each other, or make the outer one a `<div>` with `phx-click`."),
    DiagnosticCode(
      "nested-button", .markup, "A button begins inside a button",
      "Browsers close the open `<button>` first, so the rest of its content is outside.",
      example: "`<button>a<button>b</button></button>`",
      remedy: "Put the buttons beside each other."),
    DiagnosticCode(
      "nested-nobr", .markup, "A `<nobr>` begins inside a `<nobr>`",
      "Browsers close the open one first.",
      example: "`<nobr>a<nobr>b</nobr></nobr>`",
      remedy: "Use `white-space: nowrap`."),
    DiagnosticCode(
      "nested-form", .markup, "A form begins inside a form",
      """
      Browsers ignore the inner `<form>`, so its fields belong to the outer one, and its `phx-change` and \
      `phx-submit` never happen.
      """,
      example: #"`<form><form><input name="a"></form></form>`"#,
      remedy: "Put the forms beside each other, or use the `form` attribute of the fields."),
    DiagnosticCode(
      "html-in-foreign-content", .markup, "HTML inside SVG or MathML",
      "Browsers close the SVG element first, so the HTML is behind the drawing.",
      example: "`<svg><div>a</div></svg>`",
      remedy: "Put HTML into a `<foreignObject>`."),
    DiagnosticCode(
      "maximum-depth", .markup, "Elements are nested too deeply",
      "Browsers limit the depth to 512 and make deeper elements siblings.",
      example: "a component that renders itself without an end",
      remedy: "Find the recursion, or flatten the template."),
    DiagnosticCode(
      "formatting-limit", .markup, "Too many formatting elements are not closed",
      """
      Browsers reopen an unclosed `<b>` in each following block. The mirror stops at a limit, and may then \
      differ.
      """,
      example: "a `<b>` without an end tag in each entry of a list",
      remedy: "Close the formatting elements."),
  ]
}
