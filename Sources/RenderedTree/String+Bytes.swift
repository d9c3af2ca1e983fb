#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension String {
  /// Equality byte for byte. To `==`, "é" and "e" with a combining accent are the same; to a browser they are not.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        guard let mine = mine.baseAddress, let start = theirs.baseAddress else { return true }
        return memcmp(mine, start, theirs.count) == 0
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// Where the first tag begins, as a count of bytes, behind white space and comments; `nil` where something else comes first.
  ///
  /// - Complexity: O(*bytes before it*).
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
