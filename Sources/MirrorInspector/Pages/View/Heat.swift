internal import LiveViewMirror
internal import MarkupDocument

/// How recently each node changed: which of the last diffs changed it, up to the shown one. The
/// tree and the mirror of ``ViewPage`` show it.
///
/// It derives from the change sets of the log, so it always agrees with the log.
struct Heat {
  /// The number of diffs that leave heat.
  static let span = 20

  /// The levels of the nodes that changed: 4 for the shown diff, 3 for the four before it, 2 for
  /// the next five, 1 for the rest.
  private(set) var levels: [NodeRef: Int] = [:]
  /// How many of the last diffs changed a node.
  private(set) var counts: [NodeRef: Int] = [:]

  /// - Complexity: O(*changes of the last ``span`` diffs*).
  init(upTo shown: Int, in log: ChangeLog) {
    // Version 0 is left out, because a mount adds every node, so every node would be hot.
    for version in stride(from: shown, to: max(0, shown - Self.span), by: -1) {
      guard let record = log.record(of: version) else { return }
      let level = Self.level(ofAge: shown - version)
      for node in Set(record.changeSet.changes.lazy.filter(\.isInDocument).map(\.node)) {
        counts[node, default: 0] += 1
        if levels[node] == nil { levels[node] = level }
      }
    }
  }

  private static func level(ofAge age: Int) -> Int {
    switch age {
    case 0: 4
    case ..<5: 3
    case ..<10: 2
    default: 1
    }
  }
}

extension Change {
  /// Whether the node is in the document after the change.
  var isInDocument: Bool { if case .remove = self { false } else { true } }
}

extension Heat {
  /// The maximum number of elements that the rendered page shows heat on.
  static let mostElements = 1_000

  /// The numbers and levels of the elements that changed, the hottest first. A text heats the
  /// element around it, since a rendered page has numbers for elements only. White space and
  /// comments are not visible on the page, so their changes heat no element.
  ///
  /// - Complexity: O(*n* log *n*) for *n* changed nodes.
  func elements(in document: Document) -> [(node: Int, level: Int)] {
    var elements: [NodeRef: Int] = [:]
    for (node, level) in levels {
      guard let content = document.content(of: node), !content.isSeldomOfInterest else { continue }
      let element = content.element == nil ? document.parent(of: node) : node
      if let element, element != document.root { elements[element] = max(level, elements[element] ?? 0) }
    }
    return elements.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostElements).map {
      ($0.key.number, $0.value)
    }
  }
}
