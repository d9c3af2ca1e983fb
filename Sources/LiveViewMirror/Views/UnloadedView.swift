internal import MirrorSupport
internal import NodeObservation

/// What memory has of a view that the journal has and that is not loaded.
struct UnloadedView: Sendable {
  var row: JournalRow
  /// See ``StoredRow/revision``.
  var revision: Int
  /// The last entry of which the listener was notified.
  var heard: HeardEntry
  /// Counts its log, as if it was loaded. While the view is being loaded, its object counts the log.
  let account: MemoryAccount

  /// - Parameters:
  ///   - heard: `nil` if the listener was notified of all entries.
  ///   - account: that of all logs, which does not count the log before ``count()``.
  init(_ row: JournalRow, revision: Int, heard: HeardEntry? = nil, account: MemoryAccount) {
    (self.row, self.revision, self.account) = (row, revision, account)
    self.heard = heard ?? HeardEntry(origin: row.origin, number: row.number)
  }

  /// Counts the log.
  func count() { account.set(row.summary?.log.keptBytes ?? 0) }

  /// The newest entry is always kept.
  var hasEntriesToEvict: Bool { (row.summary?.log.keptEntries ?? 0) > 1 }

  /// The time of the last update.
  var lastUpdate: MonotonicTime { .then(row.summary?.updatedAt ?? 0) }
}

/// The last entry of a view of which the listener was notified.
struct HeardEntry: Sendable {
  /// See ``JournalRow/origin``.
  var origin: Int
  /// 0 for none.
  var number: Int
}
