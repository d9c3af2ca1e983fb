/// Accepts only requests whose `Host` header names this server.
///
/// Protects against DNS rebinding: a page of `evil.test` sends a request to its own host name,
/// which now resolves to 127.0.0.1, and the browser treats the response as same-origin. Such a
/// request still has `Host: evil.test`, which is not a name of this server.
///
/// Accepted are the names of the local machine (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`),
/// the address that the server listens on, and the `allowed` hosts. The port is not checked, since
/// a container or proxy may map it.
///
/// Without a `Host`, with two, or with a malformed one, a request gets a 400. With another host it
/// gets a 421. `liveview-mirror serve` puts this check around ``OriginCheck``.
public struct HostCheck: HTTPHandler {
  private let handler: any HTTPHandler
  private let allowed: [HostPattern]
  private let hint: String

  /// - Parameters:
  ///   - handler: handles the accepted requests.
  ///   - allowed: hosts that are accepted besides the local machine and `address`.
  ///   - address: the address that the server listens on. A wildcard address (`0.0.0.0`, `::`) adds
  ///     no accepted host.
  ///   - hint: a sentence for the refused client that says what to do.
  public init(_ handler: any HTTPHandler, allowed: [HostPattern] = [], address: String? = nil, hint: String = "") {
    self.handler = handler
    let listening = address.flatMap { try? HostPattern($0) }
    self.allowed = allowed + [listening].compactMap { $0 }.filter { !$0.host.isWildcard }
    self.hint = hint
  }

  /// - Throws: 400 or 421 for a request that is not accepted, and the errors of the handler.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    guard let host = request.authority?.host else {
      throw HTTPError(.badRequest, "The request must have exactly one Host header: a host with an optional port.")
    }
    guard host.isLoopback || allowed.contains(where: { $0.matches(host) }) else {
      let name = request.headers["Host"] ?? ""
      throw HTTPError(
        .misdirectedRequest,
        "This server does not accept requests for the host \u{201C}\(name)\u{201D}.\(hint.isEmpty ? "" : " \(hint)")")
    }
    return try handler.handle(request)
  }
}

extension HTTPHost {
  /// Whether the host is the wildcard address, which stands for all addresses of a machine.
  var isWildcard: Bool {
    switch self {
    case .name: false
    case .ipv4(let number): number == 0
    case .ipv6(let bytes): bytes.allSatisfy { $0 == 0 }
    }
  }
}

/// A host that a server accepts in requests.
///
///     try HostPattern("mirror.test")     // that name, at any port
///     try HostPattern(".mirror.test")    // that name and all its subdomains
///     try HostPattern("192.168.1.7")     // an address; IPv6 with or without brackets
public struct HostPattern: Sendable, Hashable {
  let host: HTTPHost
  private let takesSubdomains: Bool

  /// - Throws: ``HostPatternError`` if the text is not a host, or is an address after a dot.
  public init(_ text: String) throws(HostPatternError) {
    if let address = HTTPHost.ipv6(text) {
      host = .ipv6(address)
      takesSubdomains = false
      return
    }
    takesSubdomains = text.utf8.first == UInt8(ascii: ".")
    guard let host = HTTPHost(takesSubdomains ? text.dropFirst() : text[...]) else {
      throw HostPatternError(text: text)
    }
    if takesSubdomains, case .name = host {} else if takesSubdomains { throw HostPatternError(text: text) }
    self.host = host
  }

  func matches(_ other: HTTPHost) -> Bool {
    if other == host { return true }
    guard takesSubdomains, case .name(let name) = other, case .name(let suffix) = host else { return false }
    return name.hasSuffix(".\(suffix)")
  }
}

/// A text is not a host.
public struct HostPatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rejected text.
  public let text: String

  /// A message for the user, without a full stop.
  public var description: String {
    "\u{201C}\(text)\u{201D} is not a host; expected a name such as mirror.test, .mirror.test for all its subdomains, or an IP "
      + "address, without scheme and port"
  }
}
