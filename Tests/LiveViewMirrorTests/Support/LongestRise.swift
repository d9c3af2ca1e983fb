extension [Int] {
  /// The length of the longest row of ever larger numbers, with others left out: so many entries need not move.
  ///
  /// - Complexity: O(*n*²), as one would write it down.
  var longestRise: Int {
    var lengths: [Int] = []
    for (index, number) in enumerated() {
      lengths.append(1 + (indices.prefix(index).filter { self[$0] < number }.map { lengths[$0] }.max() ?? 0))
    }
    return lengths.max() ?? 0
  }
}
