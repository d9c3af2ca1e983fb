internal import MarkupDocument

/// The attribute that says which element of the document a drawn element shows. A page needs it to
/// act on the document, and to patch what it shows in place. The inspector's `DocumentPage` and
/// `DocumentPatch` write markup with this attribute.
package enum ElementNumber {
  /// The name of the attribute. Its value is the number of a `NodeRef`.
  package static let attribute: StaticString = "data-mirror-node"

  /// Writes the attribute into the first tag of a drawing. It comes before all attributes of the
  /// element, so a parser drops one of the same name that the element has.
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
