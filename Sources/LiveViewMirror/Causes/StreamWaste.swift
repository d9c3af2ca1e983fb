internal import MarkupDocument
internal import RenderedTree

/// The parts of stream operations that changed nothing in the document. Examples are an
/// `update_only` insert or a delete of an unknown id, an insert of an item with the content and the
/// position that it already has, and a reset that removes and moves nothing. Other waste is a value
/// that the tree already had. The tree forgets the items of streams, so the effect of their
/// operations on the document decides.
///
/// An item is *affected* if the update added, removed or moved its element, or changed anything in
/// the element. The changes and the document before the update determine this, so scoped and full
/// updates report the same waste.
///
/// Each update makes one after its merge, before the document changes and before the tree forgets
/// the entries of streams.
package struct StreamWaste {
  /// A part of an operation. The path of `all` is that of the operation's slot. The other parts
  /// append their position in the operation to this path; see ``suffix``.
  enum Part {
    case all
    case insert(Int)
    case delete(Int)
    case reset
  }

  /// The parts without effect, by the positions of their slots in `TouchedSlots/slots`.
  private(set) var parts: [Int: [(part: Part, bytes: Int)]] = [:]

  /// No waste.
  init() {}

  /// The number of bytes of a slot that had no effect.
  package func bytes(at slot: Int) -> Int {
    parts.isEmpty ? 0 : parts[slot]?.reduce(0) { $0 + $1.bytes } ?? 0
  }

  /// Whether a slot as a whole had no effect.
  func isIdle(_ slot: Int) -> Bool { parts[slot]?.contains { $0.part.isAll } ?? false }

  /// - Parameters:
  ///   - streams: the operations that the client has carried out.
  ///   - rendered: the tree after the merge. The new entries are rendered from it, because only
  ///     their markup states the id of each entry's item.
  ///   - document: the document before the update.
  /// - Complexity: O(*items* + *bytes of their entries* + *changes*, with the nodes above each).
  init(
    of streams: [TouchedStream], in touched: TouchedSlots, rendered: Rendered, changing document: Document,
    by changeSet: ChangeSet
  ) {
    if streams.isEmpty { return }
    let entryIDs = streams.map { stream in
      stream.list.entries.map { Self.id(of: $0, of: stream.list, rendered, document.dialect) }
    }
    var ids: Set<String> = []
    for (stream, entryIDs) in zip(streams, entryIDs) {
      ids.formUnion(entryIDs.compactMap(\.self))
      ids.formUnion(stream.operation.inserts.lazy.map(\.id))
      ids.formUnion(stream.operation.deletes)
    }
    let affected = AffectedItems(among: ids, of: document, by: changeSet)
    for (stream, entryIDs) in zip(streams, entryIDs) { add(stream, entryIDs, affected, touched) }
  }

  private mutating func add(
    _ stream: TouchedStream, _ entryIDs: [String?], _ affected: AffectedItems, _ touched: TouchedSlots
  ) {
    let operation = stream.operation
    let losesItems = affected.losingStreams.contains(operation.ref)
    var idle: [(part: Part, bytes: Int)] = []
    for (index, insert) in operation.inserts.enumerated() {
      // An insert with a limit may have removed other items, so it is not waste.
      if affected.ids.contains(insert.id) || losesItems && insert.limit != nil { continue }
      idle.append((.insert(index), insert.size))
    }
    for (index, id) in operation.deletes.enumerated() where !affected.ids.contains(id) {
      idle.append((.delete(index), StreamOperation.size(ofDeleted: id)))
    }
    if operation.reset, !losesItems { idle.append((.reset, StreamOperation.sizeOfReset)) }
    let isIdle = idle.count == operation.inserts.count + operation.deletes.count + (operation.reset ? 1 : 0)
    if stream.isWhole {
      let entriesAreIdle = entryIDs.allSatisfy { $0.map { !affected.ids.contains($0) } ?? false }
      if isIdle, entriesAreIdle { parts[stream.cause] = [(.all, touched.slots[stream.cause].bytes)] }
      return
    }
    parts[stream.cause] = isIdle ? [(.all, operation.size)] : idle
    for (slot, id) in zip(stream.slots, entryIDs) {
      if let id, !affected.ids.contains(id) { parts[slot] = [(.all, touched.slots[slot].bytes)] }
    }
  }

  private static func id(
    of entry: Comprehension.Entry, of list: Comprehension, _ rendered: Rendered, _ dialect: Dialect
  ) -> String? {
    var renderer = Renderer(partOf: rendered, depth: 0, marking: .none)
    do throws(RenderError) { try renderer.write(entry, of: list, at: nil) } catch { return nil }
    return MarkupParser.firstID(in: renderer.rendering.markup, dialect: dialect)
  }
}

extension StreamWaste.Part {
  fileprivate var isAll: Bool { if case .all = self { true } else { false } }

  /// The text after the path of the slot: the position in `[ref, inserts, deletes, reset]`.
  var suffix: String {
    switch self {
    case .all: ""
    case .insert(let index): ".1.\(index)"
    case .delete(let index): ".2.\(index)"
    case .reset: ".3"
    }
  }
}

/// The items of streams that a change set affects.
private struct AffectedItems {
  private(set) var ids: Set<String> = []
  /// The references of streams with items that were removed or moved.
  private(set) var losingStreams: Set<String> = []

  private let document: Document
  private let candidates: Set<String>
  private var items: [NodeRef: String] = [:]
  /// The nodes from which ``affect(around:)`` has climbed already.
  private var visited: Set<NodeRef> = []

  init(among candidates: Set<String>, of document: Document, by changeSet: ChangeSet) {
    self.document = document
    self.candidates = candidates
    for id in candidates {
      if let node = document.node(withID: id) { items[node] = id }
    }
    for change in changeSet.changes {
      switch change {
      case .text(_, let parent, _, _): affect(around: parent)
      case .attributes(let node, _, let changes):
        affect(around: node)
        for change in changes where change.name == "id" { if let id = change.after { affect(id) } }
      case .add(let subtree, let position):
        for node in subtree.nodes { if let id = node.content.element?.id { affect(id) } }
        affect(around: position.parent)
      case .remove(let nodes, let position, _):
        for node in nodes { lose(node) }
        affect(around: position.parent)
      case .move(let node, _, let from, let to):
        lose(node)
        affect(around: from.parent)
        affect(around: to.parent)
      }
    }
  }

  private mutating func affect(_ id: String) { if candidates.contains(id) { ids.insert(id) } }

  private mutating func lose(_ node: NodeRef) {
    if let id = items[node] { ids.insert(id) }
    if let stream = document.marks.streams[node] { losingStreams.insert(stream) }
  }

  /// Marks the items that contain a node, or are the node.
  private mutating func affect(around node: NodeRef) {
    var step: NodeRef? = node
    while let node = step, visited.insert(node).inserted {
      if let id = items[node] { ids.insert(id) }
      step = document.parent(of: node)
    }
  }
}
