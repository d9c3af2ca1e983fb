/// What a browser shows of a view, as a document: the beginning of a mirror that has missed frames.
extension Document {
  /// A document with the nodes of an element's `innerHTML`. The attributes in which LiveView's client keeps its state are not in any
  /// page: those of streams and components become marks, and the others are left out.
  ///
  /// - Complexity: O(*bytes*).
  package init(shown markup: [UInt8], dialect: Dialect) {
    self.init(parsing: markup, dialect: dialect)
    for place in tree.preorder() {
      guard var element = tree[place].element, element.attributes.contains(where: { $0.isOfClient }) else { continue }
      let node = ref(place)
      if let stream = element["data-phx-stream"] { marks.streams[node] = stream }
      if let component = element["data-phx-component"].flatMap({ Int($0) }) {
        mark(node, Origin(group: Origin.components, member: component, tag: element.tag))
      }
      element.attributes.removeAll { $0.isOfClient }
      tree[place] = .element(element)
    }
  }
}

extension Element.Attribute {
  /// Whether LiveView's client (1.0 to 1.2) sets the attribute, and the server does not.
  fileprivate var isOfClient: Bool {
    switch name {
    case "data-phx-stream", "data-phx-component", "data-phx-view", "data-phx-id", "data-phx-root-id", "data-phx-prune",
      "data-phx-skip", "data-phx-ref-src", "data-phx-ref-lock", "data-phx-ref-loading":
      true
    default: false
    }
  }
}
