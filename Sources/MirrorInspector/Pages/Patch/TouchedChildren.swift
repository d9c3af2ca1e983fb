internal import MarkupDocument

/// What several change sets, applied one after the other, did to the children of each node: the
/// nodes that changed, arrived or were removed, and the gaps that texts and comments have left.
/// ``DocumentPatch`` makes one for each patch.
///
/// An element has a number, so a page finds it again. A text has no number, so a page finds the
/// place of a removed text only by its neighbours. A *gap* at index `k` is the place before the
/// child with index `k`. Each change set shifts the gaps that earlier change sets have left.
struct TouchedChildren {
  /// The direction in which the change sets are applied.
  enum Direction {
    case forwards
    /// Each change set is undone, the last one first.
    case backwards
  }

  /// Why the changes cannot be summed up.
  enum Failure: Error {
    /// There are more changes and gaps than ``limit``.
    case tooManyChanges
  }

  /// The maximum sum of the changes, the nodes of added and removed subtrees, and the gaps and
  /// places that are read to shift gaps.
  static let limit = 200_000

  /// The nodes that did not exist before the changes.
  private(set) var new: Set<Int> = []
  /// The nodes whose parent or place has changed, including the tops of new subtrees.
  private(set) var arrived: Set<Int> = []
  /// The texts, comments and processing instructions whose content has changed.
  private(set) var texts: Set<Int> = []
  /// The names of the attributes that have changed, by element.
  private(set) var attributes: [Int: Set<String>] = [:]
  /// The elements at the tops of removed subtrees, and the nodes that had been moved into such
  /// subtrees, in the order of their removal.
  private(set) var removed: [Int] = []
  /// The gaps that removed and moved texts have left, ascending, by parent.
  private(set) var gaps: [Int: [Int]] = [:]
  private var work = 0

  /// The places that one change set takes from the children of a parent, and those that it fills.
  fileprivate struct Shift {
    var sources: [Int] = []
    var targets: [Int] = []
    /// The places in ``sources`` whose node was not an element.
    var textSources: [Int] = []
  }

  /// Adds a change set to those before it. All must have the same direction. Forwards, the oldest
  /// change set is added first; backwards, the newest.
  ///
  /// - Complexity: O(*changes* log *changes* + *gaps* of the parents whose children change).
  mutating func add(_ changeSet: ChangeSet, _ direction: Direction) throws(Failure) {
    try count(changeSet.changes.count)
    var shifts: [Int: Shift] = [:]
    for change in changeSet.changes {
      switch (change, direction) {
      case (.text(let node, _, _, _), _): texts.insert(node.number)
      case (.attributes(let node, _, let changes), _):
        for change in changes { attributes[node.number, default: []].insert(change.name) }
      case (.move(let node, let name, let from, let to), .forwards),
        (.move(let node, let name, let to, let from), .backwards):
        arrived.insert(node.number)
        shifts.take(from: from, name)
        shifts.fill(to)
      case (.add(let subtree, let place), .forwards):
        try count(subtree.count)
        arrived.insert(subtree.root.number)
        for node in subtree.nodes { new.insert(node.ref.number) }
        shifts.fill(place)
      case (.remove(let nodes, let place, _), .backwards):
        try count(nodes.count)
        arrived.insert(nodes[0].number)
        for node in nodes { new.insert(node.number) }
        shifts.fill(place)
      case (.add(let subtree, let place), .backwards):
        try remove(subtree.nodes.lazy.map(\.ref), subtree.displayName)
        shifts.take(from: place, subtree.displayName)
      case (.remove(let nodes, let place, let name), .forwards):
        try remove(nodes, name)
        shifts.take(from: place, name)
      }
    }
    for (parent, shift) in shifts { try move(gapsOf: parent, by: shift) }
  }

  /// Notes the top of a removed subtree, and the nodes that earlier change sets have moved into the
  /// subtree, because a page that shows the first version has these nodes elsewhere.
  private mutating func remove(_ nodes: some Collection<NodeRef>, _ name: DisplayName) throws(Failure) {
    try count(nodes.count)
    for (index, node) in nodes.enumerated() where index == 0 && name.tag != nil || arrived.contains(node.number) {
      removed.append(node.number)
    }
  }

  private mutating func count(_ steps: Int) throws(Failure) {
    work += steps
    if work > Self.limit { throw .tooManyChanges }
  }

  /// Shifts the gaps of a parent, and adds those that the change set leaves.
  private mutating func move(gapsOf parent: Int, by shift: Shift) throws(Failure) {
    let old = gaps[parent] ?? []
    if old.isEmpty, shift.textSources.isEmpty { return }
    try count(old.count + shift.sources.count)
    let sources = shift.sources.sorted()
    let targets = shift.targets.sorted()
    var moved: [Int] = []
    var (taken, filled) = (0, 0)
    for gap in (old + shift.textSources).sorted() {
      while taken < sources.count, sources[taken] < gap { taken += 1 }
      // The number of children before the gap that stay.
      let staying = gap - taken
      while filled < targets.count, targets[filled] <= staying + filled { filled += 1 }
      let now = staying + filled
      if moved.last != now { moved.append(now) }
    }
    gaps[parent] = moved
  }
}

extension [Int: TouchedChildren.Shift] {
  fileprivate mutating func take(from place: Position, _ name: DisplayName) {
    self[place.parent.number, default: .init()].sources.append(place.index)
    if name.tag == nil { self[place.parent.number, default: .init()].textSources.append(place.index) }
  }

  fileprivate mutating func fill(_ place: Position) {
    self[place.parent.number, default: .init()].targets.append(place.index)
  }
}
