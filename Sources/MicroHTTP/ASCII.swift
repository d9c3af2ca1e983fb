/// What the grammar of HTTP needs to know about bytes.
extension UInt8 {
  var asciiLowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// Whether it may stand in a method or in the name of a header (RFC 9110 §5.6.2).
  var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"),
      UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Whether it may stand in the value of a header: no control character but the tab (RFC 9110 §5.5).
  var isFieldByte: Bool { self >= 0x20 && self != 0x7F || self == UInt8(ascii: "\t") }

  /// The space or tab that HTTP calls optional whitespace.
  var isOptionalWhitespace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// The value of a hexadecimal digit of either case, or `nil`.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Substring {
  /// Without the spaces and tabs around it, as HTTP reads the items of a list.
  var trimmingOptionalWhitespace: Substring {
    var bytes = utf8
    while let first = bytes.first, first.isOptionalWhitespace { bytes.removeFirst() }
    while let last = bytes.last, last.isOptionalWhitespace { bytes.removeLast() }
    return Substring(bytes)
  }
}

extension StringProtocol {
  /// ASCII letters in lower case, all else untouched: no Unicode folding, which would let `K` (Kelvin) be a `k`.
  var asciiLowercased: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }
}
