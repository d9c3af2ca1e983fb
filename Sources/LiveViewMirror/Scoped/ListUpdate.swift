internal import MarkupDocument
internal import RenderedTree

extension ScopedUpdate.Entries {
  /// The entries of a list that were added, removed or moved.
  ///
  /// This works for lists in which each entry is exactly one element, as `:for` on a tag makes
  /// them. In such a list there is no text between entries that the parser could join, and the
  /// index of an entry is the index of its node.
  ///
  /// ``ScopedUpdate`` calls this initializer for each edit of a list's entries. If the result is
  /// `nil`, the slot becomes a ``Region``.
  ///
  /// - Returns: `nil` if the list is of another kind, or if its new entries cannot be parsed on
  ///   their own.
  init?(
    listAt address: SlotAddress, _ edit: EntriesEdit, of instance: PathInstance, in context: ScopedContext
  ) throws(FullUpdateReason) {
    guard let list = try ListUpdate(edit, in: address.slot, of: instance, context) else { return nil }
    self.init(part: list.part, address: address, causes: edit.causes, claims: list.claims)
  }
}

/// The changes of a list. Adjacent new entries are one ``Region``. As few entries as possible move;
/// see ``ListMoves``.
private struct ListUpdate {
  /// The changes. Their positions count from the first entry.
  private(set) var part: PartChanges
  /// The ids and components of the new entries.
  private(set) var claims = Claims()

  private let context: ScopedContext
  private let list: Comprehension
  private let slot: Int
  private let instance: PathInstance
  /// The empty range where the list begins. New entries are compared with this range, so that each
  /// of them becomes an addition.
  private let beginning: Region.Location

  init?(
    _ edit: EntriesEdit, in slot: Int, of instance: PathInstance, _ context: ScopedContext
  ) throws(FullUpdateReason) {
    let document = context.document
    guard case .comprehension(let list) = instance.slots[slot], list.isKeyed, list.stream == nil,
      context.templates[list.statics]?.isSingleElement == true, edit.oldCount > 0, edit.newCount > 0,
      // An entry that is not linked may be something else than one element.
      list.isLinked
    else { return nil }
    let first = edit.displaced.first.flatMap { $0.index == 0 ? $0.entry : nil } ?? list.entries[0]
    guard let root = context.root(of: first), let place = Region.Location(of: root, in: document) else { return nil }
    let start = document.index(of: root)
    try context.spend(min(start, document.siblings(of: root) - start) + WorkBudget.edit * edit.arrivals.count / 2)
    self.context = context
    (self.list, self.slot, self.instance) = (list, slot, instance)
    beginning = Region.Location(parent: place.parent, after: place.after, before: root)
    part = PartChanges(of: place.parent, after: place.after, start: start, count: edit.oldCount)
    guard addRemovals(edit), try addNewEntries(edit) else { return nil }
    part.moves = ListMoves(of: edit, in: list)
  }

  private mutating func addRemovals(_ edit: EntriesEdit) -> Bool {
    var kept = Set<Int>(minimumCapacity: edit.arrivals.count)
    for arrival in edit.arrivals { if let from = arrival.from { kept.insert(from) } }
    var next = 0
    for (index, entry) in edit.displaced where !kept.contains(index) {
      guard let root = context.root(of: entry), let content = context.document.content(of: root) else { return false }
      // A removal has up to two causes: the slot of the entry that took the removed entry's index,
      // and the smaller number of entries.
      while next < edit.arrivals.count, edit.arrivals[next].index < index { next += 1 }
      let isTaken = next < edit.arrivals.count && edit.arrivals[next].index == index
      let removal = Change.remove(
        nodes: context.document.nodes(from: root), from: Position(parent: part.parent, index: index),
        name: DisplayName(content))
      part.result.add(
        removal,
        causedBy: (isTaken ? [edit.arrivals[next].cause] : []) + (edit.removalCause.map { [$0] } ?? []))
    }
    return true
  }

  /// Adds the changes of new entries, in the order of their indexes.
  private mutating func addNewEntries(_ edit: EntriesEdit) throws(FullUpdateReason) -> Bool {
    let new = edit.arrivals.filter { $0.from == nil }
    var position = 0
    while position < new.count {
      var end = position + 1
      while end < new.count, new[end].index == new[end - 1].index + 1 { end += 1 }
      guard try add(new[position..<end]) else { return false }
      position = end
    }
    return true
  }

