internal import MarkupDocument
internal import RenderedTree

/// The most frequent update: one slot has a new text, and the slot is in a start tag, or is the
/// only slot between two static siblings. It is computed without a search, and for text between
/// tags also without a parser. The result is the same as that of a ``ScopedUpdate``. ``ViewState``
/// tries a slot update before a scoped update.
struct SlotUpdate {
  /// The new text of the slot.
  let text: String
  let changes: [Change]
  /// For each change, the slots that caused it, as positions in `TouchedSlots/slots`.
  var causes: [[Int]] = []
  var diagnostics: [MarkupDiagnostic] = []
  /// The size of the text or start tag in bytes.
  let size: Int

  /// - Returns: `nil` if the update may affect more than this text or tag.
  static func of(
    _ slot: Int, at path: InstancePath, in rendered: Rendered, _ document: Document, _ templates: TemplateTable
  ) -> SlotUpdate? {
    guard document.count <= MarkupParser.maximumNodes, let instance = rendered.linkedInstance(at: path, in: templates),
      let template = instance.template, let site = instance.site, !site.hasOpaque,
      case .text(let text) = instance.slots[slot]
    else { return nil }
    switch template.positions[slot] {
    case .tag(let anchor):
      let node = NodeRef(epoch: document.epoch, number: site[anchor])
      // With `JS.ignore_attributes` a full update is needed, so the tag is not parsed.
      guard document.marks.ignored[node] == nil, let tag = TagUpdate(of: anchor, at: node, instance, in: document)
      else {
        return nil
      }
      return SlotUpdate(text: text, changes: tag.changes, diagnostics: tag.diagnostics, size: tag.size)
    case .gap(let gap):
      let (texts, gap) = (template.texts[gap], template.gaps[gap])
      guard let texts, let parent = gap.parent,
        case let markup = texts.before.isEmpty && texts.after.isEmpty ? text : texts.before + text + texts.after,
        markup.isPlainText,
        let change = document.textChange(
          to: markup, in: site[parent], after: gap.left.map { site[$0] },
          before: gap.right.map { site[$0] })
      else { return nil }
      return SlotUpdate(text: text, changes: [change], size: markup.utf8.count)
    }
  }
}

extension ViewState {
  /// The update of a diff that changes only one slot, with its effect on the tree; `nil` if the
  /// diff may change more than this slot's text or tag.
  func oneSlot(of merge: Rendered.Merge, _ diff: Diff) throws(FullUpdateReason) -> (
    update: SlotUpdate, effect: TreeEffect
  )? {
    guard merge.edits.count == 1, case .slot(let path, let slot, _, let cause) = merge.edits[0],
      diff.components.isEmpty || diff.components.allSatisfy({ rendered.isPlaced($0.cid, in: document) }),
      var update = SlotUpdate.of(slot, at: path, in: rendered, document, templates)
    else { return nil }
    if !update.changes.isEmpty {
      var passed: Set<NodeRef> = []
      // Accessed by index, because a copy of the change would retain all values in the change.
      try document.checkClientRules(around: update.changes[0].node, &passed)
      update.causes = [[cause]]
    }
    return (update, .text(update.text, slot: slot, of: path))
  }
}
