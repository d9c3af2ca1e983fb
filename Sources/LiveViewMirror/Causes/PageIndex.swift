internal import MarkupDocument

/// The ranges of a page's markup from which the nodes of a document were parsed.
struct PageIndex {
  private let markup: [UInt8]
  /// The start of each node, and the start of the next node outside of it.
  private var places: [NodeRef: (start: Int, end: Int)] = [:]

  /// Nodes that the page does not list have no range, such as previous items of streams and the content of ignored elements.
  ///
  /// - Complexity: O(*nodes*).
  init(markup: [UInt8], page: Page, morph: Morph.Outcome) {
    self.markup = markup
    let tree = page.tree
    /// The end of each node's markup, with its content.
    var ends: [NodeTree.Index: Int] = [NodeTree.root: markup.count]
    for node in tree.preorder() {
      let end = ends[node] ?? markup.count
      var child = tree.lastChild(of: node)
      var following = end
      while let step = child {
        ends[step] = following
        following = tree.firstOffset(in: step) ?? following
        child = tree.previous(of: step)
      }
      guard node != NodeTree.root, let start = tree.offset(of: node), let ref = morph.ref(of: node) else { continue }
      places[ref] = (start, max(start, end))
    }
  }

  /// The range of markup that determines a change; `nil` if it is not in this page.
  func range(of change: Change) -> ClosedRange<Int>? {
    switch change {
    case .text(let node, _, _, _):
      places[node].map { $0.start...(markup[$0.start...].firstIndex(of: UInt8(ascii: "<")) ?? markup.count) }
    case .attributes(let node, _, _): places[node].map { tag(at: $0.start) }
    case .add(let subtree, _): range(of: subtree.root)
    case .move(let node, _, _, _): range(of: node)
    case .remove: nil
    }
  }

  /// The range of a node with its content.
  func range(of node: NodeRef) -> ClosedRange<Int>? { places[node].map { $0.start...$0.end } }

  /// The range of the tag that begins at an offset.
  func tag(at start: Int) -> ClosedRange<Int> { start...endOfTag(from: start) }

  private func endOfTag(from start: Int) -> Int {
    var quote: UInt8?
    for position in start..<markup.count {
      let byte = markup[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return position
      }
    }
    return markup.count
  }
}

extension NodeTree {
  /// The offset of the first node in document order that has one. Elements that the parser has implied have none.
  fileprivate func firstOffset(in top: Index) -> Int? {
    var node: Index? = top
    while let step = node {
      if let offset = offset(of: step) { return offset }
      node = successor(of: step, within: top)
    }
    return nil
  }
}
