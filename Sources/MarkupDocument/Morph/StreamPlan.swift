/// The children that a container will have whose children the page does not list in full: one with
/// `phx-update="stream"`, whose items live in the document alone, or with `phx-update="ignore"`.
///
/// The rules are those of LiveView's client (`dom_patch`, 1.0 to 1.2), found by DOM id: reset, then deletions, then, in
/// the page's order, an item that is there is updated in place and one that is not is put where its insert says; after
/// each that is put, the container is cut to its limit. Only elements count as children. One difference: white space
/// between items stays where it is, where a browser drops it.
struct StreamPlan {
  enum Item {
    case kept(NodeTree.Index)
    /// A node of the page, with the child of the document that it is.
    case new(NodeTree.Index, partner: NodeTree.Index?)
  }

  private(set) var items: [Item] = []

  /// Everything stays.
  init(_ kept: [NodeTree.Index]) { items = kept.map { .kept($0) } }

  private init(items: [Item]) { self.items = items }

  // MARK: - A container that is there

  static func ofContainer(
    _ node: NodeTree.Index, in page: NodeTree, partner: NodeTree.Index, in document: Document,
    streams: StreamPatches, isTaken: (NodeTree.Index) -> Bool
  ) -> StreamPlan {
    let old = document.tree
    var list = Simulation(page: page, document: old, streams: streams)
    /// Taken out by a reset or a deletion, and perhaps put back by an insert.
    var removed: [String: NodeTree.Index] = [:]
    for child in old.children(of: partner) where !isTaken(child) {
      switch old[child] {
      case .element(let element):
        // A browser drops a child that has no id, at the first update.
        guard let id = element.id else { continue }
        let isReset = document.marks.streams[document.ref(child)].map(streams.resets.contains) ?? false
        if isReset || streams.deletes.contains(id) {
          removed[id] = child
        } else {
          list.append(.kept(child), id: id, isItem: document.marks.streams[document.ref(child)] != nil)
        }
      case .text(let text) where text.allSatisfy(\.isWhitespace): list.append(.kept(child))
      case .comment, .processingInstruction: list.append(.kept(child))
      case .text, .root: continue
      }
    }
    for child in page.children(of: node) {
      guard let element = page[child].element, let id = element.id else { continue }
      if list.update(id, with: child) { continue }
      let known = (removed[id] ?? list.cutAway[id]).flatMap { candidate -> NodeTree.Index? in
        old[candidate].element?.isOfKind(element) == true ? candidate : nil
      }
      if streams.inserts[id]?.updateOnly == true, known == nil { continue }
      list.put(.new(child, partner: known), id: id)
    }
    return StreamPlan(items: list.itemsWithoutAdjacentTexts)
  }

  // MARK: - A container that is new

  /// The children stand as the page lists them, and are then put where their inserts say.
  static func ofNewContainer(
    _ node: NodeTree.Index, in page: NodeTree, streams: StreamPatches
  ) -> StreamPlan {
    var list = Simulation(page: page, document: nil, streams: streams)
    var ids: [String] = []
    for child in page.children(of: node) {
      let id = page[child].element?.id
      if let id, list.update(id, with: child) { continue }
      list.append(.new(child, partner: nil), id: id, isElement: page[child].element != nil)
      if let id { ids.append(id) }
    }
    for id in ids { list.reorder(id) }
    return StreamPlan(items: list.itemsWithoutAdjacentTexts)
  }
}

/// A container's children while a stream works on them.
///
/// A stream may put thousands of items into a container of thousands, each at the front and each with a limit, so no
/// step may look at all of them: the order stands in two linked lists over one array of entries, one of all children
/// and one of the elements among them, and an id leads to its entry. Only a place that is counted, `at` 1 or more, is
/// walked to.
///
/// Of several children of one id, the first that was listed is meant.
private struct Simulation {
  private struct Entry {
    var item: StreamPlan.Item
    var id: String?
    var isElement: Bool
    /// Whether a stream has put it there.
    var isItem: Bool
    var isGone = false
  }

  let page: NodeTree
  let document: NodeTree?
  let streams: StreamPatches
  /// In the order in which they came. None is ever taken out, so that a place in here lasts.
  private var entries: [Entry] = []
  private var order = LinkedPlaces()
  /// The elements of ``order``.
  private var elements = LinkedPlaces()
  private var places: [String: Int] = [:]
  /// Before this place no entry is an element that no stream has put there. See ``firstOther()``.
  private var otherHint = 0
  /// Nodes of the document that a limit has cut away.
  private(set) var cutAway: [String: NodeTree.Index] = [:]

  init(page: NodeTree, document: NodeTree?, streams: StreamPatches) {
    self.page = page
    self.document = document
    self.streams = streams
  }

