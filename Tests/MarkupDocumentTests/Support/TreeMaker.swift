import MarkupDocument
import RecordingFixtures

/// Makes random trees that the dialect can express, with texts and values that need escaping.
struct TreeMaker {
  private let dialect: Dialect
  private var generator: SplitMix
  private var tree = NodeTree()

  init(dialect: Dialect, seed: UInt64) {
    self.dialect = dialect
    generator = SplitMix(state: seed)
  }

  mutating func make() -> NodeTree {
    fill(NodeTree.root, depth: 0)
    return tree
  }

  // MARK: - Nodes

  private mutating func fill(_ parent: NodeTree.Index, depth: Int) {
    var lastIsText = false
    for _ in 0..<pick(1...5) {
      let kind = pick(0...9)
      if kind < 3, !lastIsText {
        guard let text = text() else { continue }
        tree.append(tree.make(.text(text)), to: parent)
        lastIsText = true
      } else if kind == 3 {
        tree.append(tree.make(.comment(choose(["", " c ", "<b>", "&amp;", "a\nb", "- -", "é"]))), to: parent)
        lastIsText = false
      } else if depth < 6 {
        element(in: parent, depth: depth + 1)
        lastIsText = false
      }
    }
  }

  private mutating func element(in parent: NodeTree.Index, depth: Int) {
    guard dialect == .html else {
      fill(add(choose(["VStack", "text", "Text", "br", "script", "p", "a-b:c", "LiveForm"]), to: parent), depth: depth)
      return
    }
    switch pick(0...9) {
    case 0: _ = add(choose(["br", "img", "input", "hr", "wbr"]), to: parent)
    case 1:
      let node = add(choose(["pre", "listing", "textarea", "title"]), to: parent)
      if let text = text() { tree.append(tree.make(.text(text)), to: node) }
    case 2:
      let node = add(choose(["script", "style", "iframe", "xmp"]), to: parent)
      let text = choose(["a < b && c", "x = '<p>'", "\n", "</ script>", "&amp;"])
      tree.append(tree.make(.text(text)), to: node)
    case 3:
      let table = add("table", to: parent)
      let body = add(choose(["tbody", "thead", "tfoot"]), to: table)
      for _ in 0..<pick(1...2) {
        let row = add("tr", to: body)
        for _ in 0..<pick(0...2) { fill(add(choose(["td", "th"]), to: row), depth: depth) }
      }
    case 4:
      let list = add("ul", to: parent)
      for _ in 0..<pick(0...2) { fill(add("li", to: list), depth: depth) }
    case 5:
      let svg = add("svg", .svg, to: parent)
      fillForeign(svg)
      fill(add("foreignObject", .svg, to: svg), depth: depth)
    case 6:
      let select = add("select", to: parent)
      let option = add("option", to: select)
      if let text = text() { tree.append(tree.make(.text(text)), to: option) }
    default:
      let tag = choose(["div", "section", "span", "b", "x-y", "template", "noscript"])
      fill(add(tag, to: parent), depth: depth)
    }
  }

  private mutating func fillForeign(_ parent: NodeTree.Index) {
    for name in ["path", "linearGradient", "g"] where pick(0...1) == 0 {
      let node = add(name, .svg, to: parent)
      if let text = text() { tree.append(tree.make(.text(text)), to: node) }
    }
  }

  private mutating func add(_ tag: String, _ namespace: Namespace = .html, to parent: NodeTree.Index) -> NodeTree.Index
  {
    var attributes: [Element.Attribute] = []
    for name in ["id", "class", "phx-click", "data-x", "a:b"] where pick(0...3) == 0 {
      attributes.append(Element.Attribute(name, text() ?? ""))
    }
    if dialect == .native, pick(0...3) == 0 { attributes.append(Element.Attribute("cornerRadius", "4")) }
    let node = tree.make(.element(Element(tag: tag, namespace: namespace, attributes: attributes)))
    tree.append(node, to: parent)
    return node
  }

  // MARK: - Text

  /// A random text; in `native` without white space at its ends, so it can be empty.
  private mutating func text() -> String? {
    let pieces = [
      "x", " ", "\n", "\n\n", "\t", "&", "&amp;", "&lt", "&#10;", "&notit;", "<", "</p>", "<!--", "-->", ">", "\"", "'",
      "é",
      "漢字", "🎉", "👨‍👩‍👧", "\u{A0}", "\u{1}", "\u{7F}", "\u{FFFD}", "\r", "\r\n", "]]>", "{{", "\u{2028}", "e\u{301}",
    ]
    var text = ""
    for _ in 0..<pick(1...5) { text += choose(pieces) }
    guard dialect == .native else { return text }
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars.isEmpty ? nil : String(scalars)
  }

  private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func choose(_ options: [String]) -> String { options[pick(0...options.count - 1)] }
}
