#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An IPv4 or IPv6 address, as far as the program has to tell them apart.
struct IPAddress: Sendable, Hashable {
  /// In the order of the network: 4 of them, or 16.
  let bytes: [UInt8]

  /// - Precondition: there are 4 or 16.
  init(bytes: [UInt8]) {
    precondition(bytes.count == 4 || bytes.count == 16)
    self.bytes = bytes
  }

  /// `nil` for everything else, names among it.
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

  var isIPv6: Bool { bytes.count == 16 }

  /// Whether only this machine can reach it: `127.0.0.0/8`, `::1`, and the former written as IPv6.
  var isLoopback: Bool {
    if !isIPv6 { return bytes[0] == 127 }
    if bytes == [UInt8](repeating: 0, count: 15) + [1] { return true }
    return bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) && bytes[12] == 127
  }

  /// Whether it stands for every address of the machine.
  var isWildcard: Bool { bytes.allSatisfy { $0 == 0 } }
}

extension SettingValue {
  static func isLoopback(_ address: String) -> Bool { IPAddress(address)?.isLoopback ?? false }
}
