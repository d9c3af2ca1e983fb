internal import MirrorSupport

/// Computes the change of a slot whose content is one plain text, without the parser. `SlotUpdate`
/// uses this for diffs that touch one slot.
extension Document {
  private static let tagsWithoutText = [
    "table", "tbody", "thead", "tfoot", "colgroup", "listing", "frameset", "select", "template",
  ]

  /// Whether the HTML parser puts a text in this element unchanged into one text node. The
  /// exceptions are tables outside of their cells (the parser moves the text out of the table),
  /// `pre` (the parser drops a leading line feed), and a few other elements.
  package func takesPlainText(_ node: NodeTree.Index) -> Bool {
    guard case .element(let element) = tree[node] else { return true }
    // The length alone rules out most names.
    return switch element.tag.utf8.count {
    case 2: element.tag != "tr"
    case 3: element.tag != "pre"
    case 5...8: !Self.tagsWithoutText.contains(element.tag)
    default: true
    }
  }

  /// The change of a single text node between two siblings, or between a sibling and the end of the
  /// parent. `nil` if there is not exactly one text node, if the parser would change the text, or
  /// if the text is the same.
  ///
  /// - Parameters:
  ///   - text: the new content, without markup or character references.
  ///   - parent: the number of the parent.
  ///   - left: the number of the preceding sibling; `nil` for the beginning of the parent.
  ///   - right: the number of the following sibling; `nil` for the end of the parent.
  package func textChange(to text: String, in parent: Int, after left: Int?, before right: Int?) -> Change? {
    let parent = NodeRef(epoch: epoch, number: parent)
    guard dialect.keepsText, !text.isEmpty, let treeIndex = treeIndex(of: parent), takesPlainText(treeIndex),
      let node = child(of: treeIndex, after: left), tree.parent(of: node) == treeIndex,
      number(of: tree.previous(of: node)) == left, number(of: tree.next(of: node)) == right,
      case .text(let before) = tree[node], !text.hasSameBytes(as: before)
    else { return nil }
    return .text(node: ref(node), parent: parent, before: before, after: text)
  }

  /// The child after `left`; without `left`, the first child.
  private func child(of parent: NodeTree.Index, after left: Int?) -> NodeTree.Index? {
    guard let left else { return tree.firstChild(of: parent) }
    guard let treeIndex = treeIndex(of: NodeRef(epoch: epoch, number: left)) else { return nil }
    return tree.next(of: treeIndex)
  }

  private func number(of node: NodeTree.Index?) -> Int? { node.map { ref($0).number } }
}
