/// A note about a page that was parsed all the same.
///
/// Malformed pages produce diagnostics; malformed requests produce errors.
public struct MarkupDiagnostic: Hashable, Sendable {
  /// A stable identifier of the kind, such as `duplicate-attribute`.
  public var code: String
  /// The position in the markup, in UTF-8 bytes.
  public var offset: Int
  /// What is wrong and how the parser repaired it, as a sentence.
  public var message: String

  /// A diagnostic about the markup at `offset`.
  public init(code: String, offset: Int, message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}
