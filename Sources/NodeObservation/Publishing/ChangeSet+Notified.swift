package import MarkupDocument

extension ChangeSet {
  /// The nodes whose publishers fire for this change set, each once, in document order.
  ///
  /// The rule of LiveView Native's SwiftUI client, with its faults mended:
  ///
  /// | change | told |
  /// |---|---|
  /// | a text or comment | its parent: text has no view of its own |
  /// | attributes of an element | that element, and nobody else |
  /// | a node added or removed | the parent, once however many there were |
  /// | a node moved | both parents |
  ///
  /// Where the parent is the root, the document is told. A node that came with this very change set is not: whoever
  /// shows it has just read it. One that went is not: its publisher finishes.
  ///
  /// - Parameter document: the document after the change set.
  package func notified(in document: Document) -> [NodeRef] {
    if changes.count == 1, let told = changes[0].onlyTold { return document.contains(told) ? [told] : [] }
    var nodes: Set<NodeRef> = []
    /// Parents that something moved to: no others that are told can have come with the change set.
    var entered: Set<NodeRef> = []
    var lastEntered: NodeRef?
    for change in changes {
      switch change {
      case .text(_, let parent, _, _): nodes.insert(parent)
      case .attributes(let node, _, _): nodes.insert(node)
      case .remove(_, let from, _): nodes.insert(from.parent)
      case .move(_, _, let from, let to):
        // Most of what moves does so among the children of one parent.
        if to.parent == lastEntered, from.parent == to.parent { continue }
        nodes.insert(from.parent)
        entered.insert(to.parent)
        lastEntered = from.parent == to.parent ? to.parent : nil
      case .add(_, let position): nodes.insert(position.parent)
      }
    }
    nodes.formUnion(entered)
    if !entered.isEmpty {
      for case .add(let subtree, _) in changes {
        for node in subtree.nodes { nodes.remove(node.ref) }
      }
    }
    return document.inDocumentOrder(nodes)
  }
}

extension Change {
  /// The one node that is told of this change, unless there may be two.
  fileprivate var onlyTold: NodeRef? {
    switch self {
    case .text(_, let parent, _, _): parent
    case .attributes(let node, _, _): node
    case .add(_, let position), .remove(_, let position, _): position.parent
    case .move: nil
    }
  }
}
