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
  var firstTag: Int? {
    var rest = utf8[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "<") {
        guard rest.starts(with: "<!--".utf8) else { return utf8.distance(from: startIndex, to: rest.startIndex) }
        guard let end = rest.dropFirst(4).firstRange(of: "-->".utf8) else { return nil }
        rest = rest[end.upperBound...]
      } else if [0x20, 0x0A, 0x09, 0x0D, 0x0C].contains(byte) {
        rest = rest.dropFirst()
      } else {
        return nil
      }
    }
    return nil
  }
}
