internal import MarkupDocument
internal import RenderedTree

/// The document and the tree of one past version: after the last entry that was evicted from the log.
///
/// All later versions are rebuilt from the checkpoint with the change sets and inputs that are still kept. The checkpoint
/// advances when entries are evicted.
package struct Checkpoint: Sendable {
  /// The version of the document and the tree; -1 before the mount.
  private(set) var version = -1
  private(set) var document: Document
  /// `nil` before the mount.
  private(set) var rendered: Rendered?
  /// The size of the document and of the tree.
  private(set) var size = PageSize()

  /// A checkpoint before the mount.
  init(dialect: Dialect, epoch: Int) { document = Document(dialect: dialect, epoch: epoch) }

  /// A checkpoint at a version of a view: as if all entries up to it were evicted. A checkpoint has no marks, because change sets
  /// have none.
  init(version: Int, document: Document, rendered: Rendered, size: PageSize) {
    (self.version, self.document, self.rendered, self.size) = (version, document.withoutMarks, rendered, size)
  }

  mutating func apply(_ changeSet: ChangeSet) {
    size.document = size.document.changed(by: changeSet, in: document)
    document.apply(changeSet)
    version += 1
  }

  /// Merges an input into the tree. The input was merged before, so this cannot fail.
  mutating func merge(_ input: ViewState.Input, with decoder: WireDecoder) {
    switch input {
    case .destroyed(let components):
      if let removed = rendered?.removeComponents(components) { size.remove(removed) }
    case .mount(let json, _, let forgotten):
      guard case .rendered(let diff)? = decoder.update(json, isMount: true)?.content else { return }
      rendered = try? Rendered(mounting: diff)
      if let forgotten { rendered?.forgetStreamEntries(in: forgotten.components) }
      if let rendered { size.measure(rendered) }
    case .diff(let json, let forgotten):
      guard case .diff(let diff)? = decoder.update(json, isMount: false)?.content else { return }
      try? rendered?.remerge(diff, forgetting: forgotten)
      count(json.text)
    case .text(let text, let slot, let path):
      rendered?.setText(text, inSlot: slot, of: path)
      count(text)
    }
  }

  private mutating func count(_ merged: String) {
    if let rendered { size.add(diff: merged.utf8.count, mergedInto: rendered) }
  }
}

extension WireDecoder {
  fileprivate func update(_ json: JSONText, isMount: Bool) -> WireMessage? {
    try? update(Array(json.text.utf8), isMount: isMount)
  }
}
