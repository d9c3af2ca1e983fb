extension JSONSyntax {
  /// The place after a string, or after the last byte if the string does not end.
  ///
  /// - Parameter start: the place of the quote that begins it.
  /// - Complexity: O(*bytes of the string*).
  package static func end(ofStringAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var place = start + 1
    while true {
      place += plainCount(UnsafeBufferPointer(rebasing: bytes[min(place, bytes.count)...]))
      if place >= bytes.count { return bytes.count }
      if bytes[place] == UInt8(ascii: "\"") { return place + 1 }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  /// The characters of a string in JSON, given the bytes between its quotes. Half of a surrogate pair becomes U+FFFD.
  ///
  /// - Complexity: O(*bytes*).
  package static func unescaped(_ content: ArraySlice<UInt8>) -> String {
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
