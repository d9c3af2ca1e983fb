internal import MarkupDocument
internal import RenderedTree

/// What entries of one list that came, went or changed places change in the document, without a look at the others.
///
/// It is for lists whose entries are one element each and nothing beside it, as `:for` on a tag makes them: then nothing
/// runs together between entries, and a place among the entries is a place among the children. Of those that stay, as
/// few move as a longest increasing subsequence allows.
struct ListUpdate: ListPart {
  let parent: NodeRef
  /// The node of the entry that stood first.
  let firstNode: NodeRef?
  /// Where the list begins among the children of its parent.
  let start: Int
  let oldCount: Int
  let growth: Int
  private(set) var changes: [Change] = []
  /// For every change, the places of the diff that caused it.
  private(set) var slots: [[String]] = []
  /// All that the diff says of the list, by position among the touched slots.
  let causes: [Int]
  private let touched: TouchedSlots
  /// How deep the instance stands whose list it is.
  private let level: Int
  /// What is new, as it was rendered.
  private(set) var size = PageSize()
  private(set) var marks = Marks()
  private(set) var diagnostics: [MarkupDiagnostic] = []
  private(set) var links: [Linkage] = []
  let marked: [NodeRef] = []
  let hasStreams = false
  private(set) var nextNumber: Int

  /// - Returns: `nil` where the list is of another kind, or too much is new in it.
  init?(
    _ edit: EntriesEdit, in slot: Int, of levels: [Level], finder: RegionFinder, causedBy touched: TouchedSlots,
    numberingFrom number: Int, _ arrivals: inout Arrivals
  ) throws(FullPath) {
    let document = finder.document
    guard let level = levels.last, case .comprehension(let list) = level.slots[slot], list.isKeyed, list.stream == nil,
      list.statics.template(for: document.dialect).isSingleElement, edit.oldCount > 0, edit.newCount > 0,
      // An entry that does not know its nodes may be more than an element, or less.
      list.isLinked
    else { return nil }
    // The entry that stood first, and so where the list begins.
    let first = edit.displaced.first.flatMap { $0.index == 0 ? $0.entry : nil } ?? list.entries[0]
    guard let root = finder.root(of: first), let parent = document.parent(of: root) else { return nil }
    self.parent = parent
    firstNode = root
    start = document.index(of: root)
    try finder.budget.spend(min(start, document.siblings(of: root) - start) + WorkBudget.edit * edit.arrivals.count / 2)
    oldCount = edit.oldCount
    growth = edit.newCount - edit.oldCount
    nextNumber = number
    causes = edit.causes
    self.touched = touched
    self.level = level.site?.level ?? 0
    guard addRemovals(edit, finder), try addArrivals(edit, list, level.path, slot, finder, &arrivals) else {
      return nil
    }
  }

  private mutating func addRemovals(_ edit: EntriesEdit, _ finder: RegionFinder) -> Bool {
    var kept = Set<Int>(minimumCapacity: edit.arrivals.count)
    for arrival in edit.arrivals { if let from = arrival.from { kept.insert(from) } }
    var next = 0
    for (index, entry) in edit.displaced where !kept.contains(index) {
      guard let root = finder.root(of: entry), let content = finder.document.content(of: root) else { return false }
      let position = Position(parent: parent, index: start + index)
      changes.append(
        .remove(nodes: finder.document.nodes(from: root), from: position, name: NodeName(content)))
      // What took its place, and what cut the list off.
      while next < edit.arrivals.count, edit.arrivals[next].index < index { next += 1 }
      let isTaken = next < edit.arrivals.count && edit.arrivals[next].index == index
      slots.append(
        Attribution.slots((isTaken ? [edit.arrivals[next].cause] : []) + (edit.cut.map { [$0] } ?? []), of: touched))
    }
    return true
  }

