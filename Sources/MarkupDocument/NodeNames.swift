/// How some nodes are called: a dictionary for few entries, of which a log keeps very many.
public struct NodeNames: Sendable, Hashable {
  private struct Entry: Sendable, Hashable {
    var node: NodeRef
    var name: NodeName
  }

  /// In the order of their numbers, each node once.
  private var entries: [Entry] = []

  /// The names of those that are elements, text or comments of a document: the root has none.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(of nodes: [NodeRef], in document: Document) {
    for node in nodes.count > 1 ? nodes.sorted() : nodes where entries.last?.node != node {
      guard let content = document.content(of: node), content != .root else { continue }
      if entries.isEmpty, nodes.count == 1 { entries.reserveCapacity(1) }
      entries.append(Entry(node: node, name: NodeName(content)))
    }
  }

  /// - Complexity: O(log *n*).
  public subscript(node: NodeRef) -> NodeName? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].node < node { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].node == node ? entries[low].name : nil
  }
}
