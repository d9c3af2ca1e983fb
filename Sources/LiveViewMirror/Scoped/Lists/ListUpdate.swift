internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The changes of a list whose entries were added, removed or moved. Other entries are not visited.
///
/// This works for lists in which each entry is exactly one element, as `:for` on a tag makes them. In such a list there is no
/// text between entries that the parser could join, and the index of an entry is the index of its node. As few entries as possible
/// move; see ``ListSteps``.
struct ListUpdate: ChildrenUpdate {
  let parent: NodeRef
  /// The node of the first entry before the update.
  let firstNode: NodeRef?
  /// The index of the list's first child among the children of its parent.
  let start: Int
  let oldCount: Int
  let growth: Int
  private(set) var changes: [Change] = []
  private(set) var slots: [[String]] = []
  let causes: [Int]
  /// The size of the new entries.
  private(set) var size = PageSize()
  private(set) var marks = Marks()
  private(set) var diagnostics: [MarkupDiagnostic] = []
  private(set) var parsed: [ParsedRegion] = []
  private(set) var claims = Claims()
  let marked: [NodeRef] = []
  let hasStreams = false

  private let context: ScopedContext
  private let source: Source
  private let steps: ListSteps

  /// The list, and its position in the tree.
  private struct Source {
    let list: Comprehension
    let path: InstancePath
    let slot: Int
    /// The depth of the instance that has the list.
    let depth: Int
  }

  /// - Returns: `nil` if the list is of another kind, or if its new entries cannot be parsed on their own.
  init?(
    _ edit: EntriesEdit, in slot: Int, of instances: [PathInstance], context: ScopedContext
  ) throws(NeedsFullUpdate) {
    let document = context.document
    guard let instance = instances.last, case .comprehension(let list) = instance.slots[slot], list.isKeyed,
      list.stream == nil, context.templates[list.statics]?.isSingleElement == true, edit.oldCount > 0,
      edit.newCount > 0,
      // An entry that is not linked may be something else than one element.
      list.isLinked
    else { return nil }
    let first = edit.displaced.first.flatMap { $0.index == 0 ? $0.entry : nil } ?? list.entries[0]
    guard let root = context.root(of: first), let parent = document.parent(of: root) else { return nil }
    self.parent = parent
    firstNode = root
    start = document.index(of: root)
    try context.spend(min(start, document.siblings(of: root) - start) + WorkBudget.edit * edit.arrivals.count / 2)
    oldCount = edit.oldCount
    growth = edit.newCount - edit.oldCount
    causes = edit.causes
    self.context = context
    source = Source(list: list, path: instance.path, slot: slot, depth: instance.site?.depth ?? 0)
    steps = ListSteps(of: edit)
    guard addRemovals(edit), try addNewEntries(), chooseMoves(shiftedBy: 0) else { return nil }
  }

  private mutating func addRemovals(_ edit: EntriesEdit) -> Bool {
    var kept = Set<Int>(minimumCapacity: edit.arrivals.count)
    for arrival in edit.arrivals { if let from = arrival.from { kept.insert(from) } }
    var next = 0
    for (index, entry) in edit.displaced where !kept.contains(index) {
      guard let root = context.root(of: entry), let content = context.document.content(of: root) else { return false }
      let position = Position(parent: parent, index: start + index)
      changes.append(
        .remove(nodes: context.document.nodes(from: root), from: position, name: NodeName(content)))
      // The causes: the entry that took its place, and the smaller number of entries.
      while next < edit.arrivals.count, edit.arrivals[next].index < index { next += 1 }
      let isTaken = next < edit.arrivals.count && edit.arrivals[next].index == index
      slots.append(
        Attribution.slots(
          (isTaken ? [edit.arrivals[next].cause] : []) + (edit.cut.map { [$0] } ?? []), of: context.touched))
    }
    return true
  }

  // MARK: - Moves

  /// Chooses the entries that move, and puts their changes between the additions, in the order of the indexes. Moves that were
  /// chosen before are replaced.
  ///
  /// - Parameter growth: the growth of the parts before this one. The indexes in ``changes`` include it.
  /// - Returns: whether the nodes of all moved entries are known. If not, nothing has changed.
  private mutating func chooseMoves(shiftedBy growth: Int) -> Bool {
    guard let moves = moves(shiftedBy: growth) else { return false }
    if moves.isEmpty, !changes.contains(where: \.isMove) { return true }
    let others = zip(changes, slots).filter { !$0.0.isMove }
    (changes, slots) = ([], [])
    changes.reserveCapacity(others.count + moves.count)
    slots.reserveCapacity(others.count + moves.count)
    var next = moves.startIndex
    func addMoves(before index: Int) {
      while next < moves.endIndex, moves[next].index < index {
        changes.append(moves[next].change)
        slots.append(moves[next].slots)
        next += 1
      }
    }
    for (change, names) in others {
      if case .add(_, let position) = change { addMoves(before: position.index) }
      changes.append(change)
      slots.append(names)
    }
    addMoves(before: .max)
    return true
  }

