internal import MirrorSupport
internal import Synchronization

/// How a view follows the changes of other mirrors. `LiveViews.follow(_:)` calls ``follow(_:)``
/// when the store has a later revision of the view than memory.
extension LiveViewCoordinator {
  /// The result of following the journal.
  enum Followed {
    /// The view is as in the store.
    case upToDate
    /// This `LiveViewCoordinator` does not follow any more: another thread replaces or removes it,
    /// or the view was cut (see ``Journal``).
    case ending
    /// The view must be loaded again, because the store no longer keeps all entries that this
    /// mirror has not applied. The row and its revision are the present ones.
    case mustBeLoaded(JournalRow, revision: Int)
    /// The view was removed. Another one may have been mounted with its id.
    case removed(JournalRow, revision: Int)
  }

  /// Applies what other mirrors have written to the journal, and notifies the subscribers and the
  /// listener as for updates of this mirror. First waits for a running update and its writes. If
  /// one of these writes was refused, the view is cut, and the result is ``Followed/ending``.
  ///
  /// - Throws: if the store cannot return the entries, or they do not fit.
  func follow(_ store: any JournalStore) throws(UpdateError) -> Followed {
    guard let journal else { return .upToDate }
    return try inTurn { () throws(UpdateError) in
      let (progress, isRemoved) = self.state.withLock { ($0.progress, $0.removal != nil) }
      if isRemoved { return .ending }
      let stored: StoredView?
      let row: JournalRow
      do throws(JournalError) {
        try journal.journal.wait(for: progress.last)
        stored = try store.view(self.id, after: progress.number)
        row =
          try stored.map { stored throws(JournalError) in try JournalRow(checking: stored.row, of: self.id) }
          ?? JournalRow(lastEpoch: self.end.epoch)
      } catch {
        if error.kind == .outdated { return .ending }
        throw UpdateError(error)
      }
      let removed = Followed.removed(row, revision: stored?.revision ?? 0)
      guard let stored, row.summary != nil else { return removed }
      if stored.revision <= progress.revision { return .upToDate }
      guard row.origin == progress.origin else { return removed }
      guard stored.entries.count == row.number - progress.number else {
        return .mustBeLoaded(row, revision: stored.revision)
      }
      try self.replay(stored.entries[...], after: progress.number, through: row.number, of: row, isLive: true)
      self.finishReplay(row, revision: stored.revision, isContended: true)
      return .upToDate
    }
  }

  /// Whether another mirror has changed the view, and this mirror has since made fewer than
  /// ``longestCaution`` changes.
  var isContended: Bool { caution.load(ordering: .relaxed) > 0 }

  /// The last entry of which the listener was notified, to be passed on to the next
  /// `LiveViewCoordinator` of the view.
  var lastNotified: NotifiedEntry {
    state.withLock { NotifiedEntry(origin: $0.progress.origin, number: publishedEntry.withLock { $0.number }) }
  }
}
