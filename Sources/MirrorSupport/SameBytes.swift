internal import CLibrary

extension String {
  /// Equality byte for byte. To `==`, "é" and "e" with a combining accent are equal; to a browser
  /// they are not. Texts, attributes and statics are compared with it.
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable {
        UnsafeRawBufferPointer(mine).hasSameBytes(as: UnsafeRawBufferPointer($0))
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether the bytes of another string occur in this string. `contains` compares characters.
  /// Selectors such as `[class*="a"]` and the search for comments in statics use it.
  ///
  /// - Complexity: O(*n* · *m*) for *n* and *m* bytes, of which the system's library compares 16 or
  ///   more at a time.
  public func hasBytes(of part: String) -> Bool {
    var (text, part) = (self, part)
    return text.withUTF8 { text in
      part.withUTF8 { part in
        guard let first = part.first, let pattern = part.baseAddress else { return true }
        var rest = UnsafeRawBufferPointer(text)
        while rest.count >= part.count, let start = rest.baseAddress,
          let found = memchr(start, Int32(first), rest.count - part.count + 1)
        {
          if memcmp(found, pattern, part.count) == 0 { return true }
          rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - start + 1)...])
        }
        return false
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Equality by one `memcmp`. `elementsEqual` compares byte by byte.
  public func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

extension Sequence<String> {
  /// The strings in the order of their bytes. Snapshots write sets in this order, because it is the
  /// same with every version of Unicode.
  package func sortedByBytes() -> [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}
