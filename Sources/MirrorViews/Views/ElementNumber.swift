internal import MarkupDocument

/// The attribute that says which element of the document a drawn element shows. The scripts of a
/// page find the element of a node by this attribute, to send inputs and to apply patches. The
/// inspector's `DocumentPage` and `DocumentPatch` write markup with this attribute.
package enum ElementNumber {
  /// The name of the attribute. Its value is the number of a `NodeRef`.
  package static let attribute: StaticString = "data-mirror-node"

  /// Writes the attribute into the first tag of a drawing. The new attribute comes first, so if the
  /// element has an attribute of the same name, a parser drops that one.
  ///
  /// - Returns: `false` if the drawing does not begin with a tag. Nothing is written then.
  static func write(_ node: NodeRef, into markup: [UInt8], at output: inout [UInt8]) -> Bool {
    guard markup.first == UInt8(ascii: "<"),
      let end = markup.dropFirst().firstIndex(where: { " >/\t\n".utf8.contains($0) }), end > 1,
      markup[1] != UInt8(ascii: "!"), markup[1] != UInt8(ascii: "?")
    else { return false }
    output += markup[..<end]
    output += " \(attribute)=\"\(node.number)\"".utf8
    output += markup[end...]
    return true
  }
}
