#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension UnsafeRawBufferPointer {
  /// Whether another one has the same bytes: compared at once, and not one by one as `elementsEqual` does.
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}
