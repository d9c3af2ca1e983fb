internal import LiveViewMirror
internal import MarkupDocument

extension Heat {
  /// The maximum number of elements that the rendered page shows heat on.
  static let mostElements = 1_000

  /// The numbers and levels of the elements that changed, the hottest first. A text heats the element around it, since a rendered
  /// page has numbers for elements only.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changed nodes.
  func elements(in document: Document) -> [(node: Int, level: Int)] {
    var elements: [NodeRef: Int] = [:]
    for (node, level) in levels {
      guard let content = document.content(of: node) else { continue }
      let element = content.element == nil ? document.parent(of: node) : node
      if let element, element != document.root { elements[element] = max(level, elements[element] ?? 0) }
    }
    return elements.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostElements).map {
      ($0.key.number, $0.value)
    }
  }
}
