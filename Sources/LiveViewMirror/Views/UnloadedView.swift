internal import MirrorSupport
internal import NodeObservation

/// What stays in memory of a view that only the journal has: the last row of the view. The
/// ``ViewDirectory`` keeps it, so that lists of views and pages, limits and removals need not load
/// the view.
struct UnloadedView: Sendable {
  var row: JournalRow
  /// The revision of the row: ``StoredRow/revision``.
  var revision: Int
  /// The last entry of which the listener was notified.
  var lastNotified: NotifiedEntry
  /// Counts the memory of the view's log, as if the view was loaded. From the start of a loading
  /// on, the `LiveViewCoordinator` of the view counts the log instead.
  let account: MemoryAccount

  /// - Parameters:
  ///   - lastNotified: `nil` if the listener was notified of all entries.
  ///   - account: an account in the budget of all logs. It does not count the log before
  ///     ``count()`` is called.
  init(_ row: JournalRow, revision: Int, lastNotified: NotifiedEntry? = nil, account: MemoryAccount) {
    (self.row, self.revision, self.account) = (row, revision, account)
    self.lastNotified = lastNotified ?? NotifiedEntry(origin: row.origin, number: row.number)
  }

  /// Counts the log in the budget of all logs.
  func count() { account.set(row.summary?.log.keptBytes ?? 0) }

  /// Whether the log has more than the newest entry, which is always kept.
  var hasEntriesToEvict: Bool { (row.summary?.log.keptEntryCount ?? 0) > 1 }

  /// The time of the last update.
  var lastUpdate: MonotonicTime { .then(row.summary?.updatedAt ?? 0) }
}

/// The last entry of a view of which the listener was notified. When the view is loaded, the
/// listener is notified of the later entries.
struct NotifiedEntry: Sendable {
  /// The revision of the view's first change, which identifies the view: ``JournalRow/origin``.
  var origin: Int
  /// The number of the entry; 0 if the listener was notified of none.
  var number: Int
}
