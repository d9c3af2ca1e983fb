internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The changes of a stream's operation in its container. Items that the operation does not name are not visited.
///
/// This works for the usual operations, in a container that holds nothing else: they add items at the start or end, change items
/// in place, and remove items. Other operations (limits, resets, other indexes) need a region with the whole container.
struct StreamUpdate: ChildrenUpdate {
  let parent: NodeRef
  let firstNode: NodeRef?
  let start = 0
  let oldCount: Int
  private(set) var growth = 0
  private(set) var changes: [Change] = []
  private(set) var slots: [[String]] = []
  let causes: [Int]
  private(set) var size = PageSize()
  private(set) var marks = Marks()
  private(set) var marked: [NodeRef] = []
  private(set) var diagnostics: [MarkupDiagnostic] = []
  private(set) var claims = Claims()
  let parsed: [ParsedRegion] = []
  let hasStreams = true

  private let context: ScopedContext
  private var document: Document { context.document }
  /// The names of the slots that caused the operation.
  private let names: [String]
  /// The names of the slots that caused each new entry, by the index of the entry.
  private let entryNames: [Int: [String]]
  /// The depth of the instance that has the stream.
  private let depth: Int

  /// Operations with more items need a region.
  private static let maximumItems = 256

  /// - Returns: `nil` if the operation, the container or an item is of another kind.
  init?(
    in slot: Int, of instances: [PathInstance], cause: Int?, entries: EntriesEdit?, context: ScopedContext
  ) throws(NeedsFullUpdate) {
    let document = context.document
    guard let instance = instances.last, case .comprehension(let list) = instance.slots[slot], let stream = list.stream,
      !stream.reset, stream.inserts.allSatisfy({ $0.limit == nil && !$0.updateOnly && ($0.at == 0 || $0.at == -1) }),
      list.entries.count <= Self.maximumItems, stream.deletes.count <= Self.maximumItems,
      stream.inserts.count <= Self.maximumItems,
      let container = context.container(of: slot, in: instance), let place = document.treeIndex(of: container),
      document.content(of: container)?.element?.updateRule == .stream,
      // If the previous page listed entries of the stream, the container may also hold texts and elements without an id. The next
      // patch that lists no such child removes them, so the container must be compared as a whole.
      (entries?.oldCount ?? list.entries.count) == 0
    else { return nil }
    self.context = context
    parent = container
    firstNode = document.tree.firstChild(of: place).map(document.ref)
    oldCount = document.tree.childCount(of: place)
    causes = (cause.map { [$0] } ?? []) + (entries?.causes ?? [])
    names = Attribution.slots(cause.map { [$0] } ?? [], of: context.touched)
    var entryNames: [Int: [String]] = [:]
    for arrival in entries?.arrivals ?? [] {
      entryNames[arrival.index] = Attribution.slots([arrival.cause], of: context.touched)
    }
    self.entryNames = entryNames
    depth = instance.site?.depth ?? 0
    // Finding the index of a deleted item visits its siblings.
    try context.spend(
      2 * WorkBudget.region * list.entries.count + (WorkBudget.edit + oldCount / 2) * stream.deletes.count)
    guard remove(stream.deletes), add(list, StreamPatch(stream)) else { return nil }
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
      changes.append(
        .remove(
          nodes: document.nodes(from: item), from: Position(parent: parent, index: document.index(of: item)),
          name: NodeName(content)))
      slots.append(names)
      growth -= 1
    }
    // If adjacent items between two texts were removed, the two texts would become adjacent.
    return changes.count < 2 || !hasTextBetweenItems
  }

  private var hasTextBetweenItems: Bool {
    changes.contains { change in
      guard let place = document.treeIndex(of: change.node) else { return true }
      return isText(document.tree.previous(of: place)) || isText(document.tree.next(of: place))
    }
  }

  private func isText(_ place: NodeTree.Index?) -> Bool {
    guard let place, case .text = document.tree[place] else { return false }
    return true
  }

  // MARK: - New and changed items

  private mutating func add(_ list: Comprehension, _ patch: StreamPatch) -> Bool {
    // An inserted item without an entry can be an item of another stream.
    guard patch.inserts.count <= list.entries.count else { return false }
    if list.entries.isEmpty { return true }
    guard let edges = edges else { return false }
    let removed = Set(changes.map(\.node))
    // New items are placed next to the first or last element. If that is removed, the container may be left with white space
    // only.
    guard !removed.contains(edges.first), !removed.contains(edges.last) else { return false }
    var (front, back): ([(Subtree, [String])], [(Subtree, [String])]) = ([], [])
    for (index, entry) in list.entries.enumerated() {
      let names = names + (entryNames[index] ?? [])
      guard let (page, top) = parse(entry, of: list) else { return false }
      guard let id = page.tree[top].element?.id else { return false }
      if let known = document.node(withID: id), document.parent(of: known) == parent {
        guard !removed.contains(known), update(known, to: page, patch, names) else { return false }
        continue
      }
      guard let insert = patch.inserts.last(where: { $0.id == id }),
        let new = make(page, patch)
      else { return false }
      if insert.at == 0 { front.append((new, names)) } else { back.append((new, names)) }
    }
    growth += front.count + back.count
    let first = document.index(of: edges.first) - removals(before: edges.first)
    for (position, (item, names)) in front.reversed().enumerated() {
      changes.append(.add(item, at: Position(parent: parent, index: first + position)))
      slots.append(names)
    }
    for (position, (item, names)) in back.enumerated() {
      changes.append(
        .add(item, at: Position(parent: parent, index: oldCount + growth - back.count + position)))
      slots.append(names)
    }
    return true
  }

  /// The first and the last element of the container; `nil` if the last one is not an item of a stream, because such an element
  /// stays at the end.
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
    return changes.reduce(0) { count, change in
      if case .remove(_, let position, _) = change, position.parent == parent, position.index < index {
        count + 1
      } else {
        count
      }
    }
  }

  /// Parses an entry on its own.
  ///
  /// - Returns: the page, and the item's element in it; `nil` if the entry is not one element, or needs a region.
  private mutating func parse(
    _ entry: Comprehension.Entry, of list: Comprehension
  ) -> (page: Page, top: NodeTree.Index)? {
    let start = MonotonicTime.now
    var renderer = Renderer(partOf: context.rendered, depth: depth, marking: .none)
    do throws(RenderError) { try renderer.write(entry, of: list, at: nil) } catch { return nil }
    let rendering = renderer.rendering
    context.didRender(since: start)
    size.add(rendering)
    // Components, keyed entries and inner streams in an item need a region with the whole container.
    guard rendering.spans.isEmpty, rendering.streams.isEmpty else { return nil }
    guard case (let piece, var page)? = context.parse(rendering, in: parent) else { return nil }
    guard page.rootsAreContained else { return nil }
    // Text and comments next to the item are not added to the container.
    var top: NodeTree.Index?
    for child in Array(page.tree.children(of: piece.parent)) {
      if page.tree[child].element == nil {
        page.tree.remove(child)
      } else if top == nil {
        top = child
      } else {
        return nil
      }
    }
    diagnostics += page.diagnostics
    return top.map { (page, $0) }
  }

  private mutating func update(
    _ item: NodeRef, to page: Page, _ patch: StreamPatch, _ names: [String]
  ) -> Bool {
    guard let place = document.treeIndex(of: item) else { return false }
    let excerpt = document.excerpt(
      of: parent, after: document.tree.previous(of: place).map(document.ref),
      before: document.tree.next(of: place).map(document.ref), numberingFrom: context.nextNumber)
    guard let morph = morph(from: excerpt, to: page, patch),
      morph.changes.changes.allSatisfy({ !$0.parents.contains(excerpt.root) })
    else { return false }
    changes += morph.changes.changes
    slots += morph.changes.changes.map { _ in names }
    marked += excerpt.nodes(from: excerpt.root)
    return true
  }

  private mutating func make(_ page: Page, _ patch: StreamPatch) -> Subtree? {
    let excerpt = document.emptyExcerpt(numberingFrom: context.nextNumber)
    guard let morph = morph(from: excerpt, to: page, patch), morph.changes.changes.count == 1,
      case .add(let item, _) = morph.changes.changes[0]
    else { return nil }
    return item
  }

  private mutating func morph(
    from excerpt: Document, to page: Page, _ patch: StreamPatch
  ) -> Morph.Outcome? {
    guard let top = page.tree.itemParent else { return nil }
    do throws(NeedsFullUpdate) {
      try claims.claim(page, below: top, components: [], excerpt, in: document)
    } catch { return nil }
    let morph = Morph.changes(
      from: excerpt, toChildrenOf: top, in: page, streams: [patch], rules: PatchRules(version: context.client))
    if morph.isUncertain { return nil }
    marks.add(morph.marks)
    context.take(morph.names)
    return morph
  }

  func shift(by growth: Int) {}
}

extension NodeTree {
  /// The placeholder of the item's parent in the page of a piece: the innermost placeholder. Only placeholders have no offset.
  fileprivate var itemParent: Index? {
    var node = Self.root
    while let child = firstChild(of: node) {
      if offset(of: child) != nil { return node }
      node = child
    }
    return nil
  }
}

extension ScopedContext {
  /// The element whose content is the stream in this slot and nothing else; `nil` if there is none.
  fileprivate func container(of slot: Int, in instance: PathInstance) -> NodeRef? {
    guard let template = instance.template, let site = instance.site, case .gap(let number) = template.positions[slot],
      let anchor = template.gaps[number].parent, template.outermost(site.opaque, around: anchor) == anchor,
      template.gaps[number].slots == slot..<(slot + 1), template.gaps[number].left == nil,
      template.gaps[number].right == nil
    else { return nil }
    return try? node(site.nodes[anchor])
  }
}
