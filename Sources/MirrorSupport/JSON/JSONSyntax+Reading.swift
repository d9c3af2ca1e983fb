extension JSONSyntax {
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
