internal import LiveViewMirror
internal import MarkupDocument

/// Walks two documents together and writes the rows of ``SideBySide``. The walk is not recursive,
/// so no depth can overflow the stack. ``SideBySide`` calls ``write()`` once, and takes the
/// ``rows``.
struct RowWriter {
  let old: Document
  let new: Document
  let marks: RowMarks
  let form: SideBySide.Form
  let limits: SideBySide.Limits
  private(set) var rows: [SideBySide.Row] = []
  /// The changed, added, removed and moved nodes that have a row.
  private var shown: Set<NodeRef> = []
  /// The steps that are left, the next one last.
  private var pending: [Step] = []
  /// The number of end tags in ``pending``: their rows are reserved.
  private var ends = 0
  /// For each subtree that only one document has at its place, the number of nodes that may still
  /// be shown.
  private var budgets: [Int] = []

  init(old: Document, new: Document, marks: RowMarks, form: SideBySide.Form, limits: SideBySide.Limits) {
    (self.old, self.new, self.marks, self.form, self.limits) = (old, new, marks, form, limits)
  }

  private enum Step {
    /// A node of both documents, in the same place.
    case both(old: NodeTree.Index, new: NodeTree.Index, depth: Int)
    /// A node that only one document has at this place, with an index in `budgets`.
    case one(NodeTree.Index, isOld: Bool, depth: Int, budget: Int)
    case end(SideBySide.Row)
    case omit(before: Int, after: Int, depth: Int)
  }

  func isShown(_ change: Change) -> Bool { shown.contains(change.node) }

  private var words: LineWords {
    LineWords(form: form, limit: limits.line, hidesSeldomOfInterest: limits.foldsBlanks)
  }

  mutating func write() {
    guard let oldTop = old.treeIndex(of: marks.top), let newTop = new.treeIndex(of: marks.top) else { return }
    if newTop == NodeTree.root {
      push(children(of: oldTop, newTop, depth: 0))
    } else {
      pending = [.both(old: oldTop, new: newTop, depth: 0)]
    }
    while let step = pending.popLast() {
      switch step {
      case .both(let old, let new, let depth): writeBoth(old, new, depth)
      case .one(let place, let isOld, let depth, let budget): writeOne(place, isOld: isOld, depth, budget)
      case .end(let row):
        ends -= 1
        rows.append(row)
      case .omit(let before, let after, _): omit(before, after)
      }
    }
  }

  private mutating func push(_ steps: [Step]) { pending += steps.reversed() }

  /// Whether fewer than four rows are left. A node can take two rows, its omitted content one, and
  /// the omitted nodes after it another one.
  private var isFull: Bool { rows.count + ends + 4 > limits.rows }

  /// Adds omitted nodes to the last row if that is an omission, and otherwise writes a new row.
  private mutating func omit(_ before: Int, _ after: Int) {
    if before + after == 0 { return }
    if rows.last?.kind != .omitted { rows.append(.init(kind: .omitted)) }
    rows[rows.count - 1].omittedBefore += before
    rows[rows.count - 1].omittedAfter += after
  }

  // MARK: - One node

  private mutating func writeBoth(_ before: NodeTree.Index, _ after: NodeTree.Index, _ depth: Int) {
    let (oldSize, newSize) = (marks.size(of: before, isOld: true), marks.size(of: after, isOld: false))
    if isFull { return omit(oldSize, newSize) }
    let node = new.ref(after)
    let (isOpen, isChanged) = (marks.open.contains(node), marks.changed.contains(node))
    if isFolded(new.tree[after]), !isChanged || isFolded(old.tree[before]) { return }
    let isEmpty = oldSize == 1 && newSize == 1
    let lines = words.lines(
      (old.tree[before], old.dialect), (new.tree[after], new.dialect), isEmpty: isEmpty, areEqual: !isChanged)
    var row = SideBySide.Row(kind: isChanged ? .changed : .same, node: node)
    row.before = .init(text: lines.before, depth: depth)
    row.after = .init(text: lines.after, depth: depth)
    rows.append(row)
    if isChanged { shown.insert(node) }
    if isEmpty { return }
    pushEnd(of: row, words.end(of: new.tree[after]))
    if isOpen || newSize - 1 <= limits.small {
      push(children(of: before, after, depth: depth + 1))
    } else {
      pending.append(.omit(before: oldSize - 1, after: newSize - 1, depth: depth + 1))
    }
  }

