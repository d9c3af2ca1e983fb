/// A host that a server answers to.
///
///     try HostPattern("mirror.test")     // that name, at any port
///     try HostPattern(".mirror.test")    // that name and every name under it
///     try HostPattern("192.168.1.7")     // an address; IPv6 with brackets or without
public struct HostPattern: Sendable, Hashable {
  let host: HTTPHost
  private let takesSubdomains: Bool

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

/// A text that names no host.
public struct HostPatternError: Error, Sendable, Hashable, CustomStringConvertible {
  public let text: String

  public var description: String {
    "\u{201C}\(text)\u{201D} is no host; write a name such as mirror.test, .mirror.test for all names under it, or an "
      + "address, without a scheme and without a port"
  }
}
