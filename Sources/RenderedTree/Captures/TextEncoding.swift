internal import MirrorSupport

/// The encodings of the files that are read: UTF-8, and UTF-16 as Windows PowerShell writes it with `>`.
enum TextEncoding {
  /// The mark that editors on Windows write at the beginning of a file in UTF-8.
  static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A text as UTF-8 without a byte-order mark. Half of a surrogate pair, and half of a unit at the end, becomes U+FFFD.
  ///
  /// - Complexity: O(*bytes*), and O(1) for UTF-8 without a mark.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: mark) { return Array(bytes.dropFirst(mark.count)) }
    guard let order = order(of: bytes) else { return bytes }
    let start = bytes.starts(with: order.mark) ? 2 : 0
    var units = stride(from: start, to: bytes.count - 1, by: 2).map { place in
      UInt16(bytes[place + order.high]) << 8 | UInt16(bytes[place + 1 - order.high])
    }
    if (bytes.count - start) % 2 == 1 { units.append(0xFFFD) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The order of the two bytes of a unit of UTF-16.
  private enum Order {
    case littleEndian, bigEndian

    /// The place of the high byte.
    var high: Int { self == .bigEndian ? 0 : 1 }
    var mark: [UInt8] { self == .bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE] }
  }

  /// The order of a text in UTF-16; `nil` for another encoding.
  ///
  /// Without a mark, zero bytes decide. Every format begins with characters of ASCII, or an arrow and then such characters, and
  /// their high bytes are zero. A text in UTF-8 has no zero bytes.
  private static func order(of bytes: [UInt8]) -> Order? {
    for order in [Order.littleEndian, .bigEndian] where bytes.starts(with: order.mark) { return order }
    let beginning = bytes.prefix(64)
    var zeros = [0, 0]
    for (place, byte) in beginning.enumerated() where byte == 0 { zeros[place % 2] += 1 }
    if zeros[0] == 0, zeros[1] * 4 > beginning.count { return .littleEndian }
    if zeros[1] == 0, zeros[0] * 4 > beginning.count { return .bigEndian }
    return nil
  }
}
