internal import MarkupDocument
internal import RenderedTree

/// The usual update: one slot has another text, and it is the only one between two tags of its template, or stands in a
/// tag. What it changes is found without a search and without a parser, and is what a ``ScopedUpdate`` finds.
struct SlotUpdate {
  /// What the slot holds now.
  let text: String
  let changes: [Change]
  /// For every change, the places of the diff that caused it.
  var slots: [[String]] = []
  var diagnostics: [MarkupDiagnostic] = []
  /// The bytes of the markup that was looked at.
  let size: Int

  /// - Returns: `nil` where more may have to be looked at.
  static func of(_ slot: Int, at path: InstancePath, in rendered: Rendered, _ document: Document) -> SlotUpdate? {
    guard document.count <= MarkupParser.maximumNodes, let level = rendered.linkedLevel(at: path),
      let template = level.template, let site = level.site, site.opaque.isEmpty,
      case .text(let text) = level.slots[slot]
    else { return nil }
    switch template.positions[slot] {
    case .tag(let anchor):
      let node = NodeRef(epoch: document.epoch, number: site.nodes[anchor])
      // The full path is taken then, and reading the tag first would be for nothing.
      guard document.marks.ignored[node] == nil, let tag = TagUpdate(of: anchor, at: node, level, in: document) else {
        return nil
      }
      return SlotUpdate(text: text, changes: tag.changes, diagnostics: tag.diagnostics, size: tag.size)
    case .gap(let gap):
      let (texts, gap) = (template.texts[gap], template.gaps[gap])
      guard let texts, let parent = gap.parent,
        case let markup = texts.before.isEmpty && texts.after.isEmpty ? text : texts.before + text + texts.after,
        markup.isPlainText,
        let change = document.textChange(
          to: markup, in: site.nodes[parent], after: gap.left.map { site.nodes[$0] },
          before: gap.right.map { site.nodes[$0] })
      else { return nil }
      return SlotUpdate(text: text, changes: [change], size: markup.utf8.count)
    }
  }
}

extension ViewState {
  /// The update where one slot is all that differs, and what it comes to for the tree; `nil` where more may have to be
  /// looked at.
  func oneSlot(of merge: Rendered.Merge, _ diff: Diff) throws(FullPath) -> (update: SlotUpdate, input: Input)? {
    guard merge.edits.count == 1, case .slot(let path, let slot, _, let cause) = merge.edits[0],
      diff.components.isEmpty || diff.components.allSatisfy({ rendered.isPlaced($0.cid, in: document) }),
      var update = SlotUpdate.of(slot, at: path, in: rendered, document)
    else { return nil }
    if !update.changes.isEmpty {
      var passed: Set<NodeRef> = []
      // By its place: a copy of the change would count the references in it.
      try document.checkClientRules(around: update.changes[0].node, &passed)
      update.slots = [Attribution.slots([cause], of: merge.touched)]
    }
    return (update, .text(update.text, slot: slot, of: path))
  }
}
