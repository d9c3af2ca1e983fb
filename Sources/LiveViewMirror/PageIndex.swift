internal import MarkupDocument

/// Where in a page's markup the nodes of a document were written.
struct PageIndex {
  private let markup: [UInt8]
  /// Where each node begins and where the next one outside of it does.
  private var places: [NodeRef: (start: Int, end: Int)] = [:]

  /// Items of streams and the content of ignored containers, which the page does not name, have no place in it.
  ///
  /// - Complexity: O(*nodes*).
  init(markup: [UInt8], page: Page, morph: Morph.Outcome) {
    self.markup = markup
    let tree = page.tree
    var upcoming = markup.count
    // From the end, so that the start of what follows is known.
    for node in Array(tree.preorder()).reversed() {
      guard let start = tree.offset(of: node), node != NodeTree.root else { continue }
      if let ref = morph.ref(of: node) {
        var end = upcoming
        if let after = tree.successor(of: node, within: NodeTree.root, skippingChildren: true),
          let next = tree.offset(of: after)
        {
          end = next
        } else if tree.firstChild(of: node) != nil {
          end = markup.count
        }
        places[ref] = (start, max(start, end))
      }
      upcoming = start
    }
  }

  /// The markup that decides about a change; `nil` for what is not in this page.
  func range(of change: Change) -> ClosedRange<Int>? {
    switch change {
    case .text(let node, _, _, _):
      places[node].map { $0.start...(markup[$0.start...].firstIndex(of: UInt8(ascii: "<")) ?? markup.count) }
    case .attributes(let node, _, _): places[node].map { $0.start...endOfTag(from: $0.start) }
    case .add(let subtree, _): range(of: subtree.root)
    case .move(let node, _, _, _): range(of: node)
    case .remove: nil
    }
  }

  /// A node with all that stands in it.
  func range(of node: NodeRef) -> ClosedRange<Int>? { places[node].map { $0.start...$0.end } }

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
