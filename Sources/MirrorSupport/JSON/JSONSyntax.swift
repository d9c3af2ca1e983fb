/// The syntax of strings and numbers in JSON (RFC 8259). ``JSONWriter`` and `JSONScanner` use it.
public enum JSONSyntax {
  /// Whether a byte is white space between values.
  package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// A string as JSON, with its quotes.
  public static func quoted(_ string: String) -> String {
    var output: [UInt8] = []
    appendQuoted(string, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends a string as JSON, with its quotes.
  public static func appendQuoted(_ string: String, to output: inout [UInt8]) {
    var string = string
    string.withUTF8 { appendQuoted($0, to: &output) }
  }

  /// Appends UTF-8 bytes as a string in JSON, with its quotes. Escapes only what RFC 8259 requires,
  /// as Phoenix's own encoder does.
  public static func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = start + plainCount(UnsafeBufferPointer(rebasing: bytes[start...]))
      // The bytes without escapes are nearly always the whole string. A slice would be copied byte
      // by byte, so the buffer is rebased.
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
      if end == bytes.count { break }
      appendEscape(of: bytes[end], to: &output)
      start = end + 1
    }
    output.append(UInt8(ascii: "\""))
  }

  /// The number of bytes before the first one that must be escaped.
  public static func plainCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
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

  /// Whether one of eight bytes must be escaped. A byte is less than *n* (*n* ≤ 128) if its highest
  /// bit is clear and becomes set when *n* is subtracted. A byte equals *c* if its exclusive or
  /// with *c* is less than 1. A subtraction borrows from the next higher byte only if the lower
  /// byte itself satisfies the test. The test of the higher byte may then be wrong, but the answer
  /// for all eight is right.
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

  /// The number of bytes of the longest escape.
  public static var longestEscape: Int { 6 }

  /// Writes the escape of a byte. `output` must have space for ``longestEscape`` bytes.
  ///
  /// - Returns: the number of bytes written.
  public static func writeEscape(of byte: UInt8, to output: UnsafeMutableBufferPointer<UInt8>) -> Int {
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

  /// Appends a number in decimal digits, without an intermediate string.
  public static func append(_ integer: Int, to output: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      let count = write(integer, to: digits)
      output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[..<count]))
    }
  }

  /// Writes a number in decimal digits. `output` must have space for 20 bytes, the longest number
  /// with its sign.
  ///
  /// - Returns: the number of bytes written.
  public static func write(_ integer: Int, to output: UnsafeMutableBufferPointer<UInt8>) -> Int {
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

  // MARK: - Reading

  /// The characters of a string in JSON, given the bytes between its quotes. Half of a surrogate
  /// pair becomes U+FFFD.
  ///
  /// - Complexity: O(*bytes*).
  package static func unescaped(_ content: ArraySlice<UInt8>) -> String {
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    var output: [UInt8] = []
    var units: [UInt16] = []
    func flush() {
      output.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
      units = []
    }
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
        flush()
        output.append(byte)
        continue
      }
      if escape == UInt8(ascii: "u") {
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
        continue
      }
      flush()
      switch escape {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      default: output.append(escape)
      }
    }
    flush()
    return String(decoding: output, as: UTF8.self)
  }
}
