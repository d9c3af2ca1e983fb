internal import MarkupDocument
internal import RenderedTree

/// The new and the moved entries of a list.
///
/// A diff that swaps the first and the last of three entries names those two: `{"0": 2, "2": 0, "kc": 3}`. Any one of the three
/// entries can stay in place. The entry that stays is the one that the diff does not name, because its index does not change. See
/// ``longestIncreasingSubsequence(of:preferring:)``.
struct ListSteps {
  /// An entry that is new (`from` is `nil`), moves or may move. The cause is `nil` if the diff does not name the entry.
  typealias Step = (index: Int, from: Int?, cause: Int?)

  /// The new entries, in the order of their indexes.
  let new: [Step]
  /// The kept entries from the first to the last index that a move concerns, in the order of their new indexes. An entry that the
  /// diff does not name can move instead of entries that the diff names, if fewer entries move that way.
  private var kept: [Step] = []
  /// The previous indexes of the kept entries.
  private var sources: [Int] = []

  init(of edit: EntriesEdit) {
    new = edit.arrivals.filter { $0.from == nil }.map { ($0.index, nil, $0.cause) }
    let moved = edit.arrivals.filter { $0.from != nil }
    guard let first = moved.first, let last = moved.last else { return }
    let sources = moved.lazy.compactMap(\.from)
    let window = min(first.index, sources.min() ?? 0)...max(last.index, sources.max() ?? 0)
    kept.reserveCapacity(moved.count)
    self.sources.reserveCapacity(moved.count)
    var next = edit.arrivals.startIndex
    for index in window where index < edit.newCount {
      while next < edit.arrivals.count, edit.arrivals[next].index < index { next += 1 }
      if next < edit.arrivals.count, edit.arrivals[next].index == index {
        if let from = edit.arrivals[next].from { keep((index, from, edit.arrivals[next].cause), from: from) }
      } else if index < edit.oldCount {
        keep((index, index, nil), from: index)
      }
    }
  }

  private mutating func keep(_ step: Step, from source: Int) {
    kept.append(step)
    sources.append(source)
  }

  /// The entries that move, in the order of their new indexes: as few as possible, and among those choices the one with the
  /// fewest moves from a position to the same position.
  ///
  /// - Parameter growth: the number of children that the parent gains before the list. So an entry can stay in place although its
  ///   index in the parent changes.
  /// - Complexity: O(*n* log *n*).
  func moved(shiftedBy growth: Int) -> [Step] {
    if kept.isEmpty { return [] }
    var moves = [Bool](repeating: true, count: kept.count)
    for position in longestIncreasingSubsequence(
      of: sources, preferring: { kept[$0].index + growth == sources[$0] })
    {
      moves[position] = false
    }
    return zip(kept, moves).lazy.filter(\.1).map(\.0)
  }
}
