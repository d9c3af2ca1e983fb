/// The classes of bytes that markup is scanned by.
extension UInt8 {
  @inline(__always) var isASCIIUppercase: Bool { self &- 0x41 < 26 }

  @inline(__always) var lowercasedASCII: UInt8 { isASCIIUppercase ? self | 0x20 : self }

  @inline(__always) var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

  @inline(__always) var isASCIIAlphanumeric: Bool { isASCIILetter || self &- 0x30 < 10 }

  /// Tab, line feed, form feed, carriage return and space: the standard's "ASCII whitespace".
  @inline(__always) var isASCIIWhitespace: Bool {
    self == 0x20 || (self <= 0x0D && self >= 0x09 && self != 0x0B)
  }

  @inline(__always) var hexadecimalDigit: UInt32? {
    if self &- 0x30 < 10 { return UInt32(self &- 0x30) }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? UInt32(letter) + 10 : nil
  }
}