  /// Moves and new entries, in the order of their places.
  private mutating func addArrivals(
    _ edit: EntriesEdit, _ list: Comprehension, _ path: InstancePath, _ slot: Int, _ finder: RegionFinder,
    _ arrivals: inout Arrivals
  ) throws(FullPath) -> Bool {
    let steps = steps(of: edit)
    // What moved only because others did, all of them caused.
    lazy var allNames = Attribution.slots(causes, of: touched)
    var position = 0
    while position < steps.count {
      let step = steps[position]
      if let from = step.from {
        position += 1
        guard let node = finder.root(of: list.entries[step.index]), let content = finder.document.content(of: node)
        else { return false }
        changes.append(
          .move(
            node: node, name: NodeName(content), from: Position(parent: parent, index: start + from),
            to: Position(parent: parent, index: start + step.index)))
        slots.append(step.cause.map(named) ?? allNames)
      } else {
        var end = position + 1
        while end < steps.count, steps[end].from == nil, steps[end].index == steps[end - 1].index + 1 { end += 1 }
        guard try add(Array(steps[position..<end]), of: list, path, slot, finder, &arrivals) else { return false }
        position = end
      }
    }
    return true
  }

  /// The cause is `nil` for what moved only because others did.
  private typealias Step = (index: Int, from: Int?, cause: Int?)

  private func named(_ cause: Int) -> [String] { Attribution.slots([cause], of: touched) }

  /// What moves and what is new, by place. An entry that is not named stands where it stood; even so it can be the one
  /// that moves, where that is less than to move the others around it.
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
    var stands = [Bool](repeating: false, count: steps.count)
    for position in longestIncreasingSubsequence(of: old) { stands[placed[position]] = true }
    return zip(steps, stands).lazy.filter { !$0.1 }.map(\.0)
  }

  /// Entries that came side by side: they are rendered and parsed together.
  private mutating func add(
    _ new: [Step], of list: Comprehension, _ path: InstancePath, _ slot: Int,
    _ finder: RegionFinder, _ arrivals: inout Arrivals
  ) throws(FullPath) -> Bool {
    let document = finder.document
    var renderer = Renderer(partOf: finder.rendered, level: level, marking: .none)
    var units: [(unit: Region.Unit, offset: Int)] = []
    for (index, _, _) in new {
      units.append((.entry(of: path, slot: slot, index), renderer.rendering.markup.count))
      do throws(RenderError) { try renderer.write(list.entries[index], of: list, at: nil) } catch { return false }
    }
    let rendering = renderer.rendering
    size.add(rendering)
    try finder.budget.spend(WorkBudget.region + WorkBudget.byte * rendering.markup.count)
    let piece = document.piece(rendering.markup, in: parent)
    guard piece.isContained, rendering.streams.isEmpty else { return false }
    let page = Page(piece, dialect: document.dialect, sources: Page.Sources(rendering))
    let roots = Array(page.tree.children(of: piece.parent))
    guard page.rootsAreContained, roots.count == new.count else { return false }
    let excerpt = document.emptyExcerpt(numberingFrom: nextNumber)
    do throws(FullPath) {
      try arrivals.check(page, below: piece.parent, components: rendering.components, excerpt, in: document)
    } catch { return false }
    let morph = Morph.changes(from: excerpt, toChildrenOf: piece.parent, in: page)
    guard morph.changes.changes.count == new.count else { return false }
    for (change, (index, _, cause)) in zip(morph.changes.changes, new) {
      guard case .add(let subtree, _) = change else { return false }
      changes.append(.add(subtree, at: Position(parent: parent, index: start + index)))
      slots.append(cause.map(named) ?? [])
    }
    marks.add(morph.marks)
    diagnostics += page.diagnostics
    let names = morph.names
    nextNumber = names.nextNumber(from: nextNumber)
    links.append(Linkage(page: page, parent: piece.parent, names: names, units: units))
    return true
  }

  /// Counts the children before the list as they will be.
  mutating func shift(by growth: Int) {
    if growth == 0 { return }
    changes = changes.map { $0.placed(reached: { $0.shifted(by: growth) }) }
  }
}

extension RegionFinder {
  /// The one element that an entry is.
  fileprivate func root(of entry: Comprehension.Entry) -> NodeRef? {
    guard let number = entry.site?.edge(.left) else { return nil }
    return try? node(number)
  }
}

extension EntriesEdit {
  /// All that the diff says of the list itself.
  var causes: [Int] { arrivals.map(\.cause) + (cut.map { [$0] } ?? []) }
}
