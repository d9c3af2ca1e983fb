internal import MarkupDocument

/// The attribute by which a drawn element names the element of the document that it shows. The
/// scripts of a page find the element of a node by this attribute, to send inputs and to apply
/// patches. The inspector's `DocumentPage` and `DocumentPatch` write markup with this attribute.
package enum ElementNumber {
  /// The name of the attribute. Its value is the number of a `NodeRef`.
  package static let attribute: StaticString = "data-mirror-node"

  /// Writes the attribute into the first tag of a drawing. The new attribute comes first in the
  /// tag. If the element has an attribute of the same name, a parser therefore drops the element's
  /// own attribute.
  ///
  /// - Returns: `false` if the markup does not begin with a start tag. In this case nothing is
  ///   written.
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
