import MarkupDocument
import MirrorViews
import NodeObservation
import TestSupport
import Testing

/// Native views of a document that changes.
@Suite struct NativeUpdateTests {
  private func page(_ markup: String) -> (coordinator: DocumentCoordinator, tree: ViewTree) {
    let coordinator = DocumentCoordinator(markup: markup, dialect: .native)
    let tree = ViewTree(of: coordinator, registry: .native)
    _ = tree.markup
    return (coordinator, tree)
  }

  @Test func `a changed text evaluates one body`() {
    func rows(_ text: String) -> String {
      "<List>"
        + (0..<50).map { "<HStack id=\"r\($0)\"><Text>\($0 == 7 ? text : "x")</Text><Spacer/></HStack>" }.joined()
        + "</List>"
    }
    let (coordinator, tree) = page(rows("a"))
    _ = coordinator.update(markup: rows("b"))
    #expect(tree.takeEvaluations().map(\.description) == ["body of <Text> (NativeText): text"])
    #expect(tree.markup == ViewTree(of: coordinator, registry: .native).markup)
  }

  @Test func `a child whose template attribute changes moves to the other slot`() {
    let (coordinator, tree) = page(#"<Section><Text template="header">a</Text>b</Section>"#)
    _ = coordinator.update(markup: #"<Section><Text template="footer">a</Text>b</Section>"#)
    #expect(
      tree.markup
        == #"<section class="section">b<div class="slot footer"><span class="text">a</span></div></section>"#)
  }

  @Test func `the selected option of a picker is marked after every change`() {
    func picker(_ selection: String, _ tag: String) -> String {
      "<Picker selection=\"\(selection)\"><Text tag=\"a\">A</Text><Text tag=\"\(tag)\">B</Text></Picker>"
    }
    let (coordinator, tree) = page(picker("a", "b"))
    for (selection, tag) in [("b", "b"), ("c", "b"), ("c", "c")] {
      _ = coordinator.update(markup: picker(selection, tag))
      #expect(tree.markup == ViewTree(of: coordinator, registry: .native).markup)
    }
    #expect(tree.markup.contains(#"aria-selected="true" data-mirror-choice="c"><span class="text">B"#))
  }

  @Test func `a link inside a link becomes active when the outer link is disabled`() {
    func links(_ disabled: String) -> String {
      "<Link destination=\"/x\"\(disabled)><HStack><Link destination=\"/y\">a</Link></HStack></Link>"
    }
    let (coordinator, tree) = page(links(""))
    for disabled in [" disabled", "", " disabled"] {
      _ = coordinator.update(markup: links(disabled))
      #expect(tree.markup == ViewTree(of: coordinator, registry: .native).markup)
    }
  }

  @Test(arguments: 0..<40)
  func `after random changes the page equals a new drawing`(seed: Int) {
    var random = RandomNative(seed: UInt64(seed))
    let (coordinator, tree) = page(random.markup())
    for step in 0..<12 {
      _ = coordinator.update(markup: random.changed())
      #expect(tree.markup == ViewTree(of: coordinator, registry: .native).markup, "seed \(seed), step \(step)")
    }
  }
}

/// Random pages with the tags and attributes that native views read. Each page is a small change of
/// the previous one.
private struct RandomNative {
  private struct Node {
    var tag: String
    var attributes: [String: String]
    var text: String?
    var children: [Node]
  }

  private var random: SeededRandom
  private var nodes: [Node] = []
  private static let tags = ViewRegistry.native.tags + ["Unknown"]
  private static let attributes: [(name: String, values: [String])] = [
    ("template", ["label", "header", "footer", "content", "icon", "title", "currentValueLabel"]), ("tag", ["a", "b"]),
    ("selection", ["a", "b"]), ("value", ["a", "b", "1", "0.5"]), ("title", ["t", "u"]), ("isExpanded", [""]),
    ("disabled", [""]), ("destination", ["/x", "javascript:x"]), ("isOn", [""]), ("spacing", ["1", "x"]),
    ("alignment", ["leading", "top"]), ("id", ["i1", "i2", "i3"]), ("systemImage", ["star", "none"]),
    ("fill", ["red", "x"]),
  ]

  init(seed: UInt64) { random = SeededRandom(seed) }

  private mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func markup() -> String {
    nodes = (0..<3).map { _ in node(depth: 0) }
    return nodes.map(Self.written).joined()
  }

  /// The page after one or two random changes.
  mutating func changed() -> String {
    for _ in 0...next(2) {
      let place = next(nodes.count)
      nodes[place] = changed(nodes[place], depth: 0)
    }
    return nodes.map(Self.written).joined()
  }

  private mutating func node(depth: Int) -> Node {
    let count = depth > 3 ? 0 : next(4)
    var node = Node(
      tag: Self.tags[next(Self.tags.count)], attributes: [:], text: next(2) == 0 ? "w\(next(9))" : nil,
      children: (0..<count).map { _ in self.node(depth: depth + 1) })
    for _ in 0..<next(4) { setAttribute(of: &node) }
    return node
  }

  private mutating func setAttribute(of node: inout Node) {
    let (name, values) = Self.attributes[next(Self.attributes.count)]
    node.attributes[name] = node.attributes[name] != nil && next(2) == 0 ? nil : values[next(values.count)]
  }

  private mutating func changed(_ old: Node, depth: Int) -> Node {
    var node = old
    if !node.children.isEmpty, next(3) > 0 {
      let place = next(node.children.count)
      node.children[place] = changed(node.children[place], depth: depth + 1)
      return node
    }
    switch next(6) {
    case 0: node.text = "w\(next(9))"
    case 1 where !node.children.isEmpty: node.children.remove(at: next(node.children.count))
    case 2: node.children.insert(self.node(depth: depth + 1), at: next(node.children.count + 1))
    case 3 where node.children.count > 1: node.children.swapAt(0, node.children.count - 1)
    default: setAttribute(of: &node)
    }
    return node
  }

  private static func written(_ node: Node) -> String {
    let attributes = node.attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value)\"" }.joined()
    return "<\(node.tag)\(attributes)>\(node.text ?? "")\(node.children.map(written).joined())</\(node.tag)>"
  }
}
