internal import MarkupDocument
internal import RenderedTree

/// The document and the tree of one past version, as they were after the last entry that was
/// evicted from the log.
///
/// All later versions are rebuilt from the checkpoint with the entries that are still kept. The
/// checkpoint advances when entries are evicted. Entries must be applied in the order of the log.
///
/// ``ViewState`` has one from its first eviction on, or if it was restored from a snapshot.
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

  /// A checkpoint at a version of a view, as if all entries up to this version were evicted. The
  /// document of a checkpoint has no marks, because change sets do not contain the changes of
  /// marks.
  init(version: Int, document: Document, rendered: Rendered, size: PageSize) {
    (self.version, self.document, self.rendered, self.size) = (version, document.withoutMarks, rendered, size)
  }

  /// Advances by one entry of the log. Every change of a past version to the next one uses the
  /// steps of this method.
  mutating func apply(_ entry: ChangeLog.Entry, with decoder: WireDecoder) {
    if let record = entry.record {
      change(by: record.changeSet)
      merge(record, with: decoder)
    }
    destroy(entry.destroyed)
  }

  /// Advances the document alone.
  mutating func change(by changeSet: ChangeSet) {
    size.document = size.document.changed(by: changeSet, in: document)
    document.apply(changeSet)
    version += 1
  }

  /// Advances the tree alone. The view has merged the same input before, so merging it again cannot
  /// fail.
  ///
  /// - Parameter keepsEntries: whether the tree keeps the entries of streams, which it otherwise
  ///   forgets.
  mutating func merge(_ record: ChangeRecord, with decoder: WireDecoder, keepsEntries: Bool = false) {
    switch record.effect {
    case .nothing: return
    case .text(let text, let slot, let path):
      rendered?.setText(text, inSlot: slot, of: path)
      count(text)
    case .merged(let forgotten):
      switch decoder.update(record.input, isMount: record.version == 0)?.content {
      case .rendered(let diff)?:
        rendered = try? Rendered(mounting: diff)
        if !keepsEntries, let forgotten { rendered?.forgetStreamEntries(in: forgotten.components) }
        if let rendered { size.measure(rendered) }
      case .diff(let diff)?:
        try? rendered?.remerge(diff, forgetting: keepsEntries ? nil : forgotten)
        count(record.input)
      default: return
      }
    }
  }

  /// Removes the components that the server has destroyed.
  mutating func destroy(_ components: [Int]) {
    if components.isEmpty { return }
    if let removed = rendered?.removeComponents(components) { size.remove(removed) }
  }

  private mutating func count(_ merged: String) {
    if let rendered { size.add(diff: merged.utf8.count, mergedInto: rendered) }
  }
}

extension WireDecoder {
  fileprivate func update(_ json: String, isMount: Bool) -> WireMessage? {
    try? update(Array(json.utf8), isMount: isMount)
  }
}
