import MarkupDocument
import RecordingFixtures

/// The form in which a client's DOM and the mirror's document are compared: without comments, the
/// client's bookkeeping (`data-phx-*`, `phx-*-loading` classes) and the content of nested
/// LiveViews.
struct ClientTree: Equatable {
  indirect enum Node: Equatable {
    case text(String)
    case element(tag: String, namespace: String?, attributes: [String: String], children: [Node])
  }

  var nodes: [Node]

  init(_ dom: [ClientNode]) { nodes = Self.joined(dom.compactMap(Self.node)) }

  private static func node(_ node: ClientNode) -> Node? {
    switch node {
    case .text(let text): .text(text)
    case .comment: nil
    case .element(let tag, let namespace, let attributes, let children):
      .element(
        tag: tag, namespace: namespace, attributes: withoutState(attributes),
        children: attributes["data-phx-session"] != nil ? [] : joined(children.compactMap(Self.node)))
    }
  }

  /// Without the client's own attributes and state classes.
  private static func withoutState(_ attributes: [String: String]) -> [String: String] {
    var attributes = attributes.filter { !$0.key.hasPrefix("data-phx-") }
    if let names = attributes["class"], names.contains("phx-") {
      attributes["class"] = names.split(separator: " ").filter { !Self.stateClasses.contains(String($0)) }
        .joined(separator: " ")
    }
    return attributes
  }

  private static let stateClasses: Set = [
    "phx-connected", "phx-loading", "phx-error", "phx-client-error", "phx-server-error",
  ]

  /// The content of the view's element, without what portals show outside of it.
  init(_ document: Document) {
    nodes = Self.nodes(under: NodeTree.root, in: document.tree) { !document.isShownOutside(document.ref($0)) }
  }

  /// What the portals of a document show outside of the view.
  static func shownOutside(_ document: Document) -> ClientTree {
    var tree = ClientTree([])
    tree.nodes = nodes(under: NodeTree.root, in: document.tree) { document.isShownOutside(document.ref($0)) }
    return tree
  }

  /// The elements that portals show in the rest of a page.
  static func shown(in outside: [ClientNode]) -> ClientTree {
    ClientTree(shownNodes(in: outside))
  }

  private static func shownNodes(in nodes: [ClientNode]) -> [ClientNode] {
    nodes.flatMap { node -> [ClientNode] in
      guard case .element(_, _, let attributes, let children) = node else { return [] }
      return attributes["data-phx-teleported"] != nil ? [node] : shownNodes(in: children)
    }
  }

  private static func nodes(
    under parent: NodeTree.Index, in tree: NodeTree, where isIncluded: (NodeTree.Index) -> Bool = { _ in true }
  ) -> [Node] {
    joined(
      tree.children(of: parent).compactMap { child in
        if !isIncluded(child) { return nil }
        return switch tree[child] {
        case .text(let text): .text(text)
        case .element(let element):
          .element(
            tag: element.tag, namespace: element.namespace.name,
            attributes: Dictionary(
              element.attributes.filter { !$0.name.hasPrefix("data-phx-") }.map { ($0.name, $0.value) }
            ) { a, _ in a },
            children: element["data-phx-session"] != nil ? [] : nodes(under: child, in: tree))
        case .comment, .processingInstruction, .root: nil
        }
      })
  }

  /// Adjacent texts are joined, and empty texts are omitted.
  private static func joined(_ nodes: [Node]) -> [Node] {
    var joined: [Node] = []
    for node in nodes {
      guard case .text(let text) = node else {
        joined.append(node)
        continue
      }
      if text.isEmpty { continue }
      if case .text(let before) = joined.last {
        joined[joined.count - 1] = .text(before + text)
      } else {
        joined.append(node)
      }
    }
    return joined
  }

  /// The tree as markup, for failure messages.
  var markup: String { nodes.map(Self.markup).joined() }

  private static func markup(_ node: Node) -> String {
    switch node {
    case .text(let text): return text.debugDescription.dropFirst().dropLast().description
    case .element(let tag, _, let attributes, let children):
      let names = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\($0.value)\"" }.joined()
      return "<\(tag)\(names)>\(children.map(markup).joined())</\(tag)>"
    }
  }
}

extension Namespace {
  fileprivate var name: String? {
    switch self {
    case .html: nil
    case .svg: "svg"
    case .mathML: "math"
    }
  }
}
