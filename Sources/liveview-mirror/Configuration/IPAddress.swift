internal import CLibrary

/// An IPv4 or IPv6 address. The settings, ``MirrorAddress`` and ``Healthcheck`` parse addresses
/// with it.
struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// 4 or 16 bytes in network order.
  let bytes: [UInt8]

  /// - Precondition: 4 or 16 bytes.
  init(bytes: [UInt8]) {
    precondition(bytes.count == 4 || bytes.count == 16)
    self.bytes = bytes
  }

  /// Parses an address; `nil` for any other text, such as a host name.
  init?(_ text: String) {
    var buffer = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &buffer) == 1 {
      bytes = Array(buffer.prefix(4))
    } else if inet_pton(AF_INET6, text, &buffer) == 1 {
      bytes = buffer
    } else {
      return nil
    }
  }

  var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  var isIPv6: Bool { bytes.count == 16 }

  /// Whether only this machine can reach the address: `127.0.0.0/8`, the same addresses in IPv6
  /// (`::ffff:127.0.0.1`), and `::1`.
  var isLoopback: Bool {
    if !isIPv6 { return bytes[0] == 127 }
    if bytes == [UInt8](repeating: 0, count: 15) + [1] { return true }
    return bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) && bytes[12] == 127
  }

  /// Whether the address means all addresses of the machine.
  var isWildcard: Bool { bytes.allSatisfy { $0 == 0 } }
}
