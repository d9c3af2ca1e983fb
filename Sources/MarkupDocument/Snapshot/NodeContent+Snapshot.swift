internal import MirrorSupport

/// The kinds of nodes in a snapshot. An element's kind includes its namespace.
private enum NodeKind {
  static let (text, comment, instruction): (UInt8, UInt8, UInt8) = (0, 1, 2)
  /// The kind of an element without its namespace.
  static let element: UInt8 = 3
}

extension NodeContent {
  /// Writes a node of a document without its children. The root is not written.
  func write(to writer: inout SnapshotWriter) {
    switch self {
    case .root: break
    case .text(let text):
      writer.write(byte: NodeKind.text)
      writer.write(text)
    case .comment(let text):
      writer.write(byte: NodeKind.comment)
      writer.write(text)
    case .processingInstruction(let instruction):
      writer.write(byte: NodeKind.instruction)
      writer.write(instruction.target)
      writer.write(instruction.data)
    case .element(let element):
      writer.write(byte: NodeKind.element + element.namespace.rawValue)
      writer.write(element.tag)
      writer.write(all: element.attributes) { attribute, writer in
        writer.write(attribute.name)
        writer.write(attribute.value)
      }
    }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    switch try reader.byte() {
    case NodeKind.text: self = .text(try reader.string())
    case NodeKind.comment: self = .comment(try reader.string())
    case NodeKind.instruction:
      self = .processingInstruction(ProcessingInstruction(target: try reader.string(), data: try reader.string()))
    case let kind:
      guard let namespace = Namespace(rawValue: kind - NodeKind.element) else {
        throw reader.malformed("\(kind) is not a kind of node")
      }
      let tag = try reader.string()
      let attributes = try reader.all { reader throws(SnapshotError) in
        Element.Attribute(try reader.string(), try reader.string())
      }
      self = .element(Element(tag: tag, namespace: namespace, attributes: attributes))
    }
  }
}
