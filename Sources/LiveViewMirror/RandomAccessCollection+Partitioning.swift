extension RandomAccessCollection where Index == Int {
  /// The first position for which `isPast` holds, in a collection where it holds from some position on.
  ///
  /// - Complexity: O(log *count*).
  func partitioningIndex(where isPast: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
