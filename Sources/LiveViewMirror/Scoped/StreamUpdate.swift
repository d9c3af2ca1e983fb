internal import MarkupDocument
internal import RenderedTree

extension ScopedUpdate.Entries {
  /// The items that a stream's operation names, in its container.
  ///
  /// This works if the template has only the stream in the container, and the operation only adds
  /// items at the start or end, changes items in place, and removes items. Other operations
  /// (limits, resets, other indexes) need a region with the whole container.
  ///
  /// ``ScopedUpdate`` makes them for each stream operation. If the result is `nil`, the slot
  /// becomes a ``Region``.
  ///
  /// - Returns: `nil` if the operation, the container or an item is of another kind.
  init?(
    streamAt address: SlotAddress, _ edit: EntriesEdit?, _ cause: Int?, of instance: PathInstance,
    in context: ScopedContext
  ) throws(FullUpdateReason) {
    guard let stream = try StreamUpdate(in: address.slot, of: instance, cause: cause, entries: edit, context) else {
      return nil
    }
    let causes = (cause.map { [$0] } ?? []) + (edit?.causes ?? [])
    self.init(part: stream.part, address: address, causes: causes, claims: stream.claims)
  }
}

/// The changes of a stream's operation. Each new or changed item is one ``Region``.
private struct StreamUpdate {
  /// The changes of the container's children.
  private(set) var part: PartChanges
  /// The ids of the items.
  private(set) var claims = Claims()

  private let context: ScopedContext
  private var document: Document { context.document }
  private var parent: NodeRef { part.parent }
  private let list: Comprehension
  private let instance: PathInstance
  private let patch: StreamPatch
  /// The touched slot of the operation. It causes removals and the positions of items that are
  /// added at the start. It also causes the changes of entries that are not in ``entryCauses``.
  private let cause: [Int]
  /// The slots that caused each new entry, by the index of the entry.
  private let entryCauses: [Int: Int]

  /// The maximum number of entries, of deleted ids, and of inserted ids. Larger operations need a
  /// region.
  private static let maximumItems = 256

  init?(
    in slot: Int, of instance: PathInstance, cause: Int?, entries edit: EntriesEdit?, _ context: ScopedContext
  ) throws(FullUpdateReason) {
    let document = context.document
    guard case .comprehension(let list) = instance.slots[slot], let stream = list.stream,
      !stream.reset, stream.inserts.allSatisfy({ $0.limit == nil && !$0.updateOnly && ($0.at == 0 || $0.at == -1) }),
      list.entries.count <= Self.maximumItems, stream.deletes.count <= Self.maximumItems,
      stream.inserts.count <= Self.maximumItems,
      let container = context.container(of: slot, in: instance), let place = document.treeIndex(of: container),
      document.content(of: container)?.element?.updateRule == .stream,
      // The container may hold texts and elements without an id, which a patch can remove. It must
      // then be compared as a whole.
      (edit?.oldCount ?? list.entries.count) == 0, !context.leftovers.contains(container)
    else { return nil }
    self.context = context
    part = PartChanges(of: container, start: 0, count: document.tree.childCount(of: place))
    part.result.hasStreams = true
    patch = StreamPatch(stream)
    self.cause = cause.map { [$0] } ?? []
    entryCauses = Dictionary((edit?.arrivals ?? []).map { ($0.index, $0.cause) }, uniquingKeysWith: { $1 })
    (self.list, self.instance) = (list, instance)
    // Finding the index of a deleted item visits its siblings.
    try context.spend(
      2 * WorkBudget.region * list.entries.count + (WorkBudget.edit + part.oldCount / 2) * stream.deletes.count)
    guard remove(stream.deletes), addEntries() else { return nil }
  }

  // MARK: - Removed items

  private mutating func remove(_ ids: [String]) -> Bool {
    var met: Set<String> = []
    for id in ids where met.insert(id).inserted {
      guard document.count(ofID: id) <= 1 else { return false }
      guard let item = document.node(withID: id) else { continue }
      // A stream deletes an item by its id, anywhere in the page.
      guard document.parent(of: item) == parent else { return false }
      guard let place = document.treeIndex(of: item), let content = document.content(of: item),
        document.marks.streams[item] != nil,
        !isText(document.tree.previous(of: place)) || !isText(document.tree.next(of: place))
      else { return false }
      let removal = Change.remove(
        nodes: document.nodes(from: item), from: Position(parent: parent, index: document.index(of: item)),
        name: DisplayName(content))
      part.result.add(removal, causedBy: cause)
    }
    // If all items between two texts were removed, the two texts would become adjacent.
    return part.result.changes.count < 2 || !hasTextBetweenItems
  }

  private var hasTextBetweenItems: Bool {
    part.result.changes.contains { change in
      guard let place = document.treeIndex(of: change.node) else { return true }
      return isText(document.tree.previous(of: place)) || isText(document.tree.next(of: place))
    }
  }

  private func isText(_ place: NodeTree.Index?) -> Bool {
    guard let place, case .text = document.tree[place] else { return false }
    return true
  }

  // MARK: - New and changed items

