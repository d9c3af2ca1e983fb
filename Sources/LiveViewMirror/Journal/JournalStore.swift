/// Where a ``Journal`` keeps its entries: in memory, in SQLite, or in PostgreSQL.
///
/// All calls come from the thread of the journal and from threads that load views, so an implementation takes its own locks.
package protocol JournalStore: AnyObject, Sendable {
  /// Writes a group as one transaction: after a crash, all of it exists or nothing. When this function returns, the group survives
  /// the end of the process.
  ///
  /// - Throws: the reason; then nothing of the group was written.
  func write(_ group: JournalGroup) throws(JournalError)

  /// Checks whether the store accepts writes again.
  ///
  /// - Throws: the reason why it does not.
  func probe() throws(JournalError)

  /// The latest rows of all views.
  ///
  /// - Complexity: O(*views*).
  func views() throws(JournalError) -> [(id: String, row: [UInt8])]

  /// What recreates a view; `nil` for an unknown one.
  ///
  /// - Complexity: O(*bytes of the snapshot and of the entries after it*).
  func view(_ id: String) throws(JournalError) -> StoredView?

  /// The latest rows of all pages.
  func pages() throws(JournalError) -> [(id: String, row: [UInt8])]

  /// Releases the store. Later calls fail.
  func close()
}

/// What a store keeps of one view.
package struct StoredView: Sendable {
  /// The latest ``JournalRow``, encoded.
  package var row: [UInt8]
  /// The state before the first of the entries; `nil` if all entries of the view are kept. Later snapshots are not returned.
  package var snapshot: Snapshot?
  /// All entries that are kept, in their order.
  package var entries: [Entry]

  /// A state of the view.
  package struct Snapshot: Sendable {
    /// The number of the last entry that is part of the state.
    package var number: Int
    package var bytes: [UInt8]

    package init(number: Int, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }
  }

  /// A ``JournalEntry``, encoded.
  package struct Entry: Sendable {
    package var number: Int
    package var bytes: [UInt8]

    package init(number: Int, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }
  }

  package init(row: [UInt8], snapshot: Snapshot?, entries: [Entry]) {
    (self.row, self.snapshot, self.entries) = (row, snapshot, entries)
  }
}

/// What one transaction writes.
package struct JournalGroup: Sendable {
  /// The changes of one view.
  package struct View: Sendable {
    /// Entries in their order, each after all that the store has of the view.
    package var entries: [NumberedEntry] = []
    /// Replaces the row of the view; `nil` for no change.
    package var row: [UInt8]?
    package var snapshots: [StoredView.Snapshot] = []
    /// Entries up to this number, and snapshots before the newest one up to this number, are no longer needed.
    package var unneeded = 0
    /// Whether to delete everything that the store has of the view first.
    package var isReplaced = false

    package init() {}
  }

  /// An entry with what the store indexes of it.
  package struct NumberedEntry: Sendable {
    package var number: Int
    package var epoch: Int
    package var version: Int
    package var kind: String
    package var bytes: [UInt8]

    package init(number: Int, epoch: Int, version: Int, kind: String, bytes: [UInt8]) {
      (self.number, self.epoch, self.version, self.kind, self.bytes) = (number, epoch, version, kind, bytes)
    }
  }

  /// By the id of the view.
  package var views: [String: View] = [:]
  /// The rows of pages by their id; `nil` deletes a page.
  package var pages: [String: [UInt8]?] = [:]

  package init() {}
}

/// Why a journal does not keep or return something.
package struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The store cannot be opened as it is: no database, of another program, of a newer version, in use, no permission.
    case unusable
    /// The store does not accept writes now: full disk, lost connection.
    case unavailable
    /// What the store returned cannot be read.
    case damaged
  }

  package var kind: Kind
  /// What is wrong, where, and what to do, as a sentence without a full stop.
  package var reason: String

  package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

  package var description: String { reason }
}
