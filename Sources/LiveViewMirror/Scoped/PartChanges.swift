internal import MarkupDocument
internal import RenderedTree

/// The changes of one part of a scoped update: of the attributes of an element, or of a range of
/// its children.
///
/// There is one for each start tag, region, list and stream that a diff concerns. ``ScopedUpdate``
/// joins all parts into one change set. Before that, it must call ``place(from:to:in:)`` once for
/// each part with changes.
struct PartChanges {
  /// The element whose attributes or children change.
  let parent: NodeRef
  /// The sibling before the range; `nil` for the beginning of the parent.
  let after: NodeRef?
  /// The index of the range among the children before the update; `nil` if the index was not
  /// computed yet.
  let start: Int?
  /// The number of children in the range before the update.
  let oldCount: Int
  /// The entries that may move. ``place(from:to:in:)`` chooses among them.
  var moves: ListMoves?
  /// Positions among the children of the parent count from the start of the range, until
  /// ``place(from:to:in:)`` is called.
  var result = ScopedUpdate.Result()

  init(of parent: NodeRef, after: NodeRef? = nil, start: Int? = nil, count oldCount: Int = 0) {
    (self.parent, self.after, self.start, self.oldCount) = (parent, after, start, oldCount)
  }

  /// The first child in the range before the update, or the child after an empty range.
  func firstNode(in document: Document) -> NodeRef? {
    let (tree, before) = (document.tree, after.flatMap(document.treeIndex(of:)))
    let first = before.map(tree.next) ?? document.treeIndex(of: parent).flatMap(tree.firstChild)
    return first.map(document.ref)
  }

  var isEmpty: Bool { result.changes.isEmpty && moves == nil }

  /// The number of children that the parent gains; negative if it loses children.
  var growth: Int {
    result.changes.reduce(0) { growth, change in
      switch change {
      case .add(_, let position): growth + (position.parent == parent ? 1 : 0)
      case .remove(_, let position, _): growth - (position.parent == parent ? 1 : 0)
      case .move(_, _, let from, let to): growth + (to.parent == parent ? 1 : 0) - (from.parent == parent ? 1 : 0)
      case .text, .attributes: growth
      }
    }
  }

  /// Whether a change has a position among the children of the parent.
  var hasPositions: Bool {
    moves != nil
      || result.changes.contains { change in
        switch change {
        case .text, .attributes: false
        case .add(_, let position), .remove(_, let position, _): position.parent == parent
        case .move(_, _, let from, let to): from.parent == parent || to.parent == parent
        }
      }
  }

  /// Adds the ``moves`` to the ``result``, and converts all positions in ``parent``: before the
  /// call, they count from the start of the range, and afterwards from the first child of the
  /// parent.
  ///
  /// - Parameters:
  ///   - old: the number of children before the range, before the update.
  ///   - new: the number of children before the range, after the update.
  mutating func place(from old: Int, to new: Int, in context: ScopedContext) throws(FullUpdateReason) {
    if let moves { try moves.insert(into: &self, shiftedBy: new - old, in: context) }
    if old == 0, new == 0 { return }
    let parent = parent
    result.changes = result.changes.map { change in
      change.placed(
        left: { $0.parent == parent ? $0.shifted(by: old) : $0 },
        reached: { $0.parent == parent ? $0.shifted(by: new) : $0 })
    }
  }
}

extension Change {
  /// A copy with converted positions. Changes of texts and attributes have no position.
  ///
  /// - Parameters:
  ///   - left: converts the position from which a node is removed or moved.
  ///   - reached: converts the position at which a node is added or to which it is moved.
  func placed(left: (Position) -> Position, reached: (Position) -> Position) -> Change {
    switch self {
    case .text, .attributes: self
    case .add(let subtree, let position): .add(subtree, at: reached(position))
    case .remove(let nodes, let position, let name): .remove(nodes: nodes, from: left(position), name: name)
    case .move(let node, let name, let from, let to): .move(node: node, name: name, from: left(from), to: reached(to))
    }
  }
}

extension Position {
  /// The position that is `children` siblings later.
  fileprivate func shifted(by children: Int) -> Position { Position(parent: parent, index: index + children) }
}
