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
  static func appendQuoted(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    for position in bytes.indices {
      let byte = bytes[position]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<position]))
      start = position + 1
      output.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
      case 0x08: output.append(UInt8(ascii: "b"))
      case 0x09: output.append(UInt8(ascii: "t"))
      case 0x0A: output.append(UInt8(ascii: "n"))
      case 0x0C: output.append(UInt8(ascii: "f"))
      case 0x0D: output.append(UInt8(ascii: "r"))
      default:
        let digits = Array("0123456789abcdef".utf8)
        output.append(contentsOf: "u00".utf8)
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
      }
    }
    // Nearly always all of it. A slice would be copied a byte at a time.
    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    output.append(UInt8(ascii: "\""))
  }

  /// A number in decimal digits, without making a string of it.
  package static func append(_ integer: Int, to output: inout [UInt8]) {
    if 0..<10 ~= integer {
      output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: integer))
      return
    }
    // From behind, into a place that holds the longest one with its sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, start) = (integer.magnitude, digits.count)
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if integer < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
