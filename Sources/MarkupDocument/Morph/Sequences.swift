internal import MirrorSupport

/// The indexes of a longest increasing subsequence of distinct numbers.
///
/// Patience sorting with back links (Fredman, 1975). Moving exactly the elements outside of the subsequence restores the order,
/// so the number of moves is minimal.
///
/// - Complexity: O(*n* log *n*), O(*n*) if the numbers are ascending.
package func longestIncreasingSubsequence(of numbers: [Int]) -> [Int] {
  /// Per length: the index of the smallest number that ends an increasing subsequence of that length.
  var ends: [Int] = []
  var previous = Array(repeating: -1, count: numbers.count)
  for (position, number) in numbers.enumerated() {
    let isLongest = ends.last.map { numbers[$0] < number } ?? true
    let length = isLongest ? ends.count : ends.partitioningIndex { numbers[$0] >= number }
    if length > 0 { previous[position] = ends[length - 1] }
    if length == ends.count { ends.append(position) } else { ends[length] = position }
  }
  var subsequence: [Int] = []
  var position = ends.last ?? -1
  while position >= 0 {
    subsequence.append(position)
    position = previous[position]
  }
  return subsequence.reversed()
}

/// Matches the elements of two sequences without crossing pairs. A common prefix and a common suffix are matched first. The
/// rest is matched by the longest common subsequence or, if the table would be too large, greedily.
///
/// - Returns: pairs of indexes, ascending in both.
/// - Complexity: O(*n* + *m*), plus at most ``longestTable`` steps for the middle.
func pairsInOrder(_ n: Int, _ m: Int, isPair: (Int, Int) -> Bool) -> [(Int, Int)] {
  var front = 0
  while front < n, front < m, isPair(front, front) { front += 1 }
  var (oldEnd, newEnd) = (n, m)
  while oldEnd > front, newEnd > front, isPair(oldEnd - 1, newEnd - 1) {
    oldEnd -= 1
    newEnd -= 1
  }
  var pairs = (0..<front).map { ($0, $0) }
  let (rows, columns) = (oldEnd - front, newEnd - front)
  if rows > 0, columns > 0 {
    let middle =
      rows * columns <= longestTable
      ? longestCommonSubsequence(rows, columns) { isPair(front + $0, front + $1) }
      : nextThatFits(rows, columns) { isPair(front + $0, front + $1) }
    pairs += middle.map { (front + $0, front + $1) }
  }
  pairs += (0..<(n - oldEnd)).map { (oldEnd + $0, newEnd + $0) }
  return pairs
}

/// The largest number of cells of the table for the longest common subsequence.
private let longestTable = 1 << 14

private func longestCommonSubsequence(_ n: Int, _ m: Int, isPair: (Int, Int) -> Bool) -> [(Int, Int)] {
  // lengths[i][j]: the length of the longest common subsequence of the elements from i and from j on.
  var lengths = Array(repeating: Array(repeating: Int32(0), count: m + 1), count: n + 1)
  for i in stride(from: n - 1, through: 0, by: -1) {
    for j in stride(from: m - 1, through: 0, by: -1) {
      lengths[i][j] = isPair(i, j) ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
    }
  }
  var pairs: [(Int, Int)] = []
  var (i, j) = (0, 0)
  while i < n, j < m {
    if isPair(i, j) {
      pairs.append((i, j))
      (i, j) = (i + 1, j + 1)
    } else if lengths[i + 1][j] >= lengths[i][j + 1] {
      i += 1
    } else {
      j += 1
    }
  }
  return pairs
}

/// Greedy matching in one pass. An element without a match among the next few elements of the other sequence is skipped.
private func nextThatFits(_ n: Int, _ m: Int, isPair: (Int, Int) -> Bool) -> [(Int, Int)] {
  let reach = 16
  var pairs: [(Int, Int)] = []
  var (i, j) = (0, 0)
  while i < n, j < m {
    if isPair(i, j) {
      pairs.append((i, j))
      (i, j) = (i + 1, j + 1)
    } else if let ahead = (1...reach).first(where: { i + $0 < n && isPair(i + $0, j) }) {
      i += ahead
    } else {
      j += 1
    }
  }
  return pairs
}
