extension RandomAccessCollection {
  /// The first position for which `isPast` holds, in a collection where it holds from some position
  /// on. Look-ups in sorted lists use it, such as that of a version in the log.
  ///
  /// - Complexity: O(log *n*).
  @inlinable public func partitioningIndex(where isPast: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isPast(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
