extension Document {
  private static let tagsWithoutText = [
    "table", "tbody", "thead", "tfoot", "colgroup", "listing", "frameset", "select", "template",
  ]

  /// Whether a text simply stands where it is written in a node.
  package func takesPlainText(_ node: NodeTree.Index) -> Bool {
    guard case .element(let element) = tree[node] else { return true }
    // Most names are told from these by their length.
    return switch element.tag.utf8.count {
    case 2: element.tag != "tr"
    case 3: element.tag != "pre"
    case 5...8: !Self.tagsWithoutText.contains(element.tag)
    default: true
    }
  }

  /// The change of the one text that stands between two siblings, or a sibling and the end of their parent; `nil` where
  /// something else does, where it is not read as it is written, or where it is what it was.
  ///
  /// - Parameters:
  ///   - text: what needs no parser.
  ///   - parent: the number of a node, as are `left` and `right`; `nil` stands for the end of the parent.
  package func textChange(to text: String, in parent: Int, after left: Int?, before right: Int?) -> Change? {
    let parent = NodeRef(epoch: epoch, number: parent)
    guard dialect == .html, !text.isEmpty, let place = place(of: parent), takesPlainText(place),
      let node = child(of: place, after: left), tree.parent(of: node) == place,
      number(of: tree.previous(of: node)) == left, number(of: tree.next(of: node)) == right,
      case .text(let before) = tree[node], !text.hasSameBytes(as: before)
    else { return nil }
    return .text(node: ref(node), parent: parent, before: before, after: text)
  }

  /// The child behind another one; the first child, without one.
  private func child(of parent: NodeTree.Index, after left: Int?) -> NodeTree.Index? {
    guard let left else { return tree.firstChild(of: parent) }
    guard let place = place(of: NodeRef(epoch: epoch, number: left)) else { return nil }
    return tree.next(of: place)
  }

  private func number(of node: NodeTree.Index?) -> Int? { node.map { ref($0).number } }
}
