/// A note about a page that was parsed all the same.
///
/// Malformed pages produce diagnostics; malformed requests produce errors.
public struct MarkupDiagnostic: Hashable, Sendable {
  /// A stable identifier of the kind, such as `duplicate-attribute`.
  public var code: String
  /// The position in the markup, in UTF-8 bytes.
  public var offset: Int
  /// What is wrong and how browsers repair it, as a sentence.
  public var message: String
  /// The innermost open element, such as `<td>` or `<div#menu>`; `nil` if none was open, or for a fault inside a tag. Unlike
  /// ``offset`` it stays the same when the content before it changes.
  public var inside: String?
  /// The storage index of that element, or of the element that is not closed, in the parsed tree.
  package var element: NodeTree.Index?

  /// A diagnostic about the markup at `offset`.
  public init(code: String, offset: Int, message: String, inside: String? = nil) {
    self.code = code
    self.offset = offset
    self.message = message
    self.inside = inside
  }
}
