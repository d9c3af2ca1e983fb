import MarkupDocument

@testable import MirrorInspector

/// A parsed page to which patches are applied, as `Public/frame/patch.js` applies them to the page
/// in a frame.
struct PatchedTree {
  /// The page does not have the structure that the patch expects, so the whole document is loaded
  /// instead.
  struct Mismatch: Error { let reason: String }

  private(set) var tree: NodeTree
  private var elements: [Int: NodeTree.Index] = [:]

  init(_ document: Document) {
    tree = MarkupParser.parse(Array(document.numberedMarkup("data-mirror-node").utf8), dialect: .html).tree
    elements = Self.elements(of: tree)
  }

  private static func elements(of tree: NodeTree) -> [Int: NodeTree.Index] {
    Dictionary(
      tree.preorder().compactMap { place in
        tree[place].element?["data-mirror-node"].flatMap { Int($0) }.map { ($0, place) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The markup, with the attributes of each element sorted. Neighbouring texts are one.
  var markup: String {
    var sorted = tree
    for place in tree.preorder() {
      guard case .element(var element) = tree[place] else { continue }
      element.attributes.sort { $0.name < $1.name }
      sorted[place] = .element(element)
    }
    return sorted.markup(dialect: .html)
  }

  private func element(_ number: Int) throws -> NodeTree.Index {
    if number == Document.rootNumber { return NodeTree.root }
    guard let place = elements[number] else { throw Mismatch(reason: "no element \(number)") }
    return place
  }

  mutating func apply(_ patch: DocumentPatch) throws {
    for (node, changes) in patch.attributes {
      let place = try element(node)
      guard case .element(var element) = tree[place] else { continue }
      for change in changes {
        element.attributes.removeAll { $0.name == change.name }
        if let value = change.value { element.attributes.append(.init(change.name, value)) }
      }
      tree[place] = .element(element)
    }
    for run in patch.runs { try apply(run) }
    for node in patch.removed { if let place = elements[node] { tree.remove(place) } }
    elements = Self.elements(of: tree)
  }

  private mutating func apply(_ run: DocumentPatch.Run) throws {
    let parent = try element(run.parent)
    let after = try run.after.map { try element($0) }
    let before = try run.before.map { try element($0) }
    for anchor in [after, before] where anchor.map({ tree.parent(of: $0) != parent }) ?? false {
      throw Mismatch(reason: "another parent")
    }
    // Texts and comments between the two elements; elements are moved by runs or removed at the
    // end.
    var next = after.map(tree.next) ?? tree.firstChild(of: parent)
    while let node = next, node != before {
      next = tree.next(of: node)
      if tree[node].element == nil { tree.remove(node) }
    }
    if next != before { throw Mismatch(reason: "another order") }
    for item in run.content {
      switch item {
      case .text(let text): tree.insert(tree.make(.text(text)), into: parent, before: before)
      case .node(let number):
        let node = try element(number)
        tree.detach(node)
        tree.insert(node, into: parent, before: before)
      case .markup(let markup, let number):
        let parsed = MarkupParser.parse(Array("<template>\(markup)".utf8), dialect: .html).tree
        guard let template = parsed.firstChild(of: NodeTree.root), let top = parsed.firstChild(of: template),
          parsed.childCount(of: template) == 1
        else { throw Mismatch(reason: "not one node") }
        let new = copy(top, of: parsed)
        tree.insert(new, into: parent, before: before)
        if let number { elements[number] = new }
      }
    }
  }

  /// Copies a new subtree; an element that the page has is taken from its place.
  private mutating func copy(_ top: NodeTree.Index, of parsed: NodeTree) -> NodeTree.Index {
    let number = parsed[top].element?["data-mirror-node"].flatMap { Int($0) }
    if let number, let known = elements[number] {
      tree.detach(known)
      return known
    }
    let new = tree.make(parsed[top])
    for child in parsed.children(of: top) { tree.append(copy(child, of: parsed), to: new) }
    return new
  }
}
