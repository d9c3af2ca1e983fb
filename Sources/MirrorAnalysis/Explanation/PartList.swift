internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The parts of an explanation while it is made. They are a flat list, breadth first, so that the
/// limits do not let one large part displace all others.
///
/// ``DiffExplanation`` calls ``expand()`` once, and then ``tree(for:)``. Each part comes after the
/// part around it.
struct PartList {
  private struct Draft {
    var value: JSONPositions.Value
    var part: DiffPart
    /// See ``PartReader/Child/index``.
    var index = 0
    var path: String
    var steps: Int
    /// The index of the part around it; -1 for the whole update.
    var parent: Int
    /// The node of its path in ``slotPaths``; `nil` if the record names no slot at this path or
    /// below.
    var node: SlotTrie.Node?
    var more = 0
  }

  private let json: JSONPositions
  private let reader: PartReader
  private let isMount: Bool
  private let slotPaths: SlotTrie
  private let view: ViewState?
  private var drafts: [Draft]

  init(of json: JSONPositions, isMount: Bool, named slotPaths: SlotTrie, in view: ViewState?) {
    (self.json, self.isMount, self.slotPaths, self.view) = (json, isMount, slotPaths, view)
    reader = PartReader(json: json)
    drafts = [Draft(value: json.top, part: .update, path: "", steps: 0, parent: -1, node: SlotTrie.root)]
  }

  var count: Int { drafts.count }

  // MARK: - Choosing

  /// Lists the parts, up to the limits.
  mutating func expand() {
    var position = 0
    while position < drafts.count {
      expand(position)
      position += 1
    }
  }

  private mutating func expand(_ parent: Int) {
    let draft = drafts[parent]
    var others = 0
    for child in reader.children(of: draft.value, at: draft.part) {
      let node = slotPaths.node(child.steps, below: draft.node)
      let isNeeded = node != nil || !child.isNumbered
      let steps = draft.steps + child.steps.count
      guard steps <= DiffExplanation.Limits.steps,
        drafts.count < (isNeeded ? DiffExplanation.Limits.parts : DiffExplanation.Limits.usualParts),
        isNeeded || others < DiffExplanation.Limits.children
      else {
        drafts[parent].more += 1
        continue
      }
      if !isNeeded { others += 1 }
      let path = (draft.path.isEmpty ? "" : draft.path + ".") + child.steps.joined(separator: ".")
      drafts.append(
        Draft(
          value: child.value, part: child.part, index: child.index, path: path, steps: steps, parent: parent, node: node
        ))
    }
  }

  // MARK: - Assembling

  /// The parts as a tree, with the changes of the record.
  func tree(for record: ChangeRecord) -> DiffExplanation.Part {
    let changes = attributed()
    var parts = drafts.indices.map { part($0, causing: changes[$0], of: record) }
    /// Whether a part or something in it caused a change.
    var isCause = changes.map { !$0.isEmpty }
    // Children come after their parents, so each part is complete when it is moved into the part
    // around it.
    for index in drafts.indices.reversed() {
      parts[index].children.reverse()
      // The record cuts the paths of deeper slots at this number of steps, so such a path can name
      // more than one slot.
      let isCut = drafts[index].steps == DiffExplanation.Limits.steps && drafts[index].more > 0
      let isSlot = !isCut && drafts[index].node.map(slotPaths.waste.contains) ?? false
      let children = parts[index].children
      parts[index].isWaste =
        !isCause[index]
        && (isSlot || !children.isEmpty && parts[index].more == 0 && children.allSatisfy(\.isWaste))
      let parent = drafts[index].parent
      guard parent >= 0 else { continue }
      if isCause[index] { isCause[parent] = true }
      parts[parent].children.append(parts[index])
      parts[index].children = []
    }
    parts[0].bytes = json.count
    return parts[0]
  }

  /// For each part, the changes that it caused. The changes of a slot that is not listed belong to
  /// the nearest part around it.
  private func attributed() -> [[Int]] {
    var owners = [Int](repeating: -1, count: slotPaths.parents.count)
    for (index, draft) in drafts.enumerated() { if let node = draft.node { owners[node] = index } }
    var changes = [[Int]](repeating: [], count: drafts.count)
    for node in slotPaths.parents.indices {
      if owners[node] < 0 { owners[node] = owners[slotPaths.parents[node]] }
      changes[owners[node]] += slotPaths.changes[node]
    }
    return changes
  }

  private func part(_ index: Int, causing changes: [Int], of record: ChangeRecord) -> DiffExplanation.Part {
    let draft = drafts[index]
    // The kind of a list is known by the path of its slot, which is the part around `k`.
    let list = draft.part == .keyed ? view?.listKind(named: drafts[draft.parent].path) : nil
    let words = PartDescription(
      reader: reader, isMount: isMount, value: draft.value, part: draft.part, index: draft.index,
      list: list ?? .undecided)
    let all = Self.unique(changes)
    let isNew = all.contains { if case .add = record.changeSet.changes[$0] { true } else { false } }
    var part = DiffExplanation.Part(
      path: draft.path, kind: words.kind, summary: words.summary(isNew: isNew),
      bytes: json.range(of: draft.value).count, value: words.excerpt)
    part.changes = Array(all.prefix(DiffExplanation.Limits.changes))
    part.moreChanges = all.count - part.changes.count
    part.nodes = Self.unique(part.changes.map { record.changeSet.changes[$0].node })
    part.more = draft.more
    return part
  }

  private static func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    if elements.count < 2 { return elements }
    var known: Set<Element> = []
    return elements.filter { known.insert($0).inserted }
  }
}
