internal import MirrorSupport

/// The names of a few nodes. A sorted array is smaller than a dictionary, and a log keeps one of these for each entry.
public struct NodeNames: Sendable, Hashable {
  private struct Entry: Sendable, Hashable {
    var node: NodeRef
    var name: NodeName
  }

  /// Ascending by node, without duplicates.
  private var entries: [Entry] = []

  /// The names of those of `nodes` that are in the document. The root has no name.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(of nodes: [NodeRef], in document: Document) {
    for node in nodes.sorted() where entries.last?.node != node {
      guard let content = document.content(of: node), content != .root else { continue }
      entries.append(Entry(node: node, name: NodeName(content)))
    }
  }

  /// The name of one node; empty for the root and without content.
  package init(of node: NodeRef, _ content: NodeContent?) {
    if let content, content != .root { entries = [Entry(node: node, name: NodeName(content))] }
  }

  /// The name of a node; `nil` if it is not among the entries.
  /// - Complexity: O(log *n*).
  public subscript(node: NodeRef) -> NodeName? {
    let position = entries.partitioningIndex { $0.node >= node }
    return position < entries.count && entries[position].node == node ? entries[position].name : nil
  }
}
