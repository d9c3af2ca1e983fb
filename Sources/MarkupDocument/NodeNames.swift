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
    for node in nodes.sorted() where entries.last?.node != node {
      guard let content = document.content(of: node), content != .root else { continue }
      entries.append(Entry(node: node, name: NodeName(content)))
    }
  }

  /// The name of one node, where it has one.
  package init(of node: NodeRef, _ content: NodeContent?) {
    if let content, content != .root { entries = [Entry(node: node, name: NodeName(content))] }
  }

  /// - Complexity: O(log *n*).
  public subscript(node: NodeRef) -> NodeName? {
    let position = entries.partitioningIndex { $0.node >= node }
    return position < entries.count && entries[position].node == node ? entries[position].name : nil
  }
}
