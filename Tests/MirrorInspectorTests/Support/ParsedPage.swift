import MarkupDocument

@testable import MirrorInspector

/// A parsed page, so that tests can check elements instead of text.
struct ParsedPage {
  let tree: NodeTree
  /// All elements in document order.
  let elements: [(place: NodeTree.Index, element: Element)]
  /// The elements that show nodes in the tree panel, by node number.
  let shownNodes: [Int: NodeTree.Index]

  init(_ html: HTML) { self.init(html.bytes) }

  init(_ bytes: [UInt8]) {
    let tree = MarkupParser.parse(bytes, dialect: .html).tree
    self.tree = tree
    elements = tree.preorder().compactMap { place in tree[place].element.map { (place, $0) } }
    let items = elements.compactMap { place, element -> (Int, NodeTree.Index)? in
      guard let id = element.id, id.hasPrefix("n"), let number = Int(id.dropFirst()) else { return nil }
      return (number, place)
    }
    shownNodes = Dictionary(items, uniquingKeysWith: { first, _ in first })
  }

  func elements(_ tag: String, class name: String? = nil) -> [(place: NodeTree.Index, element: Element)] {
    elements.filter { $0.element.tag == tag && (name.map($0.element.classes.contains) ?? true) }
  }

  func element(id: String) -> NodeTree.Index? { elements.first { $0.element.id == id }?.place }

  /// The text of a node and its descendants.
  func text(of place: NodeTree.Index = NodeTree.root) -> String {
    tree.preorder(from: place).map { if case .text(let text) = tree[$0] { text } else { "" } }.joined()
  }

  /// The descendants of a tree item that belong to the node itself, without nested lists and the
  /// items of other nodes.
  func ownLine(of item: NodeTree.Index) -> [NodeTree.Index] {
    var places: [NodeTree.Index] = []
    var next: NodeTree.Index? = tree.successor(of: item, within: item)
    while let place = next {
      let isInner = tree[place].element.map { $0.tag == "ul" || $0.id?.hasPrefix("n") == true } ?? false
      if !isInner { places.append(place) }
      next = tree.successor(of: place, within: item, skippingChildren: isInner)
    }
    return places
  }

  /// The targets of all links of the page.
  var links: [String] { elements("a").compactMap { $0.element["href"] } }

  /// The change marks of each node in the tree panel, by node number.
  var marks: [Int: Set<String>] {
    shownNodes.compactMapValues { item in
      let signs = ownLine(of: item).filter { tree[$0].element?.classes.contains("mark") == true }.map { text(of: $0) }
      return signs.isEmpty ? nil : Set(signs)
    }
  }
}

extension Element {
  var classes: Set<String> { Set((self["class"] ?? "").split(separator: " ").map(String.init)) }
}
