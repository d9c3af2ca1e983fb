/// A URL that cannot run code: with the scheme `http` or `https`, or without a scheme. The view of
/// a `Link` has one as its destination.
///
/// ```swift
/// @Attribute("destination") var destination: AllowedURL?    // javascript:… is nil, and a problem of the tree
/// ```
///
/// Before browsers look for the scheme, they strip leading white space and control characters, and
/// remove all tabs and line breaks (WHATWG URL, basic URL parser). A URL with any such character is
/// therefore rejected, not corrected. A backslash is rejected too, because browsers read it as `/`.
/// A URL with a colon before the first `/`, `?` or `#` is also rejected, unless the text before
/// that colon is an allowed scheme.
public struct AllowedURL: Hashable, Sendable, AttributeDecodable {
  /// The URL as it was written.
  public let text: String

  /// Checks a URL.
  ///
  /// - Throws: ``AttributeMismatch`` for any other scheme, and for characters that a URL must not
  ///   contain.
  /// - Complexity: O(*characters*).
  public init(attribute value: String) throws(AttributeMismatch) {
    guard let text = Self.checked(value, allowing: { $0 == "http" || $0 == "https" }) else {
      throw AttributeMismatch("an address: http, https, or a path")
    }
    self.text = text
  }

  /// The URL, if it has an allowed scheme or no scheme; otherwise `nil`.
  fileprivate static func checked(_ text: String, allowing isAllowed: (String) -> Bool) -> String? {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
    guard isPlain, !text.isEmpty else { return nil }
    let first = text.utf8.prefix { !"/?#".utf8.contains($0) }
    guard let colon = first.firstIndex(of: UInt8(ascii: ":")) else { return text }
    return isAllowed(String(text[..<colon]).lowercased()) ? text : nil
  }
}

/// The URL of an image: an ``AllowedURL``, or a `data:image/…` URL that contains the image itself.
/// ``AllowedURL`` rejects `data:` URLs, because a link with such a URL would open the data as a
/// page.
public struct AllowedImageURL: Hashable, Sendable, AttributeDecodable {
  /// The URL as it was written.
  public let text: String

  /// Checks a URL.
  ///
  /// - Throws: ``AttributeMismatch`` for any other scheme, and for characters that a URL must not
  ///   contain.
  /// - Complexity: O(*characters*).
  public init(attribute value: String) throws(AttributeMismatch) {
    let isOfImage = value.prefix(11).lowercased() == "data:image/"
    guard
      let text = AllowedURL.checked(
        value, allowing: { $0 == "http" || $0 == "https" || ($0 == "data" && isOfImage) })
    else { throw AttributeMismatch("an image's address: http, https, a path, or data:image/…") }
    self.text = text
  }
}
