/// The differences of two texts, line by line. ``ComparisonText`` and ``ComparisonMarkdown`` show
/// that of a ``Divergence``.
package struct LineDifference: Sendable, Hashable {
  package enum Line: Sendable, Hashable {
    case both(String)
    case before(String)
    case after(String)
    /// The number of lines of both texts that are left out.
    case gap(Int)
  }

  package private(set) var lines: [Line] = []

  /// The number of unchanged lines around a change.
  private static let context = 3
  /// Beyond this number of comparisons, the changed part is shown as all old lines, then all new
  /// ones.
  private static let longestComparison = 4_000_000

  /// - Complexity: O(*n* · *m*) for the lines between the first and the last difference, at most
  ///   ``longestComparison``.
  package init(_ before: [String], _ after: [String]) {
    let start = zip(before, after).prefix { $0 == $1 }.count
    let most = min(before.count, after.count) - start
    let end = zip(before.reversed(), after.reversed()).prefix(most).prefix { $0 == $1 }.count
    let (old, new) = (before[start..<(before.count - end)], after[start..<(after.count - end)])
    let all = before[..<start].map(Line.both) + Self.changes(Array(old), Array(new)) + before.suffix(end).map(Line.both)
    lines = Self.shortened(all)
  }

  /// The changes by the longest common subsequence.
  private static func changes(_ old: [String], _ new: [String]) -> [Line] {
    guard old.count * new.count <= longestComparison else { return old.map(Line.before) + new.map(Line.after) }
    // lengths[i][j]: the longest common subsequence of the lines from i and from j on.
    let width = new.count + 1
    var lengths = [Int32](repeating: 0, count: (old.count + 1) * width)
    for i in old.indices.reversed() {
      for j in new.indices.reversed() {
        lengths[i * width + j] =
          old[i] == new[j]
          ? lengths[(i + 1) * width + j + 1] + 1 : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var (i, j, lines) = (0, 0, [Line]())
    while i < old.count || j < new.count {
      if i < old.count, j < new.count, old[i] == new[j] {
        lines.append(.both(old[i]))
        (i, j) = (i + 1, j + 1)
      } else if j == new.count || i < old.count && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        lines.append(.before(old[i]))
        i += 1
      } else {
        lines.append(.after(new[j]))
        j += 1
      }
    }
    return lines
  }

  /// Replaces unchanged lines that are far from a change by a gap.
  private static func shortened(_ lines: [Line]) -> [Line] {
    var isShown = [Bool](repeating: false, count: lines.count)
    for (index, line) in lines.enumerated() {
      if case .both = line { continue }
      for near in max(0, index - context)...min(lines.count - 1, index + context) { isShown[near] = true }
    }
    var (result, hidden) = ([Line](), 0)
    for (index, line) in lines.enumerated() {
      if isShown[index] {
        if hidden > 0 { result.append(.gap(hidden)) }
        hidden = 0
        result.append(line)
      } else {
        hidden += 1
      }
    }
    return result + (hidden > 0 ? [.gap(hidden)] : [])
  }
}
