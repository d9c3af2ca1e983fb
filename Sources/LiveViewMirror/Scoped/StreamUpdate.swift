internal import MarkupDocument
internal import RenderedTree

/// What a stream's operation changes in its container, without a look at the items that it does not name.
///
/// It is for what streams mostly do: items that come at the end or at the front, change where they are, or go, in a
/// container that holds nothing else. Limits, resets and counted places are the morph's, for the container as a whole.
struct StreamUpdate: ListPart {
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
  let links: [Linkage] = []
  let hasStreams = true
  private(set) var nextNumber: Int

  private let document: Document
  /// The place of the operation in the diff, and those of the entries that it brings.
  private let names: [String]
  private let entryNames: [Int: [String]]
  private let level: Int

  /// More items than this are looked at together.
  private static let maximumItems = 256

  /// - Returns: `nil` where the operation, the container or an item is of another kind.
  init?(
    in slot: Int, of levels: [Level], finder: RegionFinder, cause: Int?, entries: EntriesEdit?,
    causedBy touched: TouchedSlots, numberingFrom number: Int, _ arrivals: inout Arrivals
  ) throws(FullPath) {
    let document = finder.document
    guard let level = levels.last, case .comprehension(let list) = level.slots[slot], let stream = list.stream,
      !stream.reset, stream.inserts.allSatisfy({ $0.limit == nil && !$0.updateOnly && ($0.at == 0 || $0.at == -1) }),
      list.entries.count <= Self.maximumItems, stream.deletes.count <= Self.maximumItems,
      stream.inserts.count <= Self.maximumItems,
      let container = finder.container(of: slot, in: level), let place = document.place(of: container),
      document.content(of: container)?.element?.updateRule == .stream,
      // While the page lists children of its own in the container, texts and elements without an id stay between them.
      // They leave with the patch that lists none, and the container is compared as a whole.
      (entries?.oldCount ?? list.entries.count) == 0
    else { return nil }
    parent = container
    firstNode = document.tree.firstChild(of: place).map(document.ref)
    oldCount = document.tree.childCount(of: place)
    nextNumber = number
    causes = (cause.map { [$0] } ?? []) + (entries?.causes ?? [])
    names = Attribution.slots(cause.map { [$0] } ?? [], of: touched)
    var entryNames: [Int: [String]] = [:]
    for arrival in entries?.arrivals ?? [] {
      entryNames[arrival.index] = Attribution.slots([arrival.cause], of: touched)
    }
    self.entryNames = entryNames
    self.document = document
    self.level = level.site?.level ?? 0
    // To find the index of an item that is deleted, its siblings are counted.
    try finder.budget.spend(
      2 * WorkBudget.region * list.entries.count + (WorkBudget.edit + oldCount / 2) * stream.deletes.count)
    guard remove(stream.deletes), add(list, StreamPatch(stream), finder, &arrivals) else { return nil }
  }

  // MARK: - What goes

