internal import MarkupDocument
internal import RenderedTree

/// The usual update: one slot has another text, and it is the only one between two tags of its template, or stands in a
/// tag. What it changes is found without a search and without a parser, and is what a ``ScopedUpdate`` finds.
struct SlotUpdate {
  var changes: [Change]
  var diagnostics: [MarkupDiagnostic] = []
  /// The bytes of the markup that was looked at.
  var size: Int

  /// - Returns: `nil` where more may have to be looked at.
  static func of(_ slot: Int, at path: InstancePath, in rendered: Rendered, _ document: Document) -> SlotUpdate? {
    guard document.count <= MarkupParser.maximumNodes, let level = rendered.linkedLevel(at: path),
      let template = level.template, let site = level.site, site.opaque.isEmpty
    else { return nil }
    switch template.positions[slot] {
    case .tag(let anchor):
      let node = NodeRef(epoch: document.epoch, number: site.nodes[anchor])
      guard let tag = TagUpdate(of: anchor, at: node, level, in: document) else { return nil }
      return SlotUpdate(changes: tag.changes, diagnostics: tag.diagnostics, size: tag.size)
    case .gap(let gap):
      let gap = template.gaps[gap]
      guard let markup = level.markup(of: gap), markup.utf8.isPlainText,
        let change = document.textChange(to: markup, in: gap, of: site)
      else { return nil }
      return SlotUpdate(changes: [change], size: markup.utf8.count)
    }
  }
}

extension Level {
  /// What stands in a gap that has a text for its only slot.
  fileprivate func markup(of gap: Template.Gap) -> String? {
    let slot = gap.slots.lowerBound
    guard gap.slots.count == 1, gap.start.part == slot, gap.end.part == slot + 1, case .text(let text) = slots[slot]
    else { return nil }
    let (before, after) = (statics.parts[slot].utf8, statics.parts[slot + 1].utf8)
    if gap.start.offset == before.count, gap.end.offset == 0 { return text }
    var markup = String(Substring(before.dropFirst(gap.start.offset)))
    markup += text
    if gap.end.offset > 0 { markup += Substring(after.prefix(gap.end.offset)) }
    return markup
  }
}

extension Document {
  /// The change of the one text that stands in a gap; `nil` where something else does, or the text is what it was.
  fileprivate func textChange(to text: String, in gap: Template.Gap, of site: Site) -> Change? {
    guard dialect == .html, !text.isEmpty, let anchor = gap.parent else { return nil }
    let parent = NodeRef(epoch: epoch, number: site.nodes[anchor])
    let left = gap.left.map { site.nodes[$0] }
    let right = gap.right.map { site.nodes[$0] }
    guard let place = self.place(of: parent), takesPlainText(place),
      let node = child(of: place, after: left), tree.parent(of: node) == place,
      number(of: tree.previous(of: node)) == left, number(of: tree.next(of: node)) == right,
      case .text(let before) = tree[node], !text.hasSameBytes(as: before)
    else { return nil }
    return .text(node: ref(node), parent: parent, before: before, after: text)
  }

  /// The child behind another one; the first child, without one.
  private func child(of parent: NodeTree.Index, after left: Int?) -> NodeTree.Index? {
    guard let left else { return tree.firstChild(of: parent) }
    guard let place = place(of: NodeRef(epoch: epoch, number: left)) else { return nil }
    return tree.next(of: place)
  }

  private func number(of node: NodeTree.Index?) -> Int? {
    guard let node else { return nil }
    return ref(node).number
  }
}

extension ViewState {
  /// What a ``SlotUpdate`` finds; `nil` where it cannot be one.
  func oneSlot(of merge: Rendered.Merge, _ diff: Diff) -> ScopedUpdate.Result? {
    guard merge.edits.count == 1, case .slot(let path, let slot, _, let cause) = merge.edits[0],
      diff.components.isEmpty || diff.components.allSatisfy({ rendered.isPlaced($0.cid, in: document) }),
      let update = SlotUpdate.of(slot, at: path, in: rendered, document)
    else { return nil }
    var result = ScopedUpdate.Result()
    result.changes = update.changes
    if !update.changes.isEmpty { result.slots = [[merge.touched.slots[cause].path.description]] }
    result.size.add(markup: update.size)
    result.diagnostics = update.diagnostics
    return result
  }
}
