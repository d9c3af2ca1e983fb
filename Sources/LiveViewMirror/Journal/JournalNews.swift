/// A position in the order of the changes of a shared store. ``JournalFollower`` keeps the last one
/// for the next call of ``SharedJournalStore/news(after:andPages:)``.
package struct JournalPosition: Sendable, Hashable {
  /// The position in the form of the store. Only the store reads it.
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// The changes that mirrors have written to a shared store since a position. ``JournalFollower``
/// reads them, and ``LiveViews`` applies them.
///
/// Applying the same news twice must do no harm, because they are read again after an error.
package struct JournalNews: Sendable {
  /// The position after these changes.
  package var position: JournalPosition
  /// The latest rows of the views that were changed, also of removed ones.
  package var views: [StoredRow] = []
  /// The latest rows of the pages that were changed; `nil` for a page that was deleted.
  package var pages: [(id: String, row: [UInt8]?)] = []
  /// The messages of other mirrors. Those of one mirror are in the order in which it sent them. A
  /// message that is read again after a failure has the same number.
  package var messages: [(number: Int, bytes: [UInt8])] = []

  package init(position: JournalPosition) { self.position = position }
}

/// The latest row of a view, as ``SharedJournalStore`` and the reading of a journal return it.
package struct StoredRow: Sendable {
  package var id: String
  /// A ``JournalRow``, encoded.
  package var bytes: [UInt8]
  /// Grows with each change of the view; 0 in a store for one mirror.
  package var revision: Int
  /// When the view was removed, in milliseconds since 1970; `nil` for a view that exists, and if
  /// the store does not know.
  package var removedAt: Int64?

  package init(id: String, bytes: [UInt8], revision: Int = 0, removedAt: Int64? = nil) {
    (self.id, self.bytes, self.revision, self.removedAt) = (id, bytes, revision, removedAt)
  }
}
