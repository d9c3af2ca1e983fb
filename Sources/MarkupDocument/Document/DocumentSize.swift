/// The size of a document: its nodes, its attributes, and an upper bound of its length as markup or
/// JSON.
///
/// A small input can make a large document. A formatting element with a long attribute is cloned
/// into every following paragraph, a `<` in a text becomes four bytes, a control character six, and
/// a stream keeps its items while new ones arrive. Every reader of the document pays for its size,
/// so an update that exceeds ``maximum`` is rejected.
///
/// Full and scoped updates compute the new size from the change set before they commit.
package struct DocumentSize: Hashable, Sendable {
  /// The number of nodes.
  package var nodes: Int
  /// The number of attributes of all elements.
  package var attributes: Int
  /// An upper bound of the markup's length in bytes, and of all the document's strings as JSON:
  /// names, escaped texts and escaped attribute values, and the punctuation of the tags.
  package var bytes: Int

  /// A size; the default is that of an empty document without a root.
  package init(nodes: Int = 0, attributes: Int = 0, bytes: Int = 0) {
    self.nodes = nodes
    self.attributes = attributes
    self.bytes = bytes
  }

  /// Measures a document by a walk.
  ///
  /// - Complexity: O(*bytes*).
  package init(of document: Document) {
    self.init()
    for node in document.tree.preorder() { self += document.tree[node].size }
  }

  /// The largest document that an update may produce.
  package static let maximum = DocumentSize(
    nodes: MarkupParser.maximumNodes, attributes: 524_288, bytes: 16 << 20)

  /// Whether the document exceeds ``maximum``.
  package var isExcessive: Bool {
    nodes > Self.maximum.nodes || attributes > Self.maximum.attributes || bytes > Self.maximum.bytes
  }

  fileprivate static func += (size: inout DocumentSize, other: DocumentSize) {
    size.nodes += other.nodes
    size.attributes += other.attributes
    size.bytes += other.bytes
  }

  fileprivate static func -= (size: inout DocumentSize, other: DocumentSize) {
    size.nodes -= other.nodes
    size.attributes -= other.attributes
    size.bytes -= other.bytes
  }
}

extension DocumentSize {
  /// The size after a change set was applied.
  ///
  /// - Parameter document: the document before the change set.
  /// - Complexity: O(*bytes of the changed nodes*).
  package func changed(by changeSet: ChangeSet, in document: Document) -> DocumentSize {
    var size = self
    for change in changeSet.all {
      switch change {
      case .text(_, _, let before, let after):
        size.bytes += after.escapedSize - before.escapedSize
      case .attributes(_, _, let changes):
        for change in changes {
          if let value = change.after { size += Self.size(ofAttribute: change.name, value) }
          if let value = change.before { size -= Self.size(ofAttribute: change.name, value) }
        }
      case .add(let subtree, _):
        for node in subtree.nodes { size += node.content.size }
      case .remove(let nodes, _, _):
        for node in nodes { size -= document.content(of: node)?.size ?? DocumentSize() }
      case .move: break
      }
    }
    return size
  }

  /// The added node that takes the most bytes; `nil` if the change set adds none.
  ///
  /// - Complexity: O(*bytes of the added nodes*).
  package static func largestArrival(of changeSet: ChangeSet) -> (name: DisplayName, bytes: Int)? {
    var largest: (content: NodeContent, bytes: Int)?
    for case .add(let subtree, _) in changeSet.all {
      for node in subtree.nodes {
        let bytes = node.content.size.bytes
        if bytes > largest?.bytes ?? -1 { largest = (node.content, bytes) }
      }
    }
    return largest.map { (DisplayName($0.content), $0.bytes) }
  }

  fileprivate static func size(ofAttribute name: String, _ value: String) -> DocumentSize {
    DocumentSize(attributes: 1, bytes: name.utf8.count + value.escapedSize + 6)
  }
}

extension NodeContent {
  /// The size of the node without its children.
  fileprivate var size: DocumentSize {
    switch self {
    case .root: DocumentSize(nodes: 1)
    case .text(let text): DocumentSize(nodes: 1, bytes: text.escapedSize)
    case .comment(let text): DocumentSize(nodes: 1, bytes: text.escapedSize + 7)
    case .processingInstruction(let instruction):
      DocumentSize(nodes: 1, bytes: instruction.target.utf8.count + instruction.data.escapedSize + 5)
    case .element(let element):
      // `<`, `></`, `>`, and the line feed that may follow `<pre>`.
      element.attributes.reduce(into: DocumentSize(nodes: 1, bytes: 2 * element.tag.utf8.count + 6)) {
        $0 += DocumentSize.size(ofAttribute: $1.name, $1.value)
      }
    }
  }
}

extension String {
  /// An upper bound of the string's bytes in a text, in an attribute value, or in JSON.
  ///
  /// - Complexity: O(*bytes*).
  fileprivate var escapedSize: Int {
    var text = self
    return text.withUTF8 { bytes in
      var size = bytes.count
      for byte in bytes {
        // Most bytes are letters or belong to characters outside of ASCII. The `guard` skips them.
        guard byte < 0x3F || byte == UInt8(ascii: "\\") || byte == 0xC2 else { continue }
        switch byte {
        case UInt8(ascii: "&"): size += 4
        case UInt8(ascii: "<"), UInt8(ascii: ">"): size += 3
        case UInt8(ascii: "\""): size += 5
        case UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\\"): size += 1
        case 0..<0x20: size += 5
        // The first byte of a no-break space, `&nbsp;`.
        case 0xC2: size += 4
        default: break
        }
      }
      return size
    }
  }
}
