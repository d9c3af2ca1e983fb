internal import MarkupDocument
internal import RenderedTree

/// The changes of a list whose entries were added, removed or moved. Other entries are not visited.
///
/// This works for lists in which each entry is exactly one element, as `:for` on a tag makes them. In such a list there is no
/// text between entries that the parser could join, and the index of an entry is the index of its node. The entries of a longest
/// increasing subsequence stay in place, so that as few entries as possible move.
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
    let source = Source(list: list, path: instance.path, slot: slot, depth: instance.site?.depth ?? 0)
    guard addRemovals(edit, context), try addArrivals(edit, source, context) else { return nil }
  }

  private mutating func addRemovals(_ edit: EntriesEdit, _ context: ScopedContext) -> Bool {
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

  /// Adds the changes of moved and new entries, in the order of their indexes.
  private mutating func addArrivals(
    _ edit: EntriesEdit, _ source: Source, _ context: ScopedContext
  ) throws(NeedsFullUpdate) -> Bool {
    let steps = steps(of: edit)
    // The causes of an entry that moved only because other entries moved.
    lazy var allNames = Attribution.slots(causes, of: context.touched)
    var position = 0
    while position < steps.count {
      let step = steps[position]
      if let from = step.from {
        position += 1
        guard let node = context.root(of: source.list.entries[step.index]),
          let content = context.document.content(of: node)
        else { return false }
        changes.append(
          .move(
            node: node, name: NodeName(content), from: Position(parent: parent, index: start + from),
            to: Position(parent: parent, index: start + step.index)))
        slots.append(step.cause.map { Attribution.slots([$0], of: context.touched) } ?? allNames)
      } else {
        var end = position + 1
        while end < steps.count, steps[end].from == nil, steps[end].index == steps[end - 1].index + 1 { end += 1 }
        guard try add(Array(steps[position..<end]), source, context) else { return false }
        position = end
      }
    }
    return true
  }

  /// An entry that is new (`from` is `nil`) or moves. The cause is `nil` if the entry moves only because other entries do.
  private typealias Step = (index: Int, from: Int?, cause: Int?)

  /// The moved and new entries in the order of their indexes. An entry that the diff does not name can move instead of entries
  /// that the diff names, if fewer entries move that way.
  private func steps(of edit: EntriesEdit) -> [Step] {
    let moved = edit.arrivals.filter { $0.from != nil }
    guard let first = moved.first, let last = moved.last else {
      return edit.arrivals.map { ($0.index, nil, $0.cause) }
    }
    let sources = moved.lazy.compactMap(\.from)
    let window = min(first.index, sources.min() ?? 0)...max(last.index, sources.max() ?? 0)
    var (steps, placed, old): ([Step], [Int], [Int]) = ([], [], [])
    steps.reserveCapacity(edit.arrivals.count)
    placed.reserveCapacity(moved.count)
    old.reserveCapacity(moved.count)
    var next = edit.arrivals.startIndex
    func takeArrivals(before index: Int) {
      while next < edit.arrivals.count, edit.arrivals[next].index < index {
        let arrival = edit.arrivals[next]
        if let from = arrival.from {
          placed.append(steps.count)
          old.append(from)
        }
        steps.append((arrival.index, arrival.from, arrival.cause))
        next += 1
      }
    }
    for index in window where index < edit.newCount {
      takeArrivals(before: index)
      let isArrival = next < edit.arrivals.count && edit.arrivals[next].index == index
      if isArrival || index >= edit.oldCount { continue }
      placed.append(steps.count)
      old.append(index)
      steps.append((index, index, nil))
    }
    takeArrivals(before: .max)
    var stays = [Bool](repeating: false, count: steps.count)
    for position in longestIncreasingSubsequence(of: old) { stays[placed[position]] = true }
    return zip(steps, stays).lazy.filter { !$0.1 }.map(\.0)
  }

  /// Adds adjacent new entries, which are rendered and parsed together.
  private mutating func add(
    _ new: [Step], _ source: Source, _ context: ScopedContext
  ) throws(NeedsFullUpdate) -> Bool {
    let document = context.document
    var renderer = Renderer(partOf: context.rendered, depth: source.depth, marking: .none)
    var parts: [Region.PartOffset] = []
    for (index, _, _) in new {
      parts.append((.entry(of: source.path, slot: source.slot, index), renderer.rendering.markup.count))
      do throws(RenderError) {
        try renderer.write(source.list.entries[index], of: source.list, at: nil)
      } catch { return false }
    }
    let rendering = renderer.rendering
    size.add(rendering)
    try context.spend(WorkBudget.region + WorkBudget.byte * rendering.markup.count)
    let piece = document.piece(rendering.markup, in: parent)
    guard piece.isContained, rendering.streams.isEmpty else { return false }
    let page = Page(piece, dialect: document.dialect, sources: Page.Sources(rendering))
    let roots = Array(page.tree.children(of: piece.parent))
    guard page.rootsAreContained, roots.count == new.count else { return false }
    let excerpt = document.emptyExcerpt(numberingFrom: context.nextNumber)
    do throws(NeedsFullUpdate) {
      try claims.claim(page, below: piece.parent, components: rendering.components, excerpt, in: document)
    } catch { return false }
    let morph = Morph.changes(from: excerpt, toChildrenOf: piece.parent, in: page)
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

  mutating func shift(by growth: Int) {
    if growth == 0 { return }
    changes = changes.map { $0.placed(reached: { $0.shifted(by: growth) }) }
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
  /// All touched slots of the list itself.
  var causes: [Int] { arrivals.map(\.cause) + (cut.map { [$0] } ?? []) }
}
