extension RandomAccessCollection {
  /// The position of the first element for which `isPast` holds; `endIndex` if there is none. If
  /// `isPast` holds for an element, it must hold for all later ones. Look-ups in sorted lists use
  /// it, such as that of a version in the log.
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
