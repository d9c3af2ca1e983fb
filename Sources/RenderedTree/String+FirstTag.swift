extension String {
  /// The byte offset of the first tag, after white space and comments; `nil` if anything else comes before it.
  ///
  /// - Complexity: O(*bytes before the tag*).
  var firstTag: Int? {
    var text = self
    return text.withUTF8 { bytes in
      var place = 0
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0C: place += 1
        case UInt8(ascii: "<"):
          guard bytes[place...].starts(with: "<!--".utf8) else { return place }
          place += "<!--".utf8.count
          while place < bytes.count, !bytes[place...].starts(with: "-->".utf8) { place += 1 }
          place += "-->".utf8.count
        default: return nil
        }
      }
      return nil
    }
  }
}