  /// Where an item has left, the white space on both its sides becomes one: texts never stand side by side.
  var itemsWithoutAdjacentTexts: [StreamPlan.Item] {
    var wasText = false
    return order.lazy.map { entries[$0].item }.filter { item in
      defer { wasText = isText(item) }
      return !wasText || !isText(item)
    }
  }

  private func isText(_ item: StreamPlan.Item) -> Bool {
    switch item {
    case .kept(let node): if case .text = document?[node] { true } else { false }
    case .new(let node, _): if case .text = page[node] { true } else { false }
    }
  }

  mutating func append(_ item: StreamPlan.Item, id: String? = nil, isElement: Bool? = nil, isItem: Bool? = nil) {
    let entry = Entry(
      item: item, id: id, isElement: isElement ?? (id != nil),
      isItem: isItem ?? (id.map { streams.inserts[$0] != nil } ?? false))
    insert(add(entry), before: nil)
  }

  /// Gives the child with this id the content of a node of the page, where it stands. Only a reset moves it.
  ///
  /// - Complexity: O(1), but for a reset to a place that is counted.
  mutating func update(_ id: String, with node: NodeTree.Index) -> Bool {
    guard let place = places[id] else { return false }
    switch entries[place].item {
    case .kept(let known):
      guard let document, let was = document[known].element, let becomes = page[node].element,
        was.isOfKind(becomes)
      else {
        // Another tag is another node, in the same place.
        entries[place].item = .new(node, partner: nil)
        return true
      }
      entries[place].item = .new(node, partner: known)
    case .new(_, let partner): entries[place].item = .new(node, partner: partner)
    }
    if streams.inserts[id] != nil { entries[place].isItem = true }
    if streams.inserts[id]?.reset == true { reorder(id) }
    return true
  }

  /// Puts a child where its insert says, or at the end.
  ///
  /// - Complexity: O(1) amortised, with its cut; O(`at`) for a place that is counted.
  mutating func put(_ item: StreamPlan.Item, id: String) {
    let streamInsert = streams.inserts[id]
    let place = add(Entry(item: item, id: id, isElement: true, isItem: streamInsert != nil))
    guard let streamInsert else {
      insert(place, before: nil)
      return
    }
    switch streamInsert.at {
    case 0...: insert(place, before: element(at: streamInsert.at))
    default:
      // Items stand before children that are none.
      let isBehindOthers = elements.last.map { !entries[$0].isItem } ?? false
      insert(place, before: isBehindOthers ? firstOther() : nil)
    }
    reorder(id)
  }

  /// What a browser does with every item once it stands in the page: a place counted from the front is looked up again,
  /// now that the item itself counts, and the container is cut to the limit.
  ///
  /// - Complexity: that of ``put(_:id:)``.
  mutating func reorder(_ id: String) {
    // Most items go to the end, of a container without a limit: there is nothing to look up.
    guard let streamInsert = streams.inserts[id], streamInsert.at >= 0 || streamInsert.limit != nil,
      let place = places[id]
    else { return }
    if streamInsert.at >= 0 {
      order.remove(place)
      elements.remove(place)
      // With the item taken out, the element at that place is the one to stand before.
      insert(place, before: element(at: streamInsert.at))
    }
    if let limit = streamInsert.limit { cut(to: limit) }
  }

  // MARK: - Places

  /// An entry that stands nowhere yet.
  private mutating func add(_ entry: Entry) -> Int {
    entries.append(entry)
    let place = entries.count - 1
    if let id = entry.id, places[id] == nil { places[id] = place }
    return place
  }

  /// Puts an entry before an element or, without one, at the end.
  private mutating func insert(_ place: Int, before element: Int?) {
    order.insert(place, before: element)
    if entries[place].isElement { elements.insert(place, before: element) }
  }

  private func element(at index: Int) -> Int? {
    guard index < elements.count else { return nil }
    return elements.dropFirst(index).first { _ in true }
  }

  /// The first element that no stream has put there. Such an element is never moved, and came at the end of those
  /// before it: they stand in the order in which they came, and one that has become an item stays one.
  private mutating func firstOther() -> Int? {
    while otherHint < entries.count {
      let entry = entries[otherHint]
      if entry.isElement, !entry.isItem, !entry.isGone { return otherHint }
      otherHint += 1
    }
    return nil
  }

  private mutating func cut(to limit: Int) {
    guard elements.count > limit.magnitude else { return }
    // From behind: of several that are cut away with one id, the first is remembered.
    let gone =
      limit < 0 ? elements.prefix(elements.count + limit).reversed() : elements.backwards(elements.count - limit)
    for place in gone {
      order.remove(place)
      elements.remove(place)
      entries[place].isGone = true
      guard let id = entries[place].id else { continue }
      places[id] = nil
      switch entries[place].item {
      case .kept(let node): cutAway[id] = node
      case .new(_, let partner): cutAway[id] = partner
      }
    }
  }
}