  /// Adds adjacent new entries, which are rendered and parsed together.
  private mutating func add(_ new: ArraySlice<(index: Int, from: Int?, cause: Int)>) throws(FullUpdateReason) -> Bool {
    let first = new[new.startIndex].index
    let content = Region.Content.entries(first..<first + new.count, of: list, slot: slot, in: instance)
    guard let markup = try? context.render(content) else { return false }
    try context.spend(WorkBudget.region + WorkBudget.byte * markup.bytes.count)
    let region = Region(content, at: beginning, showing: markup)
    guard markup.rendering.streams.isEmpty,
      var added = try? region.changes(in: context, claiming: &claims, causedBy: []).result,
      added.changes.count == new.count
    else { return false }
    for (position, arrival) in zip(added.changes.indices, new) {
      guard case .add(let subtree, _) = added.changes[position] else { return false }
      added.changes[position] = .add(subtree, at: Position(parent: part.parent, index: arrival.index))
      added.causes[position] = [arrival.cause]
    }
    part.result.add(added)
    return true
  }
}

/// The entries of a list that move, or that may move.
///
/// Example: a diff that swaps the first and the last of three entries names these two, `{"0": 2,
/// "2": 0, "kc": 3}`. Two entries must move, and any of the three could be the one that stays. The
/// second entry stays, which the diff does not name, because its index does not change. See
/// ``longestIncreasingSubsequence(of:preferring:)``.
struct ListMoves {
  /// A kept entry. The cause is `nil` if the diff does not name the entry.
  private typealias Step = (index: Int, from: Int, cause: Int?)

  private let list: Comprehension
  /// The touched slots of the list.
  private let causes: [Int]
  /// The kept entries from the first to the last index that a move concerns, in the order of their
  /// new indexes. An entry that the diff does not name can move instead of entries that the diff
  /// names, if fewer entries move that way.
  private var kept: [Step] = []

  /// - Returns: `nil` if no entry moves.
  init?(of edit: EntriesEdit, in list: Comprehension) {
    let moved = edit.arrivals.filter { $0.from != nil }
    guard let first = moved.first, let last = moved.last else { return nil }
    (self.list, causes) = (list, edit.causes)
    let sources = moved.lazy.compactMap(\.from)
    let window = min(first.index, sources.min() ?? 0)...max(last.index, sources.max() ?? 0)
    kept.reserveCapacity(moved.count)
    var next = edit.arrivals.startIndex
    for index in window where index < edit.newCount {
      while next < edit.arrivals.count, edit.arrivals[next].index < index { next += 1 }
      if next < edit.arrivals.count, edit.arrivals[next].index == index {
        if let from = edit.arrivals[next].from { kept.append((index, from, edit.arrivals[next].cause)) }
      } else if index < edit.oldCount {
        kept.append((index, index, nil))
      }
    }
  }

  /// Inserts the moves of entries into the changes of a part. Moves and additions are then in the
  /// order of the new indexes. As few entries as possible move. Among equal choices, an entry whose
  /// index in the parent does not change stays in place if it can.
  ///
  /// - Parameter growth: the number of children that the parent gains before the list. It is added
  ///   to the new indexes for the comparison with the old ones.
  /// - Complexity: O(*n* log *n*).
  func insert(
    into part: inout PartChanges, shiftedBy growth: Int, in context: ScopedContext
  ) throws(FullUpdateReason) {
    let moves = moved(shiftedBy: growth)
    if moves.isEmpty { return }
    let (others, count) = (zip(part.result.changes, part.result.causes), part.result.changes.count + moves.count)
    (part.result.changes, part.result.causes) = ([], [])
    part.result.changes.reserveCapacity(count)
    part.result.causes.reserveCapacity(count)
    var next = moves.startIndex
    func addMoves(before index: Int) throws(FullUpdateReason) {
      while next < moves.endIndex, moves[next].index < index {
        let step = moves[next]
        guard let node = context.root(of: list.entries[step.index]), let content = context.document.content(of: node)
        else { throw .unlinked }
        let move = Change.move(
          node: node, name: DisplayName(content), from: Position(parent: part.parent, index: step.from),
          to: Position(parent: part.parent, index: step.index))
        // An entry without a cause moves only because other entries move.
        part.result.add(move, causedBy: step.cause.map { [$0] } ?? causes)
        next += 1
      }
    }
    for (change, slots) in others {
      if case .add(_, let position) = change { try addMoves(before: position.index) }
      part.result.add(change, causedBy: slots)
    }
    try addMoves(before: .max)
  }

  private func moved(shiftedBy growth: Int) -> [Step] {
    var moves = [Bool](repeating: true, count: kept.count)
    for position in longestIncreasingSubsequence(
      of: kept.map(\.from), preferring: { kept[$0].index + growth == kept[$0].from })
    {
      moves[position] = false
    }
    return zip(kept, moves).lazy.filter(\.1).map(\.0)
  }
}

extension ScopedContext {
  /// The node of an entry, which is one element.
  fileprivate func root(of entry: Comprehension.Entry) -> NodeRef? {
    guard let number = entry.site?.boundaryNode(.left) else { return nil }
    return try? node(number)
  }
}

extension EntriesEdit {
  /// The touched slots by which the diff adds, moves and removes entries of the list.
  var causes: [Int] { arrivals.map(\.cause) + (removalCause.map { [$0] } ?? []) }
}
