internal import MirrorSupport

/// The byte classes of HTTP's grammar.
extension UInt8 {
  /// Whether the byte is allowed in a method or a header name (RFC 9110 §5.6.2).
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

  /// Whether the byte is allowed in a header value: no control character except the tab (RFC 9110 §5.5).
  var isFieldByte: Bool { self >= 0x20 && self != 0x7F || self == UInt8(ascii: "\t") }

  /// Whether the byte is a space or tab, HTTP's optional whitespace (RFC 9110 §5.6.3).
  var isOptionalWhitespace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Substring {
  /// The text without leading and trailing spaces and tabs, as in the items of a header list.
  var trimmingOptionalWhitespace: Substring {
    var bytes = utf8
    while let first = bytes.first, first.isOptionalWhitespace { bytes.removeFirst() }
    while let last = bytes.last, last.isOptionalWhitespace { bytes.removeLast() }
    return Substring(bytes)
  }
}

extension StringProtocol {
  /// The text with ASCII letters in lower case and all other characters unchanged. Unicode case mapping would turn `K` (Kelvin
  /// sign) into `k`.
  var asciiLowercased: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}
