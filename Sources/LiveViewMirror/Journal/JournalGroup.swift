/// The content of one transaction. The journal's thread makes one of all items that wait, and
/// passes it to ``JournalStore/write(_:)``.
package struct JournalGroup: Sendable {
  /// The changes of one view.
  package struct View: Sendable {
    /// Entries in their order. Their numbers are above those of all entries that the store has of
    /// the view.
    package var entries: [IndexedEntry] = []
    /// Replaces the row of the view; `nil` for no change.
    package var row: [UInt8]?
    package var snapshots: [StoredView.Snapshot] = []
    /// The number of the oldest snapshot that is still needed; 0 to delete nothing. Entries up to
    /// this number and snapshots with a lower number are deleted.
    package var unneeded = 0
    /// Whether to delete all entries and snapshots of the view first.
    package var isReplaced = false
    /// Whether the view is removed after the changes.
    package var isRemoved: Bool { isReplaced && entries.isEmpty }
    /// The revision of the view that the changes are based on; 0 for a view that the store does not
    /// have, and for a group that has only snapshots of the view.
    package var previous = 0
    /// The revision of the view after the group. Each revision of a view is written by one mirror.
    package var revision = 0

    package init() {}
  }

  /// An encoded entry, with the values that the store keeps beside it for queries.
  package struct IndexedEntry: Sendable {
    package var number: Int
    package var epoch: Int
    package var version: Int
    package var kind: String
    package var bytes: [UInt8]

    package init(number: Int, epoch: Int, version: Int, kind: String, bytes: [UInt8]) {
      (self.number, self.epoch, self.version, self.kind, self.bytes) = (number, epoch, version, kind, bytes)
    }
  }

  /// The changes of views, by the ids of the views.
  package var views: [String: View] = [:]
  /// The rows of pages by their id; `nil` deletes a page.
  package var pages: [String: [UInt8]?] = [:]
  /// Messages to all other mirrors, sent as by ``SharedJournalStore/send(_:)``.
  package var messages: [[UInt8]] = []

  /// The rows of removed views are deleted after this many days. Until then, a view with the same
  /// id continues with the next epoch.
  package static let daysOfRemovedViews = 7

  package init() {}
}
