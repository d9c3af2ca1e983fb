/// The place where a ``Journal`` keeps its entries: in memory, in SQLite, or in PostgreSQL.
///
/// Several threads call at the same time, so an implementation takes its own locks. Only the
/// journal's thread calls ``write(_:)`` and ``probe()``; it also reads the rows of cut views. The
/// follower's thread and threads of requests read news, rows and views.
package protocol JournalStore: AnyObject, Sendable {
  /// Writes a group as one transaction: after a crash, all of it exists or nothing. When this
  /// function returns, the group survives the end of the process.
  ///
  /// - Returns: the ids of the views whose revision in the store is not
  ///   ``JournalGroup/View/previous``, because another mirror has changed them. Nothing of these
  ///   views was written. Empty if only one mirror writes.
  /// - Throws: the reason; then nothing of the group was written.
  @discardableResult
  func write(_ group: JournalGroup) throws(JournalError) -> Set<String>

  /// Checks whether the store accepts writes, after a write or a reading has failed.
  ///
  /// - Throws: the reason why it does not.
  func probe() throws(JournalError)

  /// The latest rows of all views.
  ///
  /// - Complexity: O(*views*).
  func views() throws(JournalError) -> [StoredRow]

  /// The row, the oldest kept snapshot, and all kept entries after it; `nil` for an unknown view.
  /// Loading applies these entries, so the log has all versions that are kept.
  ///
  /// - Complexity: O(*bytes of the snapshot and of the entries after it*).
  func view(_ id: String) throws(JournalError) -> StoredView?

  /// The latest row of a view, with those of its kept entries that have a higher number, and
  /// without a snapshot; `nil` for an unknown view. Following reads the changes of another mirror
  /// with it.
  ///
  /// - Complexity: O(*bytes of these entries*).
  func view(_ id: String, after number: Int) throws(JournalError) -> StoredView?

  /// The latest row of a view; `nil` for an unknown one.
  func row(of id: String) throws(JournalError) -> StoredRow?

  /// The latest rows of all pages.
  func pages() throws(JournalError) -> [(id: String, row: [UInt8])]

  /// Releases the store. The journal calls it when its thread has ended. Later calls fail.
  func close()
}

/// A store that several mirrors use at the same time.
package protocol SharedJournalStore: JournalStore {
  /// Waits until a mirror has written or sent something, or until the time is over. May return
  /// earlier. Only the follower's thread calls it.
  func awaitNews(for time: Duration)

  /// The changes that were written after a position, also by this mirror, and messages of other
  /// mirrors.
  ///
  /// Called by one thread at a time: the follower's thread, or a request that catches up.
  ///
  /// - Parameters:
  ///   - position: the position that the last call returned; `nil` for all views and pages, and no
  ///     messages.
  ///   - pages: the ids of pages whose rows are returned even if they were not changed.
  /// - Complexity: O(*changes* + *changes that were under way at the last call* + *pages*).
  func news(after position: JournalPosition?, andPages pages: Set<String>) throws(JournalError) -> JournalNews

  /// Sends a message to all other mirrors. Those that are not connected do not receive it.
  func send(_ message: [UInt8]) throws(JournalError)

  /// The number of other mirrors that are connected.
  func otherMirrors() throws(JournalError) -> Int
}

extension JournalStore {
  /// All views and pages, with the position after them in a shared store.
  var all: JournalNews {
    get throws(JournalError) {
      if let shared = self as? any SharedJournalStore { return try shared.news(after: nil) }
      var news = JournalNews(position: JournalPosition(""))
      (news.views, news.pages) = (try views(), try pages().map { ($0.id, .some($0.row)) })
      return news
    }
  }
}

extension SharedJournalStore {
  /// As ``news(after:andPages:)``, without further pages.
  package func news(after position: JournalPosition?) throws(JournalError) -> JournalNews {
    try news(after: position, andPages: [])
  }
}

/// A position in the order of the changes of a shared store.
package struct JournalPosition: Sendable, Hashable {
  /// As the store writes it.
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// The changes that mirrors have written to a shared store since a position. Reading the same news
/// twice must do no harm: after an error they are read again.
package struct JournalNews: Sendable {
  /// The position after these changes.
  package var position: JournalPosition
  /// The latest rows of the views that were changed, also of removed ones.
  package var views: [StoredRow] = []
  /// The latest rows of the pages that were changed; `nil` for a page that was deleted.
  package var pages: [(id: String, row: [UInt8]?)] = []
  /// The messages of other mirrors, in the order of each sender. A message that is read again after
  /// a failure has the same number.
  package var messages: [(number: Int, bytes: [UInt8])] = []

  package init(position: JournalPosition) { self.position = position }
}

/// The latest row of a view.
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

/// The row of one view, and all or some of its kept entries.
package struct StoredView: Sendable {
  /// The latest ``JournalRow``, encoded.
  package var row: [UInt8]
  /// The revision of the row: ``StoredRow/revision``.
  package var revision: Int
  /// The state before the first of the entries. `nil` if all entries of the view are kept, and in
  /// the result of ``JournalStore/view(_:after:)``.
  package var snapshot: Snapshot?
  /// The entries after the snapshot, or after the number that was asked for, in their order and
  /// without gaps. They begin later than asked for if entries between are not kept any more.
  package var entries: [EncodedEntry]

  /// A state of the view.
  package struct Snapshot: Sendable {
    /// The number of the last entry that is part of the state.
    package var number: Int
    /// The epoch of that entry; `nil` for a state that was read from a store.
    package var epoch: Int?
    package var bytes: [UInt8]

    package init(number: Int, epoch: Int? = nil, bytes: [UInt8]) {
      (self.number, self.epoch, self.bytes) = (number, epoch, bytes)
    }
  }

  /// A ``JournalEntry``, encoded.
  package struct EncodedEntry: Sendable {
    package var number: Int
    package var bytes: [UInt8]

    package init(number: Int, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }
  }

  package init(row: [UInt8], revision: Int = 0, snapshot: Snapshot?, entries: [EncodedEntry]) {
    (self.row, self.revision, self.snapshot, self.entries) = (row, revision, snapshot, entries)
  }
}

/// The content of one transaction. The journal's thread makes one of all items that wait.
package struct JournalGroup: Sendable {
  /// The changes of one view.
  package struct View: Sendable {
    /// Entries in their order, each after all that the store has of the view.
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

  /// An entry with what the store indexes of it.
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

  /// By the id of the view.
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

/// The reason why a journal does not keep or return something. An ``UpdateError`` passes it on to
/// the caller of the update or request.
package struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The store cannot be opened as it is: no database, of another program, of a newer version, in
    /// use, no permission.
    case unusable
    /// The store does not accept writes now: full disk, lost connection.
    case unavailable
    /// The bytes that the store returned cannot be read.
    case damaged
    /// Another mirror has changed the view first.
    case outdated
  }

  package var kind: Kind
  /// The problem, its place, and what to do, as a sentence without a full stop.
  package var reason: String

  package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

  package var description: String { reason }
}
