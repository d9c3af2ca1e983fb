/// Base64 with padding (RFC 4648, section 4). ``PageLoader`` encodes the user name and password of
/// a URL with it.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        output.append(digit <= group.count ? digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
