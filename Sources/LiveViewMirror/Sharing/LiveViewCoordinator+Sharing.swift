internal import MirrorSupport
internal import Synchronization

extension LiveViewCoordinator {
  /// What became of a view that follows its journal.
  enum Followed {
    /// The view is as in the store.
    case upToDate
    /// The view must be loaded again: entries between are not kept any more, or an update of this mirror was not written.
    case mustBeLoaded
    /// The view was removed. The row, and its revision, are those of the id at present; another view may have been mounted with it.
    case removed(JournalRow, revision: Int)
  }

  /// Applies what other mirrors have written to the journal, and notifies the subscribers and the listener as for updates of this
  /// mirror. A running update, and what it writes, are waited for.
  ///
  /// - Throws: if the store cannot return the entries, or they do not fit.
  func follow(_ store: any JournalStore) throws(UpdateError) -> Followed {
    guard let journal else { return .upToDate }
    return try inTurn { () throws(UpdateError) in
      let (progress, isRemoved) = self.state.withLock { ($0.progress, $0.removal != nil) }
      if isRemoved { return .mustBeLoaded }
      let stored: StoredView?
      let row: JournalRow
      do throws(JournalError) {
        try journal.journal.wait(for: progress.last)
        stored = try store.view(self.id, after: progress.number)
        row =
          try stored.map { stored throws(JournalError) in try JournalRow(checking: stored.row, of: self.id) }
          ?? JournalRow(lastEpoch: self.end.epoch)
      } catch {
        if error.kind == .outdated { return .mustBeLoaded }
        throw UpdateError(error)
      }
      let removed = Followed.removed(row, revision: stored?.revision ?? 0)
      guard let stored, row.summary != nil else { return removed }
      if stored.revision <= progress.revision { return .upToDate }
      if row.number < progress.number { return removed }
      guard stored.entries.count == row.number - progress.number else { return .mustBeLoaded }
      guard try self.continues(with: stored.entries.first, row) else { return removed }
      try self.replay(stored.entries[...], after: progress.number, through: row.number, isLive: true)
      self.finishReplay(row, revision: stored.revision, isContended: true)
      return .upToDate
    }
  }

  /// Whether the next entry is one of this view. Another view that was mounted with the same id numbers its entries from 1 again, and
  /// its first epoch is the next one; so its entry of a later number has a different epoch.
  ///
  /// - Parameter next: `nil` if there are no further entries.
  private func continues(with next: StoredView.Entry?, _ row: JournalRow) throws(UpdateError) -> Bool {
    let epoch = state.withLock { $0.view?.epoch ?? $0.lastEpoch }
    guard let next else { return row.lastEpoch == epoch }
    let entry: JournalEntry
    do throws(SnapshotError) { entry = try JournalEntry(next.bytes, of: id) } catch {
      throw UpdateError(.damaged, reason: "entry \(next.number) of the view \(id) is damaged: \(error.description)")
    }
    if case .mount = entry.content { return entry.epoch == epoch + 1 }
    return entry.epoch == epoch
  }

  /// Whether another mirror has changed the view lately.
  var isContended: Bool { caution.load(ordering: .relaxed) > 0 }

  /// See ``UnloadedView/heard``.
  var heard: HeardEntry {
    state.withLock { HeardEntry(epoch: $0.published?.epoch ?? $0.lastEpoch, number: $0.progress.kept) }
  }
}
