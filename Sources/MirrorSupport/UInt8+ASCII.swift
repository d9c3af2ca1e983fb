/// Classes of ASCII bytes. The parsers of markup and HTTP use them.
extension UInt8 {
  /// `A` to `Z`.
  @inlinable @inline(__always) public var isASCIIUppercase: Bool { self &- 0x41 < 26 }

  /// The lower case of an upper case letter; the same byte otherwise.
  @inlinable @inline(__always) public var lowercasedASCII: UInt8 { isASCIIUppercase ? self | 0x20 : self }

  /// `A` to `Z` and `a` to `z`.
  @inlinable @inline(__always) public var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// `0` to `9`.
  @inlinable @inline(__always) public var isASCIIDigit: Bool { self &- 0x30 < 10 }

  /// A letter or a digit.
  @inlinable @inline(__always) public var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

  /// Tab, line feed, form feed, carriage return and space: the WHATWG's "ASCII whitespace".
  @inlinable @inline(__always) public var isASCIIWhitespace: Bool {
    self == 0x20 || (self <= 0x0D && self >= 0x09 && self != 0x0B)
  }

  /// The value of a hexadecimal digit of either case; `nil` for another byte.
  @inlinable @inline(__always) public var hexadecimalDigit: UInt8? {
    if isASCIIDigit { return self &- 0x30 }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }
}

/// The byte classes of HTTP's grammar.
extension UInt8 {
  /// Whether the byte is allowed in a method or a header name (RFC 9110 §5.6.2).
  @inlinable public var isTokenByte: Bool {
    if isASCIIAlphanumeric { return true }
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      return true
    default: return false
    }
  }

  /// Whether the byte is allowed in a header value: no control character except the tab (RFC 9110
  /// §5.5).
  @inlinable public var isFieldByte: Bool { self >= 0x20 && self != 0x7F || self == UInt8(ascii: "\t") }

  /// Whether the byte is a space or tab, HTTP's optional whitespace (RFC 9110 §5.6.3).
  @inlinable public var isOptionalWhitespace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Substring {
  /// The text without leading and trailing spaces and tabs, as in the items of a header list.
  @inlinable public var trimmingOptionalWhitespace: Substring {
    var bytes = utf8
    while let first = bytes.first, first.isOptionalWhitespace { bytes.removeFirst() }
    while let last = bytes.last, last.isOptionalWhitespace { bytes.removeLast() }
    return Substring(bytes)
  }
}

extension StringProtocol {
  /// The text with ASCII letters in lower case and all other characters unchanged. Unicode case
  /// mapping would turn `K` (Kelvin sign) into `k`.
  @inlinable public var asciiLowercased: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}
