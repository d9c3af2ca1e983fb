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

  /// A checkpoint before the mount.
  init(dialect: Dialect, epoch: Int) { document = Document(dialect: dialect, epoch: epoch) }

  /// A checkpoint at a version of a view: as if all entries up to it were evicted. A checkpoint has no marks, because change sets
  /// have none.
  init(version: Int, document: Document, rendered: Rendered) {
    (self.version, self.document, self.rendered) = (version, document.withoutMarks, rendered)
  }

  mutating func apply(_ changeSet: ChangeSet) {
    document.apply(changeSet)
    version += 1
  }

  /// Merges an input into the tree. The input was merged before, so this cannot fail.
  mutating func merge(_ input: ViewState.Input, with decoder: WireDecoder) {
    switch input {
    case .destroyed(let components): rendered?.removeComponents(components)
    case .mount(let json, _, let forgotten):
      guard case .rendered(let diff)? = decoder.update(json, isMount: true)?.content else { return }
      rendered = try? Rendered(mounting: diff)
      if let forgotten { rendered?.forgetStreamEntries(in: forgotten.components) }
    case .diff(let json, let forgotten):
      guard case .diff(let diff)? = decoder.update(json, isMount: false)?.content else { return }
      try? rendered?.remerge(diff, forgetting: forgotten)
    case .text(let text, let slot, let path): rendered?.setText(text, inSlot: slot, of: path)
    }
  }
}

extension WireDecoder {
  fileprivate func update(_ json: JSONText, isMount: Bool) -> WireMessage? {
    try? update(Array(json.text.utf8), isMount: isMount)
  }
}
