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
      case .comment: list.append(.kept(child))
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
    return StreamPlan(items: list.items)
  }
}

/// A container's children while a stream works on them.
private struct Simulation {
  private struct Entry {
    var item: StreamPlan.Item
    var id: String?
    var isElement: Bool
    /// Whether a stream has put it there.
    var isItem: Bool
  }

  let page: NodeTree
  let document: NodeTree?
  let streams: StreamPatches
  private var entries: [Entry] = []
  /// Ids of ``entries``.
  private var ids: Set<String> = []
  /// Nodes of the document that a limit has cut away.
  private(set) var cutAway: [String: NodeTree.Index] = [:]

  init(page: NodeTree, document: NodeTree?, streams: StreamPatches) {
    self.page = page
    self.document = document
    self.streams = streams
  }

  var items: [StreamPlan.Item] { entries.map(\.item) }

  /// Where an item has left, the white space on both its sides becomes one: texts never stand side by side.
  var itemsWithoutAdjacentTexts: [StreamPlan.Item] {
    var wasText = false
    return items.filter { item in
      guard case .kept(let node) = item, let document, case .text = document[node] else {
        wasText = false
        return true
      }
      defer { wasText = true }
      return !wasText
    }
  }

  mutating func append(_ item: StreamPlan.Item, id: String? = nil, isElement: Bool? = nil, isItem: Bool? = nil) {
    entries.append(
      Entry(
        item: item, id: id, isElement: isElement ?? (id != nil),
        isItem: isItem ?? (id.map { streams.inserts[$0] != nil } ?? false)))
    if let id { ids.insert(id) }
  }

  /// Gives the child with this id the content of a node of the page, where it stands. Only a reset moves it.
  mutating func update(_ id: String, with node: NodeTree.Index) -> Bool {
    guard ids.contains(id), let position = entries.firstIndex(where: { $0.id == id }) else { return false }
    switch entries[position].item {
    case .kept(let known):
      guard let document, let was = document[known].element, let becomes = page[node].element,
        was.isOfKind(becomes)
      else {
        // Another tag is another node, in the same place.
        entries[position].item = .new(node, partner: nil)
        return true
      }
      entries[position].item = .new(node, partner: known)
    case .new(_, let partner): entries[position].item = .new(node, partner: partner)
    }
    if streams.inserts[id] != nil { entries[position].isItem = true }
    if streams.inserts[id]?.reset == true { reorder(id) }
    return true
  }

  /// Puts a child where its insert says, or at the end.
  mutating func put(_ item: StreamPlan.Item, id: String) {
    let entry = Entry(item: item, id: id, isElement: true, isItem: streams.inserts[id] != nil)
    ids.insert(id)
    guard let insert = streams.inserts[id] else {
      entries.append(entry)
      return
    }
    switch insert.at {
    case 0: entries.insert(entry, at: entries.firstIndex(where: \.isElement) ?? entries.count)
    case 1...: entries.insert(entry, at: position(ofElement: insert.at) ?? entries.count)
    default:
      // Items stand before children that are none.
      let last = entries.last(where: \.isElement)
      let isBehindOthers = last.map { !$0.isItem } ?? false
      let place = isBehindOthers ? entries.firstIndex { $0.isElement && !$0.isItem } : nil
      entries.insert(entry, at: place ?? entries.count)
    }
    reorder(id)
  }

  /// What a browser does with every item once it stands in the page: a place counted from the front is looked up again,
  /// now that the item itself counts, and the container is cut to the limit.
  mutating func reorder(_ id: String) {
    // Most items go to the end, of a container without a limit: there is nothing to look up.
    guard let insert = streams.inserts[id], insert.at >= 0 || insert.limit != nil,
      let position = entries.firstIndex(where: { $0.id == id })
    else { return }
    if insert.at >= 0 {
      let elements = entries.indices.filter { entries[$0].isElement }
      let entry = entries.remove(at: position)
      if insert.at == 0 {
        entries.insert(entry, at: entries.firstIndex(where: \.isElement) ?? entries.count)
      } else if insert.at >= elements.count - 1 {
        entries.append(entry)
      } else {
        // With the item taken out, the element at that place is the one to stand before.
        entries.insert(entry, at: self.position(ofElement: insert.at) ?? entries.count)
      }
    }
    if let limit = insert.limit { cut(to: limit) }
  }

  private func position(ofElement index: Int) -> Int? {
    var count = 0
    for (position, entry) in entries.enumerated() where entry.isElement {
      if count == index { return position }
      count += 1
    }
    return nil
  }

  private mutating func cut(to limit: Int) {
    let elements = entries.indices.filter { entries[$0].isElement }
    guard elements.count > limit.magnitude else { return }
    let gone = limit < 0 ? elements.prefix(elements.count + limit) : elements.suffix(from: limit)
    for position in gone.reversed() {
      let entry = entries.remove(at: position)
      guard let id = entry.id else { continue }
      ids.remove(id)
      switch entry.item {
      case .kept(let node): cutAway[id] = node
      case .new(_, let partner): cutAway[id] = partner
      }
    }
  }
}
