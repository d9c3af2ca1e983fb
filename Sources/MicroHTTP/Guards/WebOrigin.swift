internal import MirrorSupport

/// The origin of a page, as browsers send it in `Origin`: scheme, host and port.
///
///     try WebOrigin("http://localhost:4000")
///     try WebOrigin("https://app.test:443") == WebOrigin("https://APP.test")   // true
///
/// `null`, which pages without an origin send, is not accepted. ``OriginCheck`` compares the origin
/// of a request with the allowed origins.
public struct WebOrigin: Sendable, Hashable {
  private let scheme: String
  private let host: HTTPHost
  /// `nil` if the text has no port and the scheme has no default port, such as the scheme of a
  /// browser extension.
  private let port: UInt16?

  /// - Throws: ``WebOriginError`` if the text is not a scheme, `://`, and a host with an optional
  ///   port.
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

  /// Whether the origin has the host and port of the request's `Host`. The scheme may be `http` or
  /// `https`, since a proxy may terminate TLS.
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

/// The error of a text that is not an origin.
public struct WebOriginError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rejected text.
  public let text: String

  /// A message for the user, without a full stop.
  public var description: String {
    "\u{201C}\(text)\u{201D} is not an origin; expected scheme, host and port without a path, such as "
      + "http://localhost:4000; there is no wildcard for all origins"
  }
}
