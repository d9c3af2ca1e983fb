/// An address that a page may name without running anything: `http`, `https`, or one without a scheme.
///
/// ```swift
/// @Attribute("destination") var destination: AllowedURL?    // javascript:… is nil, and a problem of the tree
/// ```
///
/// Browsers strip white space and control characters before they look for the scheme, and take out tabs and line breaks
/// inside of it. So an address with any of them is refused, and not mended; so is one whose first part has a colon and is
/// no scheme that is allowed.
public struct AllowedURL: Hashable, Sendable, AttributeDecodable {
  /// The address as it was written.
  public let text: String

  /// - Throws: ``AttributeMismatch`` for any other scheme, and for characters that have no place in an address.
  /// - Complexity: O(*characters*).
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let text = Self.checked(value, hosting: { $0 == "http" || $0 == "https" }) else {
      throw AttributeMismatch("an address: http, https, or a path")
    }
    self.text = text
  }

  /// The text, where its scheme is allowed or it has none.
  fileprivate static func checked(_ text: String, hosting isAllowed: (String) -> Bool) -> String? {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    guard isPlain, !text.isEmpty else { return nil }
    let first = text.utf8.prefix { !"/?#".utf8.contains($0) }
    guard let colon = first.firstIndex(of: UInt8(ascii: ":")) else { return text }
    return isAllowed(String(text[..<colon]).lowercased()) ? text : nil
  }
}

/// An address that an image may be loaded from: an ``AllowedURL``, or an image that stands in the address itself,
/// `data:image/…`. As a link that would be a page, and is not allowed.
public struct AllowedImageURL: Hashable, Sendable, AttributeDecodable {
  /// The address as it was written.
  public let text: String

  /// - Throws: ``AttributeMismatch`` for any other scheme, and for characters that have no place in an address.
  /// - Complexity: O(*characters*).
  public init(attribute value: String) throws(AttributeMismatch) {
    let isOfImage = value.prefix(11).lowercased() == "data:image/"
    guard
      let text = AllowedURL.checked(
        value, hosting: { $0 == "http" || $0 == "https" || ($0 == "data" && isOfImage) })
    else { throw AttributeMismatch("an image's address: http, https, a path, or data:image/…") }
    self.text = text
  }
}
