#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension String {
  /// Equality byte for byte. To `==`, "é" and "e" with a combining accent are the same; to a browser they are not.
  package func hasSameBytes(as other: String) -> Bool {
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