  private func moves(shiftedBy growth: Int) -> [(index: Int, change: Change, slots: [String])]? {
    // The causes of an entry that moved only because other entries moved.
    lazy var allNames = Attribution.slots(causes, of: context.touched)
    var moves: [(index: Int, change: Change, slots: [String])] = []
    for step in steps.moved(shiftedBy: growth) {
      guard let from = step.from, let node = context.root(of: source.list.entries[step.index]),
        let content = context.document.content(of: node)
      else { return nil }
      let target = start + step.index + growth
      let change = Change.move(
        node: node, name: NodeName(content), from: Position(parent: parent, index: start + from),
        to: Position(parent: parent, index: target))
      moves.append((target, change, step.cause.map { Attribution.slots([$0], of: context.touched) } ?? allNames))
    }
    return moves
  }

  mutating func shift(by growth: Int) {
    if growth == 0 { return }
    changes = changes.map { $0.placed(reached: { $0.shifted(by: growth) }) }
    // The nodes are known: the moves were chosen once already.
    _ = chooseMoves(shiftedBy: growth)
  }

  // MARK: - New entries

  /// Adds the changes of new entries, in the order of their indexes.
  private mutating func addNewEntries() throws(NeedsFullUpdate) -> Bool {
    var position = 0
    let new = steps.new
    while position < new.count {
      var end = position + 1
      while end < new.count, new[end].index == new[end - 1].index + 1 { end += 1 }
      guard try add(new[position..<end]) else { return false }
      position = end
    }
    return true
  }

  /// Adds adjacent new entries, which are rendered and parsed together.
  private mutating func add(_ new: ArraySlice<ListSteps.Step>) throws(NeedsFullUpdate) -> Bool {
    let document = context.document
    let began = MonotonicTime.now
    var renderer = Renderer(partOf: context.rendered, depth: source.depth, marking: .none)
    var parts: [Region.PartOffset] = []
    for (index, _, _) in new {
      parts.append((.entry(of: source.path, slot: source.slot, index), renderer.rendering.markup.count))
      do throws(RenderError) {
        try renderer.write(source.list.entries[index], of: source.list, at: nil)
      } catch { return false }
    }
    let rendering = renderer.rendering
    context.didRender(since: began)
    size.add(rendering)
    try context.spend(WorkBudget.region + WorkBudget.byte * rendering.markup.count)
    guard rendering.streams.isEmpty, let (piece, page) = context.parse(rendering, in: parent) else { return false }
    let roots = Array(page.tree.children(of: piece.parent))
    guard page.rootsAreContained, roots.count == new.count else { return false }
    let excerpt = document.emptyExcerpt(numberingFrom: context.nextNumber)
    do throws(NeedsFullUpdate) {
      try claims.claim(page, below: piece.parent, components: rendering.components, excerpt, in: document)
    } catch { return false }
    let morph = Morph.changes(
      from: excerpt, toChildrenOf: piece.parent, in: page, rules: PatchRules(version: context.client))
    guard morph.changes.changes.count == new.count else { return false }
    for (change, (index, _, cause)) in zip(morph.changes.changes, new) {
      guard case .add(let subtree, _) = change else { return false }
      changes.append(.add(subtree, at: Position(parent: parent, index: start + index)))
      slots.append(cause.map { Attribution.slots([$0], of: context.touched) } ?? [])
    }
    marks.add(morph.marks)
    diagnostics += page.diagnostics
    let region = ParsedRegion(page: page, parent: piece.parent, names: morph.names, parts: parts)
    context.take(region.names)
    parsed.append(region)
    return true
  }
}

extension ScopedContext {
  /// The node of an entry, which is one element.
  fileprivate func root(of entry: Comprehension.Entry) -> NodeRef? {
    guard let number = entry.site?.boundaryNode(.left) else { return nil }
    return try? node(number)
  }
}

extension Change {
  fileprivate var isMove: Bool { if case .move = self { true } else { false } }
}

extension EntriesEdit {
  /// All touched slots of the list itself.
  var causes: [Int] { arrivals.map(\.cause) + (cut.map { [$0] } ?? []) }
}
