internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The changed slots of a diff, by the range of markup that each one wrote in a page. The page
/// after the update has the nodes that were added or changed. The page before the update has the
/// removed nodes.
///
/// ``FullUpdate`` and ``Region`` call ``slots(of:among:touching:streams:after:before:)``, which
/// reads each of the two pages only if a change needs it.
///
/// The rules name only causes that are necessary. If the diff is sent without such a slot, the same
/// change does not happen.
///
/// - The innermost slot around an element causes its arrival or removal. But if a slot in the
///   element's own tag changes its `id`, only that slot is the cause. If the cause of a removal is
///   a moved or new entry of a list, and the diff also changes the count of this list, then the
///   count is a second cause.
/// - The slots that wrote parts of a text cause its change. If no slot did, the innermost slot
///   around the text causes it.
/// - The slots in an attribute cause its change.
/// - A stream operation causes the removal and the position of the stream's items. The entry of an
///   item causes its content.
struct Causes {
  private let page: PageIndex
  private let touched: TouchedSlots
  /// The changed slots, in the order of their starts, outer ones first. The ranges nest or are
  /// disjoint.
  private let written: [(slot: Int, range: Range<Int>)]
  /// For each index in ``written``, the index of the innermost slot around it.
  private let parents: [Int?]
  /// For each id that a stream operation inserts, the operation and the index.
  private let inserts: [String: (slot: Int, at: Int)]

  /// - Parameters:
  ///   - nodes: the nodes whose causes are searched, and the parents of changed texts.
  ///   - refs: per storage index of the page, the node of the document.
  init(
    of nodes: Set<NodeRef>, _ rendering: Rendering, parsedAs page: Page, showing refs: [NodeRef?],
    touching touched: TouchedSlots
  ) {
    self.init(
      rendering, PageIndex(of: nodes, markup: rendering.markup, in: page.tree) { refs[Int($0.raw)] }, touching: touched)
  }

