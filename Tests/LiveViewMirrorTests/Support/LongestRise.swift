extension [Int] {
  /// The length of the longest increasing subsequence: the largest number of entries of a reordered
  /// list that need not move.
  ///
  /// - Complexity: O(*n*²), deliberately the simplest algorithm.
  var longestRise: Int {
    var lengths: [Int] = []
    for (index, number) in enumerated() {
      lengths.append(1 + (indices.prefix(index).filter { self[$0] < number }.map { lengths[$0] }.max() ?? 0))
    }
    return lengths.max() ?? 0
  }
}
