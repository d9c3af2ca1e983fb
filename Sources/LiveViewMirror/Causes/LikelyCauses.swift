internal import MirrorSupport
internal import RenderedTree

/// The names of the likely causes of a change that is not explained by its own markup: the slots that begin in the markup of its
/// parent and explain no other change, and the slots that wrote no markup. If there are no such slots, the likely causes are all
/// slots that begin in the markup of the parent.
///
/// There may be very many parents, and very many slots in each. Up to ``SlotNames/namedSlots`` slots are named one by one. For
/// more slots, their common path is named, which is found without visiting each of them.
struct LikelyCauses {
  private let causes: Causes
  private let all: SharedPaths
  /// The slots that explain no change.
  private let unexplained: SharedPaths
  /// The common path of the unwritten slots, if they are too many to be named one by one.
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

/// A list of written slots, with a segment tree that finds the common path of any range of them.
private struct SharedPaths {
  /// The maximum length of a range whose slots are listed one by one. It exceeds ``SlotNames/namedSlots``, because the same slot
  /// may have been written several times.
  static let listed = 64

  /// Indexes in ``Causes/written``, ascending.
  private let positions: [Int]
  private let causes: Causes
  /// A complete binary tree: the children of node *i* are 2*i* and 2*i* + 1, and the leaves are last. Empty if the list has at
  /// most ``listed`` slots.
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

  /// The part of the list whose indexes are in a range.
  func subrange(_ range: Range<Int>) -> Range<Int> {
    let start = positions.partitioningIndex { $0 >= range.lowerBound }
    return start..<max(start, positions.partitioningIndex { $0 >= range.upperBound })
  }

  func slots(_ range: Range<Int>) -> [Int] { range.map { causes.written[positions[$0]].slot } }

  /// The common path of a range of the list.
  ///
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
