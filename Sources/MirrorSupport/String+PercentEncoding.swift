extension String {
  /// Percent-encodes (RFC 3986) all bytes except ASCII letters, digits and the characters of
  /// `others`. The inspector encodes links with it, and `WireDecoder` encodes names of form fields.
  ///
  /// - Parameter others: further ASCII characters that are not encoded.
  package func percentEncoded(except others: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte.isASCIIAlphanumeric || others.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
