package import MarkupDocument

extension ChangeSet {
  /// The nodes whose subscribers are notified of this change set, each once, in document order.
  /// Each update calls this function once, and ``NodePublishers/publish(_:notified:replacing:)``
  /// sends a signal to each of these nodes.
  ///
  /// The rule follows LiveView Native's SwiftUI client, but corrects its faults:
  ///
  /// | change | notified |
  /// |---|---|
  /// | a text or comment | its parent: a text has no view of its own |
  /// | attributes of an element | only that element |
  /// | a node added or removed | the parent, once for any number of nodes |
  /// | a node moved | both parents |
  ///
  /// If the parent is the root, the subscribers of the document are notified too. An added node is
  /// not notified, because its view has just read it. A removed node is not notified either: its
  /// subscribers receive a last signal instead.
  ///
  /// - Parameter document: the document after the change set.
  package func notified(in document: Document) -> [NodeRef] {
    if changes.count == 1, let node = changes[0].onlyNotified { return document.contains(node) ? [node] : [] }
    var nodes: Set<NodeRef> = []
    /// The parents that nodes moved to. Of all parents, only these can be nodes that the change set
    /// itself adds. Such nodes are removed from the result below.
    var entered: Set<NodeRef> = []
    var lastEntered: NodeRef?
    for change in changes {
      let (first, second) = change.notified
      if case .move = change {
        // Most moves are among the children of one parent, which is then already in the sets.
        if second == nil, first == lastEntered { continue }
        entered.insert(second ?? first)
        lastEntered = second == nil ? first : nil
      }
      nodes.insert(first)
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