  private mutating func addEntries() -> Bool {
    let count = list.entries.count
    // An entry has the markup of an item. If there are more inserts than entries, an insert has no
    // markup: its id may belong to an item of another stream.
    guard patch.inserts.count <= count else { return false }
    if count == 0 { return true }
    guard let edges = edges else { return false }
    let removed = Set(part.result.changes.map(\.node))
    // New items are placed next to the first or last element. If this element is removed, only
    // white space may be left in the container, and the place is not certain.
    guard !removed.contains(edges.first), !removed.contains(edges.last) else { return false }
    let first = document.index(of: edges.first) - removals(before: edges.first)
    var (front, back): ([(Subtree, [Int])], [(Subtree, [Int])]) = ([], [])
    for index in list.entries.indices {
      guard let item = try? compare(index, besides: removed) else { return false }
      let own = entryCauses[index].map { [$0] } ?? cause
      switch item {
      case .known(let changes): part.result.add(changes, causedBy: own)
      case .new(let subtree, isFirst: true): front.append((subtree, own == cause ? own : cause + own))
      // An item whose id is new is added at the end even if the operation does not name its
      // position, so `cause` is left out.
      case .new(let subtree, isFirst: false): back.append((subtree, own))
      }
    }
    for (position, (item, causes)) in front.reversed().enumerated() {
      part.result.add(.add(item, at: Position(parent: parent, index: first + position)), causedBy: causes)
    }
    // These items are added at the end, after the items that the container keeps and those that
    // were added at the start.
    var end = part.oldCount + part.growth
    for (item, causes) in back {
      part.result.add(.add(item, at: Position(parent: parent, index: end)), causedBy: causes)
      end += 1
    }
    return true
  }

  /// The first and the last element of the container; `nil` if the last one is not an item of a
  /// stream: such an element stays at the end, so new items would not be added after it.
  private var edges: (first: NodeRef, last: NodeRef)? {
    guard let place = document.treeIndex(of: parent) else { return nil }
    var (first, last) = (document.tree.firstChild(of: place), document.tree.lastChild(of: place))
    while let node = first, document.tree[node].element == nil { first = document.tree.next(of: node) }
    while let node = last, document.tree[node].element == nil { last = document.tree.previous(of: node) }
    guard let first, let last, document.marks.streams[document.ref(last)] != nil else { return nil }
    return (document.ref(first), document.ref(last))
  }

  /// The number of removed items before a node.
  private func removals(before node: NodeRef) -> Int {
    let index = document.index(of: node)
    return part.result.changes.count(where: { change in
      if case .remove(_, let position, _) = change { position.index < index } else { false }
    })
  }

  /// An item that the operation names.
  private enum Item {
    /// An item of the container, with its changes.
    case known([Change])
    case new(Subtree, isFirst: Bool)
  }

  /// Compares an entry with its item.
  ///
  /// - Throws: if the entry needs a region with the whole container.
  private mutating func compare(_ index: Int, besides removed: Set<NodeRef>) throws(FullUpdateReason) -> Item {
    let content = Region.Content.item(index, of: list, in: instance, patch)
    let markup = try context.render(content)
    // Components, keyed entries and inner streams in an item also need a region with the whole
    // container.
    guard markup.rendering.spans.isEmpty, markup.rendering.streams.isEmpty,
      let id = MarkupParser.firstID(in: markup.bytes, dialect: document.dialect)
    else { throw .insertWithoutMarkup }
    let known = document.node(withID: id).flatMap { document.parent(of: $0) == parent ? $0 : nil }
    let insert = patch.inserts.last { $0.id == id }
    let isFirst = insert?.at == 0
    guard known.map({ !removed.contains($0) }) ?? (insert != nil),
      let location = known.map({ Region.Location(of: $0, in: document) })
        ?? end(isFirst: isFirst)
    else { throw .insertWithoutMarkup }
    let region = Region(content, at: location, showing: markup)
    var item = try region.changes(in: context, claiming: &claims, causedBy: []).result
    let changes = item.changes
    (item.changes, item.causes) = ([], [])
    part.result.add(item)
    if known != nil {
      guard changes.allSatisfy({ !$0.parents.contains(parent) }) else { throw .movedID }
      return .known(changes)
    }
    guard changes.count == 1, case .add(let subtree, _) = changes[0], subtree.nodes[0].content.element?.id == id
    else { throw .insertWithoutMarkup }
    return .new(subtree, isFirst: isFirst)
  }

  /// The empty range at the start or end of the container.
  private func end(isFirst: Bool) -> Region.Location? {
    guard let place = document.treeIndex(of: parent) else { return nil }
    return isFirst
      ? Region.Location(parent: parent, before: document.tree.firstChild(of: place).map(document.ref))
      : Region.Location(parent: parent, after: document.tree.lastChild(of: place).map(document.ref))
  }
}

extension ScopedContext {
  /// The element that contains only the stream in this slot; `nil` if the stream has siblings.
  fileprivate func container(of slot: Int, in instance: PathInstance) -> NodeRef? {
    guard let template = instance.template, let site = instance.site, case .gap(let number) = template.positions[slot],
      let anchor = template.gaps[number].parent, template.outermost(of: site, around: anchor) == anchor,
      template.gaps[number].slots == slot..<(slot + 1), template.gaps[number].left == nil,
      template.gaps[number].right == nil
    else { return nil }
    return try? node(site[anchor])
  }
}
