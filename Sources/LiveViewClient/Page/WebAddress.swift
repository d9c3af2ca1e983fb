internal import MirrorSupport

/// An `http` or `https` URL, split into its parts. The client uses it for pages, redirects and
/// sockets, and `attach` also for the address of the mirror.
///
/// The initializer ensures what the comment of each property states, such as that ``path`` is never
/// empty. Code that changes a property must keep this true.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  /// `http` or `https`.
  public var scheme: String
  /// A name or an IP address, in lower case. IPv6 has no brackets.
  public var host: String
  /// The port; the usual port of the scheme if the URL has no port.
  public var port: Int
  /// The path, which begins with `/`. Never empty.
  public var path: String
  /// The text after `?`; `nil` without one.
  public var query: String?
  /// The text after `#`; `nil` without one.
  public var fragment: String?
  /// The user name and password before the host, such as `user:pass`, as they are encoded in the
  /// URL. The ``description`` and the ``origin`` do not contain them.
  package var userInfo: String?

  /// - Returns: `nil` if the text is not a complete `http` or `https` URL.
  public init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    scheme = text[..<colon.lowerBound].lowercased()
    guard let usual = Self.usualPort(of: scheme) else { return nil }
    let rest = text[colon.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    var authority = rest[..<end]
    if let at = authority.lastIndex(of: "@") {
      userInfo = String(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    var portText: Substring?
    if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
      host = authority[authority.index(after: authority.startIndex)..<bracket].lowercased()
      let after = authority[authority.index(after: bracket)...]
      if after.hasPrefix(":") { portText = after.dropFirst() } else if !after.isEmpty { return nil }
    } else {
      let colon = authority.firstIndex(of: ":")
      host = authority[..<(colon ?? authority.endIndex)].lowercased()
      portText = colon.map { authority[authority.index(after: $0)...] }
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    if let portText, !portText.isEmpty {
      guard let number = Int(portText), (1...65_535).contains(number) else { return nil }
      port = number
    } else {
      port = usual
    }
    (path, query, fragment) = Self.parts(rest[end...])
    if path.isEmpty { path = "/" }
  }

  private static func usualPort(of scheme: String) -> Int? { ["http": 80, "https": 443][scheme] }

  /// The path, query and fragment of a reference without scheme and host. Bytes that a request line
  /// cannot contain are encoded.
  private static func parts(_ text: Substring) -> (path: String, query: String?, fragment: String?) {
    let hash = text.firstIndex(of: "#")
    let fragment = hash.map { String(text[text.index(after: $0)...]) }
    let before = text[..<(hash ?? text.endIndex)]
    let mark = before.firstIndex(of: "?")
    let query = mark.map { encoded(before[before.index(after: $0)...]) }
    return (encoded(before[..<(mark ?? before.endIndex)]), query, fragment)
  }

  private static func encoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return String(text) }
    return text.utf8.map { $0 <= 0x20 || $0 >= 0x7F ? escape($0) : String(UnicodeScalar($0)) }.joined()
  }

  private static func escape(_ byte: UInt8) -> String {
    (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }

  // MARK: - Parts

  /// Whether connections use TLS.
  public var isSecure: Bool { scheme == "https" }

  /// The host with its port, unless it is the usual port of the scheme.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return Self.usualPort(of: scheme) == port ? name : "\(name):\(port)"
  }

  /// The origin, such as `http://localhost:4000`.
  public var origin: String { "\(scheme)://\(authority)" }

  /// The path with its query.
  public var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// The whole URL.
  public var description: String { origin + target + (fragment.map { "#\($0)" } ?? "") }

  /// A URL as messages show it: without a user name and a password, with `…` in the place of its
  /// query, and without its fragment. Any of them may hold a token.
  ///
  /// - Parameter text: a URL, or another text.
  package static func withoutSecrets(_ text: String) -> String {
    // In a valid URL the first "/" ends the host's part. In an invalid URL a password may contain a
    // "/", so everything up to the last "@" may be secret.
    let isValid = WebAddress(text) != nil
    var text = text.prefix { $0 != "#" }
    let query = text.firstIndex(of: "?")
    if let query { text = text[..<query] }
    var shown = String(text)
    if let scheme = text.firstRange(of: "://") {
      let rest = text[scheme.upperBound...]
      let authority = isValid ? rest.prefix { $0 != "/" } : rest
      if let at = authority.lastIndex(of: "@") {
        shown = String(text[..<scheme.upperBound] + rest[rest.index(after: at)...])
      }
    }
    return query == nil ? shown : shown + "?\u{2026}"
  }

  /// The URL without its fragment.
  var withoutFragment: WebAddress {
    var address = self
    address.fragment = nil
    return address
  }

  /// Adds a parameter to the query.
  mutating func addQuery(_ name: String, _ value: String) {
    let item = "\(Self.queryText(name))=\(Self.queryText(value))"
    query = query.map { $0.isEmpty ? item : "\($0)&\(item)" } ?? item
  }

  /// A text as a name or value of a query.
  package static func queryText(_ text: String) -> String {
    text.utf8.map { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) ? String(UnicodeScalar($0)) : escape($0) }
      .joined()
  }

  /// The bytes of a text in which `%` and two digits encode a byte.
  static func decoded(_ text: String) -> [UInt8] {
    var (output, rest): ([UInt8], [UInt8].SubSequence) = ([], Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(\.hexadecimalDigit)
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        output.append(digits[0] << 4 | digits[1])
        rest = rest.dropFirst(2)
      } else {
        output.append(byte)
      }
    }
    return output
  }

  // MARK: - References

  /// Resolves a reference, such as the `href` of a link, against this address (RFC 3986, section
  /// 5.2).
  ///
  /// - Returns: `nil` if the reference has another scheme than `http` and `https`, or an invalid
  ///   host or port.
  public func resolving(_ reference: String) -> WebAddress? {
    if let absolute = WebAddress(reference) { return absolute }
    if reference.hasPrefix("//") { return WebAddress("\(scheme):\(reference)") }
    if let colon = reference.firstIndex(of: ":"), !reference[..<colon].contains(where: { "/?#".contains($0) }) {
      return nil
    }
    var address = self
    let (path, query, fragment) = Self.parts(reference[...])
    address.fragment = fragment
    if path.isEmpty {
      address.query = query ?? self.query
      return address
    }
    address.query = query
    let folder = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
    address.path = Self.withoutDots(path.hasPrefix("/") ? path : folder + path)
    return address
  }

  private static func withoutDots(_ path: String) -> String {
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("") }
      case "..":
        _ = output.popLast()
        if isLast { output.append("") }
      default: output.append(segment)
      }
    }
    return "/" + output.joined(separator: "/")
  }
}
