internal import MirrorSupport

/// How logs, pages and texts show a node, which may have been removed since: an element by its tag
/// and `id`, another node by its kind. A ``Change`` keeps the name of a removed or moved node.
public enum DisplayName: Sendable, Hashable {
  /// An element with its `id`, if it has one.
  case element(tag: String, id: String?)
  /// A text node.
  case text
  /// A text node of white space only.
  case blank
  /// A comment.
  case comment
  /// A processing instruction.
  case processingInstruction

  /// The name of a node with this content.
  package init(_ content: NodeContent) {
    switch content {
    case .element(let element): self = .element(tag: element.tag, id: element.id)
    case .comment: self = .comment
    case .processingInstruction: self = .processingInstruction
    case .text(let text): self = text.utf8.allSatisfy(\.isASCIIWhitespace) ? .blank : .text
    case .root: self = .text
    }
  }

  /// The tag of an element; `nil` for other nodes.
  public var tag: String? { if case .element(let tag, _) = self { tag } else { nil } }
}

extension DisplayName: CustomStringConvertible {
  /// `<li#a>` for an element, otherwise the kind of the node.
  public var description: String {
    switch self {
    case .element(let tag, let id): "<\(tag)\(id.map { "#\($0)" } ?? "")>"
    case .text, .blank: "text"
    case .comment: "comment"
    case .processingInstruction: "processing instruction"
    }
  }
}

/// The display names of a few nodes, such as those of a change record. A sorted array is smaller
/// than a dictionary, and a log keeps one of these for each entry.
public struct DisplayNames: Sendable, Hashable {
  private struct Entry: Sendable, Hashable {
    var node: NodeRef
    var name: DisplayName
  }

  /// Ascending by node, without duplicates.
  private var entries: [Entry] = []

  /// The names of those of `nodes` that are in the document. The root has no name.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(of nodes: [NodeRef], in document: Document) {
    for node in nodes.sorted() where entries.last?.node != node {
      guard let content = document.content(of: node), content != .root else { continue }
      entries.append(Entry(node: node, name: DisplayName(content)))
    }
  }

  /// The name of one node. Empty for the root, and if `content` is `nil`.
  package init(of node: NodeRef, _ content: NodeContent?) {
    if let content, content != .root { entries = [Entry(node: node, name: DisplayName(content))] }
  }

  /// The name of a node; `nil` if it is not among the entries.
  /// - Complexity: O(log *n*).
  public subscript(node: NodeRef) -> DisplayName? {
    let position = entries.partitioningIndex { $0.node >= node }
    return position < entries.count && entries[position].node == node ? entries[position].name : nil
  }
}
