/// Something in a page that a reader should know of: the page was read all the same.
///
/// Malformed pages are diagnostics, malformed requests are errors.
public struct MarkupDiagnostic: Hashable, Sendable {
  /// A stable word for the kind, such as `duplicate-attribute`.
  public var code: String
  /// Where in the markup, in UTF-8 bytes.
  public var offset: Int
  /// What it is and what was done about it, as a sentence.
  public var message: String

  public init(code: String, offset: Int, message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}