  private init(_ rendering: Rendering, _ page: PageIndex, touching touched: TouchedSlots) {
    self.page = page
    self.touched = touched
    // Of slots that wrote the same range, the renderer notes the inner one first.
    written = rendering.written.enumerated().filter { touched.slots[$1.slot].isChanged }
      .sorted {
        ($0.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
          < ($1.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
      }
      .map(\.element)
    var open: [Int] = []
    var parents: [Int?] = []
    for (position, cause) in written.enumerated() {
      while let last = open.last, written[last].range.upperBound <= cause.range.lowerBound { open.removeLast() }
      parents.append(open.last)
      open.append(position)
    }
    self.parents = parents
    let inserted = touched.streams.lazy.flatMap { stream in
      stream.operation.inserts.lazy.map { ($0.id, (slot: stream.cause, at: $0.at)) }
    }
    inserts = Dictionary(inserted, uniquingKeysWith: { first, _ in first })
  }

  /// The page before an update.
  ///
  /// - Parameter places: the places of the slots in the tree before the update.
  /// - Returns: `nil` if the page cannot be rendered, or is too large to be parsed once more.
  /// - Complexity: O(*n* log *n*) for *n* nodes.
  init?(
    of nodes: Set<NodeRef>, before view: ViewState, marking places: TouchedSlots.Index, touching touched: TouchedSlots
  ) {
    guard view.document.count <= Self.maximumNodes, let rendering = try? view.rendered.render(marking: places) else {
      return nil
    }
    let document = view.document
    if view.hasOffsets {
      self.init(
        rendering, PageIndex(of: nodes, markup: rendering.markup, in: document.tree, ref: document.ref),
        touching: touched)
      return
    }
    let page = Page(rendering, dialect: document.dialect)
    self.init(
      of: nodes, rendering, parsedAs: page, showing: Morph.refs(of: document, in: page), touching: touched)
  }

  private static let maximumNodes = 50_000

  /// The slots that caused a change, as positions in `TouchedSlots/slots`.
  ///
  /// - Returns: no slots if the page does not have the node.
  /// - Complexity: O(log *n* + *slots in the node's tag or text*) for *n* slots.
  func slots(of change: Change) -> [Int] {
    guard let range = page.range(of: change) else { return [] }
    var slots: [Int]
    switch change {
    case .text: slots = inText(range)
    case .attributes(_, _, let changes): slots = inTag(range, changing: changes)
    case .add(let subtree, let position):
      slots = ofNode(subtree.displayName, at: range)
      // Without the operation, the new item would be the last one. An operation whose index is
      // negative or beyond the end has the same effect, so it is not a cause.
      if let insert = insert(of: subtree.displayName), 0...position.index ~= insert.at { slots.append(insert.slot) }
    case .move(_, let name, _, _):
      slots = ofNode(name, at: range)
      if let insert = insert(of: name) { slots.append(insert.slot) }
    case .remove(_, _, let name):
      slots = ofNode(name, at: range)
      if slots.count == 1, let list = touched.listOfEntry(slots[0]) {
        slots += around(range.lowerBound).map(\.slot).filter { touched.isCut($0) && touched.list(of: $0) == list }
      }
    }
    // White space that was added or removed with a neighbouring node meets the slot only at an end
    // of its range.
    if slots.isEmpty { slots = beside(range) }
    if slots.isEmpty { slots = inside(range) }
    return Array(Set(slots)).sorted()
  }

  /// The slots that caused each change of an update, as positions in `TouchedSlots/slots`. A change
  /// has no slots if neither page has the node.
  ///
  /// - Parameters:
  ///   - candidates: the slots that may be causes.
  ///   - streams: the items of streams before the update, with the references of their streams. A
  ///     removed item is attributed to the operations of its stream.
  ///   - after: the page after the update.
  ///   - before: the page before the update. It costs another rendering, so it is made only for
  ///     removals, and for a changed text or attribute or a move whose cause the page after the
  ///     update does not show.
  static func slots(
    of changes: [Change], among candidates: [Int], touching touched: TouchedSlots, streams: [NodeRef: String],
    after: (Set<NodeRef>) -> Causes, before: (Set<NodeRef>) -> Causes?
  ) -> [[Int]] {
    if candidates.count < 2 { return Array(repeating: candidates, count: changes.count) }
    var nodes = Set(changes.lazy.map(\.node))
    for case .text(_, let parent, _, _) in changes { nodes.insert(parent) }
    // Each page is read only if a change needs it.
    lazy var later = after(nodes)
    lazy var earlier = before(nodes)
    lazy var operations = Dictionary(touched.streams.map { ($0.operation.ref, [$0.cause]) }, uniquingKeysWith: +)
    return changes.map { change in
      if case .remove = change {
        if let stream = streams[change.node] { return operations[stream] ?? [] }
      } else {
        let slots = later.slots(of: change)
        if !slots.isEmpty { return slots }
        if case .add = change { return [] }
      }
      return earlier?.slots(of: change) ?? []
    }
  }

  // MARK: - Rules

  /// - Parameter range: the tag, text or comment.
  private func ofNode(_ name: DisplayName, at range: ClosedRange<Int>) -> [Int] {
    guard case .element = name else { return inText(range, skippingEmpty: true) }
    let own = inTag(range)
    if !own.isEmpty {
      let id = page.attributes(named: ["id"], in: range)
      let ids = own.filter { id.contain($0.range) }
      if !ids.isEmpty { return ids.map(\.slot) }
    }
    let slots = innermost(around: range.lowerBound)
    return slots.isEmpty ? own.map(\.slot) : slots
  }

  private func inTag(_ range: ClosedRange<Int>, changing changes: [AttributeChange]) -> [Int] {
    let own = inTag(range)
    if own.isEmpty { return innermost(around: range.lowerBound) }
    // The tag does not have a removed attribute any more, so every slot in the tag may be the
    // cause.
    if own.count == 1 || changes.contains(where: { $0.after == nil }) { return own.map(\.slot) }
    let attributes = page.attributes(named: Set(changes.map(\.name)), in: range)
    let slots = own.filter { attributes.contain($0.range) }
    return (slots.isEmpty ? own : slots).map(\.slot)
  }

  /// - Parameter skippingEmpty: whether slots that wrote nothing are left out.
  private func inText(_ range: ClosedRange<Int>, skippingEmpty: Bool = false) -> [Int] {
    let parts = inside(range, skippingEmpty: skippingEmpty)
    let values = parts.filter { !touched.isCut($0) && !touched.isStream($0) }
    if !values.isEmpty { return withoutOuter(values) }
    let slots = innermost(around: range.lowerBound)
    return slots.isEmpty ? parts : slots
  }

  /// The operation that determines the position of a stream's item.
  private func insert(of item: DisplayName) -> (slot: Int, at: Int)? {
    guard !inserts.isEmpty, case .element(_, let id?) = item else { return nil }
    return inserts[id]
  }

  // MARK: - Slots by range

  private func inTag(_ range: ClosedRange<Int>) -> [(slot: Int, range: Range<Int>)] {
    written[first(in: range)...].prefix { $0.range.lowerBound <= range.upperBound }
      .filter { $0.range.lowerBound > range.lowerBound && $0.range.upperBound <= range.upperBound }
  }

  /// The slots that begin in a range of markup. A slot that begins at the end of the range wrote
  /// the neighbour, unless the slot wrote nothing.
  ///
  /// - Parameter skippingEmpty: whether slots that wrote nothing are left out.
  private func inside(_ range: ClosedRange<Int>, skippingEmpty: Bool = false) -> [Int] {
    written[first(in: range)...].prefix { $0.range.lowerBound <= range.upperBound }
      .filter {
        $0.range.isEmpty
          ? !skippingEmpty : range.lowerBound == range.upperBound || $0.range.lowerBound != range.upperBound
      }
      .map(\.slot)
  }

  /// The innermost slot that ends where a range begins, or begins where the range ends.
  private func beside(_ range: ClosedRange<Int>) -> [Int] {
    let before = enclosing(first(in: range) - 1, atMost: 1) { !$0.isEmpty && $0.upperBound == range.lowerBound }
    if let slot = before.first?.slot { return [slot] }
    let end = written.partitioningIndex { $0.range.lowerBound > range.upperBound }
    guard let next = written[..<end].last(where: { !$0.range.isEmpty }), next.range.lowerBound == range.upperBound
    else {
      return []
    }
    return [next.slot]
  }

  /// The innermost slot around an offset. The count of a list or a stream operation is returned
  /// only if no other slot is around the offset.
  private func innermost(around offset: Int) -> [Int] {
    let slots = around(offset)
    var values = slots.filter { !touched.isCut($0.slot) && !touched.isStream($0.slot) }[...]
    // A new component appears because of the slot that shows it, so that slot is the cause.
    if values.count > 1, touched.isComponent(values[0].slot), values[0].range == values[1].range {
      values.removeFirst()
    }
    return (values.first ?? slots.first).map { [$0.slot] } ?? []
  }

  /// The slots that wrote the markup at an offset, innermost first; at most ``surroundingSlots``.
  private func around(_ offset: Int) -> [(slot: Int, range: Range<Int>)] {
    let next = written.partitioningIndex { $0.range.lowerBound > offset }
    return enclosing(next - 1, atMost: Self.surroundingSlots) { $0.upperBound > offset }
  }

  /// The innermost slots that satisfy a condition, among the slot at a position in ``written`` and
  /// those around it.
  private func enclosing(
    _ position: Int, atMost limit: Int, where isIncluded: (Range<Int>) -> Bool
  ) -> [(slot: Int, range: Range<Int>)] {
    var (found, position) = ([(slot: Int, range: Range<Int>)](), position >= 0 ? position : nil)
    while let current = position, found.count < limit {
      if isIncluded(written[current].range) { found.append(written[current]) }
      position = parents[current]
    }
    return found
  }

  /// The limit of ``around(_:)``. If more slots are nested, the outermost ones are left out,
  /// because an inner slot is a closer cause.
  private static let surroundingSlots = 8

  /// The given slots, without those that enclose another one of them. For example, a moved entry
  /// does not cause a change of its content if the diff names a slot inside of the entry.
  private func withoutOuter(_ slots: [Int]) -> [Int] {
    if slots.count < 2 { return slots }
    var outer: Set<PathTree.Node> = []
    for slot in slots {
      var node = touched.slots[slot].path
      while let parent = touched.paths.parent(of: node), outer.insert(parent).inserted { node = parent }
    }
    return slots.filter { !outer.contains(touched.slots[$0].path) }
  }

  /// The first index in ``written`` of a slot that begins in a range of markup or after it.
  private func first(in range: ClosedRange<Int>) -> Int {
    written.partitioningIndex { $0.range.lowerBound >= range.lowerBound }
  }
}

// MARK: - Kinds of slots

extension TouchedSlots {
  private func lastStep(_ slot: Int) -> SlotPath.Step? {
    slots[slot].path == PathTree.root ? nil : paths.step(of: slots[slot].path)
  }

  /// Whether a slot is the number of entries of a list. A smaller number removes the last entries.
  fileprivate func isCut(_ slot: Int) -> Bool { lastStep(slot) == .key("kc") || lastStep(slot) == .key("d") }

  func isStream(_ slot: Int) -> Bool { lastStep(slot) == .key("stream") }

  /// The parent of a slot in the tree of paths. The parent of an entry, and of a number of entries,
  /// is the list.
  fileprivate func list(of slot: Int) -> PathTree.Node? { paths.parent(of: slots[slot].path) }

  /// Whether a slot is a component that was sent whole.
  fileprivate func isComponent(_ slot: Int) -> Bool {
    guard let parent = list(of: slot), parent != PathTree.root else { return false }
    return paths.parent(of: parent) == PathTree.root && paths.step(of: parent) == .key("c")
  }

  /// The keyed list of a slot that is one of its entries, moved or new; `nil` for other slots.
  fileprivate func listOfEntry(_ slot: Int) -> PathTree.Node? {
    guard case .index? = lastStep(slot), let list = list(of: slot), list != PathTree.root,
      paths.step(of: list) == .key("k")
    else { return nil }
    return list
  }
}