  private mutating func writeOne(_ place: NodeTree.Index, isOld: Bool, _ depth: Int, _ budget: Int) {
    let document = isOld ? old : new
    let size = marks.size(of: place, isOld: isOld)
    guard !isFull, budgets[budget] > 0 else { return omit(isOld ? size : 0, isOld ? 0 : size) }
    if isFolded(document.tree[place]) { return }
    budgets[budget] -= 1
    let node = document.ref(place)
    var row = SideBySide.Row(kind: kind(of: node, isOld: isOld), node: node, isMoved: marks.moved.contains(node))
    var line = words.line(document.tree[place], document.dialect, isEmpty: size == 1)
    if row.isMoved || row.kind == .changed, let before = old.treeIndex(of: node), let after = new.treeIndex(of: node) {
      let lines = words.lines(
        (old.tree[before], old.dialect), (new.tree[after], new.dialect), isEmpty: size == 1,
        areEqual: row.kind != .changed)
      line = isOld ? lines.before : lines.after
      row.elsewhere = .init(text: isOld ? lines.after : lines.before, depth: depth)
    }
    if isOld { row.before = .init(text: line, depth: depth) } else { row.after = .init(text: line, depth: depth) }
    rows.append(row)
    shown.insert(node)
    if size == 1 { return }
    pushEnd(of: row, words.end(of: document.tree[place]))
    push(
      document.tree.children(of: place).map { .one($0, isOld: isOld, depth: depth + 1, budget: budget) })
  }

  private func kind(of node: NodeRef, isOld: Bool) -> SideBySide.Kind {
    if !(isOld ? new : old).contains(node) { return isOld ? .removed : .added }
    return marks.changed.contains(node) ? .changed : .moved
  }

  private mutating func pushEnd(of row: SideBySide.Row, _ text: String?) {
    guard let text else { return }
    var end = row
    (end.isEnd, end.isMoved, end.elsewhere) = (true, false, nil)
    if end.kind == .changed { end.kind = row.before == nil || row.after == nil ? .moved : .same }
    end.before?.text = text
    end.after?.text = text
    pending.append(.end(end))
    ends += 1
  }

  private func isFolded(_ content: NodeContent) -> Bool {
    limits.foldsBlanks && content.isSeldomOfInterest
  }

  // MARK: - Children

  /// The steps for the children of a node that is in both documents, aligned. Children that stay
  /// have the same order in both documents.
  private mutating func children(of before: NodeTree.Index, _ after: NodeTree.Index, depth: Int) -> [Step] {
    let parent = new.ref(after)
    let left = old.tree.children(of: before).map { $0 }
    let right = new.tree.children(of: after).map { $0 }
    var steps: [Step] = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      if i < left.count, !stays(old.ref(left[i]), in: new, under: parent) {
        steps.append(.one(left[i], isOld: true, depth: depth, budget: newBudget()))
        i += 1
      } else if j < right.count, !stays(new.ref(right[j]), in: old, under: parent) {
        steps.append(.one(right[j], isOld: false, depth: depth, budget: newBudget()))
        j += 1
      } else if i < left.count, j < right.count {
        steps.append(.both(old: left[i], new: right[j], depth: depth))
        (i, j) = (i + 1, j + 1)
      } else {
        break
      }
    }
    return marks.open.contains(parent) || parent == new.root ? withContext(steps, depth: depth) : steps
  }

  private func stays(_ node: NodeRef, in other: Document, under parent: NodeRef) -> Bool {
    !marks.moved.contains(node) && other.parent(of: node) == parent
  }

  private mutating func newBudget() -> Int {
    budgets.append(limits.subtree)
    return budgets.count - 1
  }

  /// Omits unchanged children that are far from changed ones, and drops unchanged children that are
  /// folded.
  private func withContext(_ steps: [Step], depth: Int) -> [Step] {
    if limits.context == .max { return steps }
    let steps = steps.filter { step in
      if case .both(_, let after, _) = step, isUnchanged(step) { !isFolded(new.tree[after]) } else { true }
    }
    var result: [Step] = []
    var place = 0
    while place < steps.count {
      let run = steps[place...].prefix(while: isUnchanged)
      let first = place == 0 ? 0 : limits.context
      let last = place + run.count == steps.count ? 0 : limits.context
      // A row for one omitted child would save nothing. The conditions subtract, because a sum with
      // a very large context could overflow.
      if run.count > 1, first < run.count - 1, last < run.count - 1 - first {
        result += run.prefix(first)
        let omitted = run.dropFirst(first).dropLast(last)
        let size = omitted.reduce(0) { $0 + nodes(of: $1) }
        result.append(.omit(before: size, after: size, depth: depth))
        result += run.suffix(last)
      } else {
        result += run
      }
      place += run.count
      if place < steps.count {
        result.append(steps[place])
        place += 1
      }
    }
    return result
  }

  private func isUnchanged(_ step: Step) -> Bool {
    if case .both(_, let after, _) = step { !marks.open.contains(new.ref(after)) } else { false }
  }

  private func nodes(of step: Step) -> Int {
    if case .both(_, let after, _) = step { marks.size(of: after, isOld: false) } else { 0 }
  }
}
