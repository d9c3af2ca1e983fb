// Codes about HTML: the nesting of elements. The texts describe the repairs of the HTML standard.

extension DiagnosticCode {
  static let structure: [DiagnosticCode] = [
    DiagnosticCode(
      "stray-end-tag", .markup, "An end tag without a start tag",
      """
      An end tag does not match an open element. Browsers ignore it, except for two: a stray `</p>` becomes \
      an empty `<p></p>`, and `</br>` becomes `<br>`.
      """,
      effect:
        """
        Often the element was closed earlier than the template suggests: a block such as `<div>` or `<ul>` \
        closes an open `<p>`.
        """,
      remedy:
        "Remove the end tag. For `</p>`, look for a block element between `<p>` and `</p>`, and use a `<div>` instead of the `<p>`.",
      inNative: "Remove the end tag, or write the start tag."
    ),
    DiagnosticCode(
      "closes-view", .markup, "A `</div>` closes the view itself",
      """
      The markup has one `</div>` more than it has `<div>`. It closes the element that contains the view, \
      and LiveView's client uses only what comes before it.
      """,
      effect: "The rest of the page is missing in the browser after the first update.",
      remedy: "Remove the surplus `</div>`."),
    DiagnosticCode(
      "unclosed-element", .markup, "An element has no end tag",
      "The markup ends while the element is open. Browsers close it at the end.",
      effect: "Everything after the start tag is inside the element, also what was meant to follow it.",
      remedy: "Add the end tag where the content ends."),
    DiagnosticCode(
      "misnested-end-tag", .markup, "Elements overlap",
      """
      An end tag was found while an element inside is still open, such as `</div>` in `<div><span></div>`. \
      Browsers end both, and reopen formatting elements such as `<b>` behind it.
      """,
      effect:
        """
        The tree differs from the template, so CSS selectors, hooks and subscribers meet elements where \
        nobody wrote them.
        """,
      remedy: "Close elements in the reverse order in which they were opened."),
    DiagnosticCode(
      "mismatched-end-tag", .markup, "A heading is closed by the end tag of another level",
      "Such as `<h1>…</h2>`. Browsers close the heading.",
      effect: "The level in the page is that of the start tag.",
      remedy: "Use the same level in both tags."),
    DiagnosticCode(
      "stray-start-tag", .markup, "A start tag is not allowed at this place",
      """
      Such as `<tr>` outside of a table, or `<body>` inside the page. Browsers ignore the tag and keep its \
      content.
      """,
      effect: """
        The content appears without its element, so attributes, hooks and bindings of the element are lost.
        """,
      remedy: "Put the element into its proper parent, or use another element."),
    DiagnosticCode(
      "nested-heading", .markup, "A heading begins inside a heading",
      "Browsers close the open heading first.",
      effect:
        """
        The tree differs from the template, so CSS selectors, hooks and subscribers meet elements where \
        nobody wrote them.
        """,
      remedy: "Close the first heading before the second one."),
    DiagnosticCode(
      "nested-link", .markup, "A link begins inside a link",
      "Browsers close the open `<a>` first, so the two become siblings.",
      effect: """
        The rest of the outer content is no longer a link. With `<.link>` components this is easily \
        overlooked.
        """,
      remedy:
        """
        Do not put a link into a link. Make the outer one a `<div>` with `phx-click`, or put the inner one \
        beside it.
        """),
    DiagnosticCode(
      "nested-button", .markup, "A button begins inside a button",
      "Browsers close the open `<button>` first.",
      effect: "The rest of the outer content is no longer part of the button.",
      remedy: "Put the buttons beside each other."),
    DiagnosticCode(
      "nested-nobr", .markup, "A `<nobr>` begins inside a `<nobr>`",
      "Browsers close the open one first.",
      effect:
        """
        The tree differs from the template, so CSS selectors, hooks and subscribers meet elements where \
        nobody wrote them.
        """,
      remedy: "Use `white-space: nowrap` instead of `<nobr>`."),
    DiagnosticCode(
      "nested-form", .markup, "A form begins inside a form",
      "Browsers ignore the start tag of the inner form and keep its content.",
      effect: """
        The fields belong to the outer form, and `phx-change` and `phx-submit` of the inner form never happen.
        """,
      remedy: "Put the forms beside each other, or use the `form` attribute of the fields."),
    DiagnosticCode(
      "html-in-foreign-content", .markup, "HTML inside SVG or MathML",
      "Such as a `<div>` directly in an `<svg>`. Browsers close the SVG element first.",
      effect: "The element is behind the drawing and not in it.",
      remedy: "Put HTML into a `<foreignObject>`."),
    DiagnosticCode(
      "maximum-depth", .markup, "Elements are nested too deeply",
      "Browsers limit the depth to 512 elements. Deeper elements become siblings.",
      effect: "The structure is lost from there on. Usually a recursive component does not end.",
      remedy: "Find the recursion, or flatten the template."),
    DiagnosticCode(
      "formatting-limit", .markup, "Too many formatting elements are not closed",
      """
      Elements such as `<b>` and `<a>` that are not closed are reopened in every following block. The mirror \
      does this for a limited number.
      """,
      effect: "From here on the mirror may differ from the browser.",
      remedy: "Close the formatting elements."),
  ]
}
