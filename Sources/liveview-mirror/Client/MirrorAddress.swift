/// The address of a running mirror, such as `http://localhost:8080`. ``MirrorClient`` connects to
/// it. A parsed address has a host that is not empty, and a port that is not 0.
struct MirrorAddress: Sendable, Hashable, CustomStringConvertible {
  /// A host name or an IP address, without brackets.
  let host: String
  let port: UInt16
  /// The path of the mirror behind a proxy, without a slash at the end. Usually empty.
  let path: String

  init(host: String, port: UInt16, path: String = "") {
    self.host = host
    self.port = port
    self.path = path
  }

  /// Why a text is not an address of a mirror.
  enum Failure: Error, Equatable, CustomStringConvertible {
    case encrypted
    case malformed

    var description: String {
      switch self {
      case .encrypted:
        "must begin with http://: the commands speak HTTP without TLS. Name the port of the mirror itself, or a tunnel to it"
      case .malformed: "must be the address of a mirror, such as http://localhost:8080"
      }
    }
  }

  /// Parses `http://host[:port][/path]`. The scheme may be omitted. The default port is 80, as for
  /// every `http` URL.
  init(_ text: String) throws(Failure) {
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") {
      let name = rest[..<scheme.lowerBound].lowercased()
      if name == "https" { throw .encrypted }
      guard name == "http" else { throw .malformed }
      rest = rest[scheme.upperBound...]
    }
    guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#@\\".utf8.contains($0) }) else { throw .malformed }
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    guard let (host, port) = Self.authority(rest[..<end]) else { throw .malformed }
    var path = String(rest[end...])
    while path.hasSuffix("/") { path.removeLast() }
    self.init(host: host, port: port, path: path)
  }

  private static func authority(_ text: Substring) -> (host: String, port: UInt16)? {
    var (host, port) = (text, Substring("80"))
    if text.hasPrefix("[") {
      guard let close = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<close]
      guard IPAddress(String(host))?.isIPv6 == true else { return nil }
      let rest = text[text.index(after: close)...]
      if !rest.isEmpty {
        guard rest.hasPrefix(":") else { return nil }
        port = rest.dropFirst()
      }
    } else if let colon = text.firstIndex(of: ":") {
      (host, port) = (text[..<colon], text[text.index(after: colon)...])
    }
    guard !host.isEmpty, let number: UInt16 = SettingText.number(port), number > 0 else { return nil }
    return (String(host), number)
  }

  /// The host and the port as the `Host` header has them.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 80 ? name : "\(name):\(port)"
  }

  var description: String { "http://\(authority)\(path)" }
}
