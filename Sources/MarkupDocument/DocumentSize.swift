/// How large a document is: its nodes, their attributes, and at most how many bytes it takes as markup or as JSON.
///
/// A small input can make a large document: a formatting element with a long attribute is cloned into every paragraph to
/// come, every `<` of a text becomes four bytes and every control character six, and a stream's items stay while new ones
/// arrive. Each reader of the document pays for its size, so an update that makes it larger than ``maximum`` is refused.
package struct DocumentSize: Hashable, Sendable {
  package var nodes: Int
  package var attributes: Int
  /// Names, texts and attributes with everything escaped, and what a start and an end tag take besides. Not less than
  /// the markup, and not less than the strings of the document as JSON.
  package var bytes: Int

  package init(nodes: Int = 0, attributes: Int = 0, bytes: Int = 0) {
    self.nodes = nodes
    self.attributes = attributes
    self.bytes = bytes
  }

  /// The size of a document, found by a walk.
  ///
  /// - Complexity: O(*bytes*).
  package init(of document: Document) {
    self.init()
    for node in document.tree.preorder() { self += document.tree[node].size }
  }

  /// The largest document that an update may make.
  package static let maximum = DocumentSize(
    nodes: MarkupParser.maximumNodes, attributes: 524_288, bytes: 16 << 20)

  /// Whether the document is within ``maximum``.
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
  /// The size after a change set.
  ///
  /// - Parameter document: as it is before the change set.
  /// - Complexity: O(*bytes of what the changes name*).
  package func changed(by changeSet: ChangeSet, in document: Document) -> DocumentSize {
    var size = self
    for change in changeSet.changes {
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

  /// The node of a change set that takes the most bytes.
  ///
  /// - Complexity: O(*bytes of what the changes add*).
  package static func largestArrival(of changeSet: ChangeSet) -> (name: NodeName, bytes: Int)? {
    var largest: (content: NodeContent, bytes: Int)?
    for case .add(let subtree, _) in changeSet.changes {
      for node in subtree.nodes {
        let bytes = node.content.size.bytes
        if bytes > largest?.bytes ?? -1 { largest = (node.content, bytes) }
      }
    }
    return largest.map { (NodeName($0.content), $0.bytes) }
  }

  fileprivate static func size(ofAttribute name: String, _ value: String) -> DocumentSize {
    DocumentSize(attributes: 1, bytes: name.utf8.count + value.escapedSize + 6)
  }
}

extension NodeContent {
  /// The size of the node, its children apart.
  fileprivate var size: DocumentSize {
    switch self {
    case .root: DocumentSize(nodes: 1)
    case .text(let text): DocumentSize(nodes: 1, bytes: text.escapedSize)
    case .comment(let text): DocumentSize(nodes: 1, bytes: text.escapedSize + 7)
    case .processingInstruction(let instruction):
      DocumentSize(nodes: 1, bytes: instruction.target.utf8.count + instruction.data.escapedSize + 5)
    case .element(let element):
      // `<`, `></`, `>`, and the line feed that `pre` may get.
      element.attributes.reduce(into: DocumentSize(nodes: 1, bytes: 2 * element.tag.utf8.count + 6)) {
        $0 += DocumentSize.size(ofAttribute: $1.name, $1.value)
      }
    }
  }
}

extension String {
  /// At most how many bytes the string takes in markup, in an attribute, or in JSON.
  ///
  /// - Complexity: O(*bytes*).
  fileprivate var escapedSize: Int {
    var text = self
    return text.withUTF8 { bytes in
      var size = bytes.count
      for byte in bytes {
        // Most bytes are letters: one comparison for them, and for the bytes of other scripts.
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
