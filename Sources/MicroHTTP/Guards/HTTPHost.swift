import CLibrary
internal import MirrorSupport

/// A host from a `Host` header, an `Origin` or a command line, normalised for comparison.
/// ``HTTPAuthority`` and ``HostPattern`` parse it.
///
///     HTTPHost("LocalHost.")     // .name("localhost")
///     HTTPHost("127.0.0.1")      // .ipv4(0x7F00_0001)
///     HTTPHost("[::1]")          // .ipv6([0, …, 1])
///
/// Parsing is strict: other forms that a resolver may accept as an address (`2130706433`, `0x7f.1`,
/// `127.1`, `127.0.0.01`) are names, and a name never equals an address. IPv6 needs brackets and
/// must not have a zone.
enum HTTPHost: Sendable, Hashable {
  /// In lower case, without a trailing dot.
  case name(String)
  case ipv4(UInt32)
  case ipv6([UInt8])

  /// - Returns: `nil` if the text is empty or too long, or has a character that is not allowed in a
  ///   host name.
  init?(_ text: Substring) {
    var text = text
    guard let host = text.withUTF8({ HTTPHost($0[...]) }) else { return nil }
    self = host
  }

  fileprivate init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    if text.first == UInt8(ascii: "[") {
      guard text.last == UInt8(ascii: "]"), text.count > 1,
        let bytes = Self.ipv6(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
      else { return nil }
      self = .ipv6(bytes)
    } else if let number = Self.ipv4(text) {
      self = .ipv4(number)
    } else {
      let name = text.last == UInt8(ascii: ".") ? text.dropLast() : text
      guard Self.isName(name) else { return nil }
      self = .name(String(decoding: name.lazy.map(\.lowercasedASCII), as: UTF8.self))
    }
  }

  /// Whether the host is always the local machine: `localhost` and names that end in `.localhost`
  /// (RFC 6761 §6.3), 127.0.0.0/8 and `::1`.
  var isLoopback: Bool {
    switch self {
    case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
    case .ipv4(let number): number >> 24 == 127
    case .ipv6(let bytes): bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
  }

  /// Parses four decimal numbers from 0 to 255 without leading zeros.
  private static func ipv4(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
    // Called for every request, so the text is parsed in place, without substrings.
    var (address, parts) = (UInt32(0), 0)
    var (number, digits) = (UInt32(0), 0)
    for byte in text {
      if byte == UInt8(ascii: ".") {
        guard digits > 0, parts < 3 else { return nil }
        (address, parts) = (address << 8 | number, parts + 1)
        (number, digits) = (0, 0)
        continue
      }
      guard byte.isASCIIDigit, digits == 0 || number > 0 else { return nil }
      number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
      digits += 1
      guard number <= 255 else { return nil }
    }
    return digits > 0 && parts == 3 ? address << 8 | number : nil
  }

  /// Parses an IPv6 address with `inet_pton`, which accepts no zone, no port and no brackets.
  static func ipv6(_ text: String) -> [UInt8]? {
    guard text.utf8.count < 46, !text.utf8.contains(0) else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    return withUnsafeBytes(of: &address) { Array($0) }
  }

  /// Whether a text is a host name: non-empty labels of up to 63 letters, digits, `-` and `_`
  /// (which browsers allow), 253 bytes at most.
  private static func isName(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard (1...253).contains(text.count) else { return false }
    var length = 0
    for byte in text {
      if byte == UInt8(ascii: ".") {
        guard length > 0 else { return false }
        length = 0
        continue
      }
      length += 1
      let isFit = byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      guard isFit, length <= 63 else { return false }
    }
    return length > 0
  }
}

/// A host with an optional port: the value of a `Host` header, and the part of an origin after its
/// scheme. ``HTTPRequest`` and ``WebOrigin`` parse it.
struct HTTPAuthority: Sendable, Hashable {
  let host: HTTPHost
  let port: UInt16?

  /// - Returns: `nil` if the text is not valid, such as one with a user, a space, or a port that is
  ///   not a number from 1 to 65535.
  init?(_ text: Substring) {
    var text = text
    guard let authority = text.withUTF8({ HTTPAuthority($0[...]) }) else { return nil }
    self = authority
  }

  /// Called for every request, so the text is parsed in place.
  private init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    // Colons inside of brackets are part of the address.
    let end =
      text.first == UInt8(ascii: "[") ? text.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex : text.startIndex
    guard let colon = text[end...].firstIndex(of: UInt8(ascii: ":")) else {
      guard let host = HTTPHost(text) else { return nil }
      (self.host, port) = (host, nil)
      return
    }
    guard let host = HTTPHost(text[..<colon]), let port = Self.port(text[(colon + 1)...]) else { return nil }
    (self.host, self.port) = (host, port)
  }

  private static func port(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt16? {
    guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
    var number = 0
    for byte in digits {
      guard byte.isASCIIDigit else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return UInt16(exactly: number)
  }
}
