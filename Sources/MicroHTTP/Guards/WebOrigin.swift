/// Where a page comes from, as browsers say in `Origin`: scheme, host and port.
///
///     try WebOrigin("http://localhost:4000")
///     try WebOrigin("https://app.test:443") == WebOrigin("https://APP.test")   // true
///
/// `null`, which a page without an origin sends, is none.
public struct WebOrigin: Sendable, Hashable {
  private let scheme: String
  private let host: HTTPHost
  /// `nil` only where the scheme has no port of its own, such as an extension's.
  private let port: UInt16?

  public init(_ text: String) throws(WebOriginError) {
    guard let end = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[end...].utf8.starts(with: "://".utf8) else {
      throw WebOriginError(text: text)
    }
    let scheme = text[..<end].asciiLowercased
    let isScheme =
      scheme.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
      && scheme.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte.isASCIIDigit || "+-.".utf8.contains(byte)
      }
    guard isScheme, let authority = HTTPAuthority(text[end...].dropFirst(3)) else { throw WebOriginError(text: text) }
    self.scheme = scheme
    host = authority.host
    port = authority.port ?? Self.port(of: scheme)
  }

  /// Whether it is the origin of who asked this very server, by either scheme: whoever stands in front may speak TLS.
  func isOwn(of request: HTTPRequest) -> Bool {
    guard let ownPort = Self.port(of: scheme), let authority = request.authority, authority.host == host else {
      return false
    }
    return (authority.port ?? ownPort) == port
  }

  private static func port(of scheme: String) -> UInt16? {
    switch scheme {
    case "http": 80
    case "https": 443
    default: nil
    }
  }
}

/// A text that is no origin.
public struct WebOriginError: Error, Sendable, Hashable, CustomStringConvertible {
  public let text: String

  public var description: String {
    "\u{201C}\(text)\u{201D} is no origin; write scheme, host and port as in http://localhost:4000, without a path; there is "
      + "no origin that stands for all"
  }
}
