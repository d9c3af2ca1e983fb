internal import RenderedTree

/// The names of the slots that are likely causes of a change that no place in the markup explains: those that begin in the
/// markup of its parent and explain nothing else, and those that were written nowhere. Where all explain something, all
/// that begin there.
///
/// Very many parents may be asked about, with very many slots in each: of up to ``SlotNames/namedSlots`` slots each is
/// named, of more the place that they have in common, which is found without a look at all of them.
struct LikelyCauses {
  private let causes: Causes
  private let all: SharedPaths
  /// Slots that explain nothing.
  private let unexplained: SharedPaths
  /// What the unwritten slots have in common, where they are too many to be named each.
  private let unwrittenNode: PathTree.Node?

  /// - Complexity: O(*n*) for *n* slots.
  init(_ causes: Causes) {
    self.causes = causes
    let positions = causes.written.indices
    all = SharedPaths(Array(positions), of: causes)
    unexplained = SharedPaths(positions.filter { !causes.explained.contains(causes.written[$0].slot) }, of: causes)
    unwrittenNode =
      causes.unwritten.count > SlotNames.namedSlots
      ? causes.touched.common(causes.unwritten.lazy.map { causes.touched.slots[$0].path }) : nil
  }

  /// - Complexity: O(log *n*) for *n* slots, and the length of their paths.
  func names(in range: ClosedRange<Int>, by namer: inout SlotNames) -> [String] {
    let first = causes.firstPosition(in: range)
    let end = max(first, causes.written.partitioningIndex { $0.range.lowerBound > range.upperBound })
    var (source, slots) = (unexplained, unexplained.subrange(first..<end))
    if slots.isEmpty, causes.unwritten.isEmpty { (source, slots) = (all, all.subrange(first..<end)) }
    if slots.count <= SharedPaths.listed, unwrittenNode == nil {
      return namer.names(Set(source.slots(slots) + causes.unwritten).sorted())
    }
    let few = unwrittenNode == nil ? causes.unwritten.map { causes.touched.slots[$0].path } : []
    let nodes = [unwrittenNode, source.sharedPath(slots)].compactMap(\.self) + few
    return causes.touched.common(nodes).map { namer.name(ofAllBelow: $0) } ?? []
  }
}

/// A list of written slots, with what the paths of any stretch of it have in common: a segment tree.
private struct SharedPaths {
  /// Stretches of up to so many are listed slot by slot: the same slot may have been written several times.
  static let listed = 64

  /// Ascending, by their position among the written slots.
  private let positions: [Int]
  private let causes: Causes
  /// A complete binary tree: the children of node *i* are 2*i* and 2*i* + 1, the leaves come last. Empty for a list that is
  /// never long.
  private let nodes: [PathTree.Node]

  init(_ positions: [Int], of causes: Causes) {
    self.positions = positions
    self.causes = causes
    guard positions.count > Self.listed else {
      nodes = []
      return
    }
    let touched = causes.touched
    var nodes = [PathTree.Node](repeating: PathTree.root, count: 2 * positions.count)
    for (leaf, position) in positions.enumerated() {
      nodes[positions.count + leaf] = touched.slots[causes.written[position].slot].path
    }
    for node in stride(from: positions.count - 1, to: 0, by: -1) {
      nodes[node] = touched.paths.common(nodes[2 * node], nodes[2 * node + 1])
    }
    self.nodes = nodes
  }

  /// The part of the list that lies in a range of positions.
  func subrange(_ range: Range<Int>) -> Range<Int> {
    let start = positions.partitioningIndex { $0 >= range.lowerBound }
    return start..<max(start, positions.partitioningIndex { $0 >= range.upperBound })
  }

  func slots(_ range: Range<Int>) -> [Int] { range.map { causes.written[positions[$0]].slot } }

  /// - Returns: `nil` for an empty range.
  /// - Complexity: O(log *n*) for *n* slots, and the length of their paths.
  func sharedPath(_ range: Range<Int>) -> PathTree.Node? {
    if nodes.isEmpty { return causes.touched.common(slots(range).lazy.map { causes.touched.slots[$0].path }) }
    var parts: [PathTree.Node] = []
    var (start, end) = (range.lowerBound + positions.count, range.upperBound + positions.count)
    while start < end {
      if start % 2 == 1 {
        parts.append(nodes[start])
        start += 1
      }
      if end % 2 == 1 {
        end -= 1
        parts.append(nodes[end])
      }
      (start, end) = (start / 2, end / 2)
    }
    return causes.touched.common(parts)
  }
}
