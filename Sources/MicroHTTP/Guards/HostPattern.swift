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
