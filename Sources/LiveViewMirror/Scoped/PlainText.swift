internal import MarkupDocument

// Text that says what it means, where text may stand: it needs no parser.

extension Sequence<UInt8> {
  /// Whether it is no markup, and a parser leaves it as it is.
  var isPlainText: Bool {
    allSatisfy { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != 0x0D && $0 != 0 }
  }
}

extension Document {
  private static let tagsWithoutText = [
    "table", "tbody", "thead", "tfoot", "colgroup", "listing", "frameset", "select", "template",
  ]

  /// Whether a text simply stands where it is written in a node.
  func takesPlainText(_ node: NodeTree.Index) -> Bool {
    guard case .element(let element) = tree[node] else { return true }
    // Most names are told from these by their length.
    return switch element.tag.utf8.count {
    case 2: element.tag != "tr"
    case 3: element.tag != "pre"
    case 5...8: !Self.tagsWithoutText.contains(element.tag)
    default: true
    }
  }
}