  private mutating func remove(_ ids: [String]) -> Bool {
    var met: Set<String> = []
    for id in ids where met.insert(id).inserted {
      guard document.count(ofID: id) <= 1 else { return false }
      guard let item = document.node(withID: id) else { continue }
      // A stream deletes by id, wherever that stands.
      guard document.parent(of: item) == parent else { return false }
      guard let place = document.place(of: item), let content = document.content(of: item),
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
    // Where items between two texts go one after the other, the texts would meet.
    return changes.count < 2 || !hasTextBetweenItems
  }

  private var hasTextBetweenItems: Bool {
    changes.contains { change in
      guard let place = document.place(of: change.node) else { return true }
      return isText(document.tree.previous(of: place)) || isText(document.tree.next(of: place))
    }
  }

  private func isText(_ place: NodeTree.Index?) -> Bool {
    guard let place, case .text = document.tree[place] else { return false }
    return true
  }

  // MARK: - What comes or changes

  private mutating func add(
    _ list: Comprehension, _ patch: StreamPatch, _ finder: RegionFinder, _ arrivals: inout Arrivals
  ) -> Bool {
    // What is inserted and not brought can be an item of another stream.
    guard patch.inserts.count <= list.entries.count else { return false }
    if list.entries.isEmpty { return true }
    guard let edges = edges else { return false }
    let removed = Set(changes.map(\.node))
    // An item goes beside others: with none left there is only white space.
    guard !removed.contains(edges.first), !removed.contains(edges.last) else { return false }
    var (front, back): ([(Subtree, [String])], [(Subtree, [String])]) = ([], [])
    for (index, entry) in list.entries.enumerated() {
      let names = names + (entryNames[index] ?? [])
      guard let (page, top) = parse(entry, of: list, finder) else { return false }
      guard let id = page.tree[top].element?.id else { return false }
      if let known = document.node(withID: id), document.parent(of: known) == parent {
        guard !removed.contains(known), update(known, to: page, patch, names, &arrivals) else { return false }
        continue
      }
      guard let insert = patch.inserts.last(where: { $0.id == id }),
        let new = make(page, patch, &arrivals)
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

  /// The first and the last element of the container, which must be an item: others keep theirs at the end.
  private var edges: (first: NodeRef, last: NodeRef)? {
    guard let place = document.place(of: parent) else { return nil }
    var (first, last) = (document.tree.firstChild(of: place), document.tree.lastChild(of: place))
    while let node = first, document.tree[node].element == nil { first = document.tree.next(of: node) }
    while let node = last, document.tree[node].element == nil { last = document.tree.previous(of: node) }
    guard let first, let last, document.marks.streams[document.ref(last)] != nil else { return nil }
    return (document.ref(first), document.ref(last))
  }

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

  /// One item as a page of its own, and the one element in it.
  private mutating func parse(
    _ entry: Comprehension.Entry, of list: Comprehension, _ finder: RegionFinder
  ) -> (page: Page, top: NodeTree.Index)? {
    var renderer = Renderer(partOf: finder.rendered, level: level, marking: .none)
    do throws(RenderError) { try renderer.write(entry, of: list, at: nil) } catch { return nil }
    let rendering = renderer.rendering
    size.add(rendering)
    // Whatever has a place of its own in the wire, a component or another stream, is looked at with the container.
    guard rendering.spans.isEmpty, rendering.streams.isEmpty else { return nil }
    let piece = document.piece(rendering.markup, in: parent)
    guard piece.isContained else { return nil }
    var page = Page(piece, dialect: document.dialect, sources: Page.Sources(rendering))
    guard page.rootsAreContained else { return nil }
    // Text around an item is none of the container's.
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
    _ item: NodeRef, to page: Page, _ patch: StreamPatch, _ names: [String], _ arrivals: inout Arrivals
  ) -> Bool {
    guard let place = document.place(of: item) else { return false }
    let excerpt = document.excerpt(
      of: parent, after: document.tree.previous(of: place).map(document.ref),
      before: document.tree.next(of: place).map(document.ref), numberingFrom: nextNumber)
    guard let morph = morph(from: excerpt, to: page, patch, &arrivals),
      morph.changes.changes.allSatisfy({ !$0.parents.contains(excerpt.root) })
    else { return false }
    changes += morph.changes.changes
    slots += morph.changes.changes.map { _ in names }
    marked += excerpt.nodes(from: excerpt.root)
    return true
  }

  private mutating func make(
    _ page: Page, _ patch: StreamPatch, _ arrivals: inout Arrivals
  ) -> Subtree? {
    let excerpt = document.emptyExcerpt(numberingFrom: nextNumber)
    guard let morph = morph(from: excerpt, to: page, patch, &arrivals), morph.changes.changes.count == 1,
      case .add(let item, _) = morph.changes.changes[0]
    else { return nil }
    return item
  }

  private mutating func morph(
    from excerpt: Document, to page: Page, _ patch: StreamPatch, _ arrivals: inout Arrivals
  ) -> Morph.Outcome? {
    guard let top = page.tree.itemParent else { return nil }
    do throws(FullPath) {
      try arrivals.check(page, below: top, components: [], excerpt, in: document)
    } catch { return nil }
    let morph = Morph.changes(from: excerpt, toChildrenOf: top, in: page, streams: [patch])
    marks.add(morph.marks)
    nextNumber = morph.names.nextNumber(from: nextNumber)
    return morph
  }

  func shift(by growth: Int) {}
}

extension NodeTree {
  /// The stand-in for the parent in the page of a piece: the innermost of the chain that the ancestors make.
  fileprivate var itemParent: Index? {
    var node = Self.root
    while let child = firstChild(of: node) {
      if offset(of: child) != nil { return node }
      node = child
    }
    return nil
  }
}

extension RegionFinder {
  /// The element that holds a stream and nothing else, for the slot that shows the stream.
  fileprivate func container(of slot: Int, in level: Level) -> NodeRef? {
    guard let template = level.template, let site = level.site, case .gap(let number) = template.positions[slot],
      let anchor = template.gaps[number].parent, outermostOpaque(anchor, template, site) == anchor,
      template.gaps[number].slots == slot..<(slot + 1), template.gaps[number].left == nil,
      template.gaps[number].right == nil
    else { return nil }
    return try? node(site.nodes[anchor])
  }
}
