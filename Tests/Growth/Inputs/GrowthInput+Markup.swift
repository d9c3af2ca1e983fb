extension GrowthInput {
  /// Markup that makes an HTML parser search, move or repeat nodes. It is parsed at the mount and
  /// again after a diff.
  static var markup: [GrowthInput] {
    [
      repeating("<a><div>x", "links in each other", size: 1_000),
      repeating("<b><p>x</b>y", "blocks in formatting", size: 1_000),
      repeating("<b><i><p></b></i>", "misnested formatting", size: 1_000),
      markup("many formatting elements", size: 4_000) { n in
        (0..<n).map { "<font size=\($0)>" }.joined() + repeated("<p>x", n)
      },
      markup("formatting elements with long attributes", size: 250) { n in
        "<p><b title='\(repeated("x", n * 20))'>" + repeated("<p>x", n)
      },
      repeating("<div>", "divs in each other", size: 2_000),
      repeating("</x>", "end tags alone", size: 5_000),
      repeating("<table><tr><td>", "tables in each other", size: 500),
      markup("text before a table, piece by piece", size: 1_000) { "<table>" + repeated("<tr>x", $0) },
      markup("elements before a table", size: 1_000) { "<table>" + repeated("<b>x</b><tr>", $0) },
      repeating("<form><div>", "forms in each other", size: 1_000),
      repeating("<button><p>", "buttons in each other", size: 1_000),
      repeating("<select><option>", "selects in each other", size: 1_000),
      repeating("<ul><li>", "lists in each other", size: 1_000),
      repeating("<svg><foreignObject><math><mi>", "foreign elements in each other", size: 500),
      repeating("<template><tr>", "templates in each other", size: 500),
      repeating("&notit;&#x10FFFF;&ampx", "character references", size: 4_000),
      repeating("<!-- - -- -->", "comments", size: 4_000),
      repeating("<title>x<textarea>", "raw text that is not closed", size: 1_000),
      repeating("<p><table><caption><p>", "paragraphs in captions", size: 500),
      markup("portals", size: 500) { n in
        (0..<n).map { "<template id=p\($0) data-phx-portal=body><b id=w\($0)>x</b></template>" }.joined()
      },
      markup("forms with a field named id", size: 500) { n in
        (0..<n).map { "<form><input name=id value=\($0)></form>" }.joined()
      },
      repeating("<ruby><rb><rt><rp>", "implied end tags", size: 1_000),
    ]
  }

  private static func repeating(_ piece: String, _ what: String, size: Int) -> GrowthInput {
    markup(what, size: size) { repeated(piece, $0) }
  }

  private static func markup(_ what: String, size: Int, _ text: @escaping (Int) -> String) -> GrowthInput {
    .view(
      "markup/\(what)", size: size, mount: { n in #"{"s":["<div>","</div>"],"0":\#(JSON.text(text(n)))}"# },
      diffs: { n in [#"{"0":\#(JSON.text("<hr>" + text(n)))}"#] })
  }
}
