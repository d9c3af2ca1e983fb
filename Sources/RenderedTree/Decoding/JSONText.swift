extension JSONText {
  /// A string as JSON writes it, quotes included.
  package init(quoting string: String) {
    var output: [UInt8] = []
    Self.appendQuoted(string, to: &output)
    self.init(String(decoding: output, as: UTF8.self))
  }

  package static func appendQuoted(_ string: String, to output: inout [UInt8]) {
    var string = string
    string.withUTF8 { appendQuoted($0, to: &output) }
  }

  /// Escapes what RFC 8259 says must be escaped and nothing else, as Phoenix's own encoder does.
  package static func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = start + plainCount(UnsafeBufferPointer(rebasing: bytes[start...]))
      // Nearly always all of it. A slice would be copied a byte at a time.
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
      if end == bytes.count { break }
      appendEscape(of: bytes[end], to: &output)
      start = end + 1
    }
    output.append(UInt8(ascii: "\""))
  }

  /// How many bytes stand before the first that must be escaped.
  package static func plainCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var position = 0
    while position + 8 <= raw.count, !hasEscaped(raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)) {
      position += 8
    }
    while position < raw.count, !isEscaped(raw[position]) { position += 1 }
    return position
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Whether one of eight bytes must be escaped. A byte is less than *n*, at most 128, where *n* taken from it sets the
  /// highest bit and it did not have it; it equals *c* where it differs from *c* by less than 1. What is borrowed from the
  /// byte beside can only come from one for which this holds.
  private static func hasEscaped(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = bytes ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = bytes ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let below =
      (bytes &- ones &* 0x20) & ~bytes | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
    return below & (ones &* 0x80) != 0
  }

  private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestEscape) { escape in
      let count = writeEscape(of: byte, to: escape)
      output.append(contentsOf: UnsafeBufferPointer(rebasing: escape[..<count]))
    }
  }

  /// How many bytes the longest escape has.
  package static var longestEscape: Int { 6 }

  /// Writes the escape of a byte to where there is room for the longest.
  ///
  /// - Returns: how many bytes it has.
  package static func writeEscape(of byte: UInt8, to output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    output[0] = UInt8(ascii: "\\")
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output[1] = byte
    case 0x08: output[1] = UInt8(ascii: "b")
    case 0x09: output[1] = UInt8(ascii: "t")
    case 0x0A: output[1] = UInt8(ascii: "n")
    case 0x0C: output[1] = UInt8(ascii: "f")
    case 0x0D: output[1] = UInt8(ascii: "r")
    default:
      (output[1], output[2], output[3]) = (UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"))
      (output[4], output[5]) = (hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15))
      return 6
    }
    return 2
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// A number in decimal digits, without making a string of it.
  package static func append(_ integer: Int, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      let count = write(integer, to: digits)
      output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[..<count]))
    }
  }

  /// Writes a number in decimal digits to where there is room for the longest: 20 bytes, its sign among them.
  ///
  /// - Returns: how many bytes it has.
  package static func write(_ integer: Int, to output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if 0..<10 ~= integer {
      output[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: integer)
      return 1
    }
    var count = integer < 0 ? 2 : 1
    var rest = integer.magnitude
    while rest >= 10 {
      count += 1
      rest /= 10
    }
    rest = integer.magnitude
    for place in stride(from: count - 1, through: integer < 0 ? 1 : 0, by: -1) {
      output[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    if integer < 0 { output[0] = UInt8(ascii: "-") }
    return count
  }
}
