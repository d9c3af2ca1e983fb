internal import CLibrary

extension String {
  /// Equality byte for byte. To `==`, "é" and "e" with a combining accent are equal; to a browser they are not.
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable {
        UnsafeRawBufferPointer(mine).hasSameBytes(as: UnsafeRawBufferPointer($0))
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
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
