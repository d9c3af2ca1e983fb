/// Classes of ASCII bytes.
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
