internal import MirrorSupport

/// The indexes of a longest increasing subsequence of distinct numbers: among the longest ones, one
/// with as many preferred elements as possible. ``Matches`` calls it for the children of a node,
/// and `ListUpdate` for the entries of a list.
///
/// Moving exactly the elements outside of the subsequence restores the order, so the number of
/// moves is minimal. The callers prefer the elements whose index does not change, because the move
/// of such an element would begin and end at the same position.
///
///     old  a b c        a longest subsequence   [c], [b] or [a]
///     new  c b a        the preferred one       [b], so that c and a move
///
/// Not every move from a position to the same position can be avoided: in the reorder of `a b c d
/// e` to `d e c a b`, the longest subsequences are `d e` and `a b`. Neither contains `c`, although
/// its index stays the same.
///
/// - Parameter isPreferred: whether the element at an index is preferred.
/// - Complexity: O(*n* log *n*), O(*n*) if the numbers are ascending.
package func longestIncreasingSubsequence(of numbers: [Int], preferring isPreferred: (Int) -> Bool) -> [Int] {
  if zip(numbers, numbers.dropFirst()).allSatisfy(<) { return Array(numbers.indices) }
  let piles = Piles(of: numbers)
  let subsequence = piles.subsequence
  let preferred = numbers.indices.count(where: isPreferred)
  // Most orders need no second pass.
  if preferred == 0 || subsequence.count(where: isPreferred) == preferred { return subsequence }
  return piles.subsequence(of: numbers, preferring: isPreferred)
}

/// Patience sorting with back links (Fredman, 1975).
///
/// The *pile* of an element is the length of the longest increasing subsequence that ends with the
/// element, minus 1. In a pile, later elements have smaller numbers.
private struct Piles {
  /// The pile of each element.
  private var ofElements: [Int] = []
  /// For each element, the top of the pile below when the element was placed; -1 in the first pile.
  private var previous: [Int] = []
  /// Per pile: the last element, which has the smallest number.
  private var tops: [Int] = []

  init(of numbers: [Int]) {
    ofElements.reserveCapacity(numbers.count)
    previous.reserveCapacity(numbers.count)
    for (position, number) in numbers.enumerated() {
      let isLongest = tops.last.map { numbers[$0] < number } ?? true
      let pile = isLongest ? tops.count : tops.partitioningIndex { numbers[$0] >= number }
      previous.append(pile > 0 ? tops[pile - 1] : -1)
      if pile == tops.count { tops.append(position) } else { tops[pile] = position }
      ofElements.append(pile)
    }
  }

  /// A longest increasing subsequence.
  var subsequence: [Int] { chain(endingWith: tops.last ?? -1, previous) }

  /// The longest increasing subsequence with the most preferred elements.
  ///
  /// Each pile is kept as a stack of the elements that can still precede others: an element is
  /// discarded when a later one, which has a smaller number, ends a subsequence with at least as
  /// many preferred elements. So from bottom to top, the numbers in a stack descend, and so do the
  /// counts of preferred elements. The best predecessor of an element is therefore in the stack of
  /// the pile below: the lowest one whose number is smaller.
  func subsequence(of numbers: [Int], preferring isPreferred: (Int) -> Bool) -> [Int] {
    // One array holds all stacks. No stack can be higher than its pile, so each stack has as many
    // places as its pile has elements.
    var stacks = [Int](repeating: 0, count: numbers.count)
    var starts = [Int](repeating: 0, count: tops.count + 1)
    for pile in ofElements { starts[pile + 1] += 1 }
    for pile in tops.indices { starts[pile + 1] += starts[pile] }
    var ends = starts
    var best = previous
    /// Per element: the number of preferred elements of the best subsequence that ends with the
    /// element.
    var preferred = [Int](repeating: 0, count: numbers.count)
    for (position, number) in numbers.enumerated() {
      let pile = ofElements[position]
      var count = isPreferred(position) ? 1 : 0
      if pile > 0 {
        let (start, end) = (starts[pile - 1], ends[pile - 1])
        let below = end - start == 1 ? start : stacks[start..<end].partitioningIndex { numbers[$0] < number }
        best[position] = stacks[below]
        count += preferred[stacks[below]]
      }
      preferred[position] = count
      var end = ends[pile]
      while end > starts[pile], preferred[stacks[end - 1]] <= count { end -= 1 }
      stacks[end] = position
      ends[pile] = end + 1
    }
    return chain(endingWith: stacks[starts[tops.count - 1]], best)
  }

  private func chain(endingWith last: Int, _ previous: [Int]) -> [Int] {
    var subsequence: [Int] = []
    subsequence.reserveCapacity(tops.count)
    var position = last
    while position >= 0 {
      subsequence.append(position)
      position = previous[position]
    }
    return subsequence.reversed()
  }
}

/// Matches the elements of two sequences without crossing pairs. A common prefix and a common
/// suffix are matched first. The rest is matched by the longest common subsequence or, if the table
/// would be too large, greedily.
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
  // lengths[i][j]: the length of the longest common subsequence of the first sequence from i on and
  // the second from j on.
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

/// Greedy matching in one pass. Each element of the second sequence is paired with the next
/// matching element of the first one. If none of the next few elements matches, the element of the
/// second sequence is skipped.
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
