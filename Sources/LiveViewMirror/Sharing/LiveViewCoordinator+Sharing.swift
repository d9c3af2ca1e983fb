internal import MirrorSupport

extension LiveViewCoordinator {
  /// Applies what other mirrors have written to the journal, and notifies the subscribers and the listener as for updates of this
  /// mirror. A running update, and what it writes, are waited for.
  ///
  /// - Returns: whether the view is as in the store. Otherwise it was removed, or must be loaded again.
  /// - Throws: if the store cannot return the entries, or they do not fit.
  func follow(_ store: any JournalStore) throws(UpdateError) -> Bool {
    guard let journal else { return true }
    return try inTurn { () throws(UpdateError) in
      let (progress, isRemoved) = self.state.withLock { ($0.progress, $0.removal != nil) }
      if isRemoved { return false }
      let stored: StoredView?
      let row: JournalRow
      do throws(JournalError) {
        try journal.journal.wait(for: progress.last)
        stored = try store.view(self.id, after: progress.number)
        row =
          try stored.map { stored throws(JournalError) in try JournalRow(checking: stored.row, of: self.id) }
          ?? JournalRow(lastEpoch: 0)
      } catch {
        if error.kind == .outdated { return false }
        throw UpdateError(error)
      }
      guard let stored, row.summary != nil else { return false }
      if stored.revision <= progress.revision { return true }
      guard stored.entries.count == row.number - progress.number else { return false }
      try self.replay(stored.entries[...], after: progress.number, through: row.number, isLive: true)
      self.finishReplay(row, revision: stored.revision, isContended: true)
      return true
    }
  }

  /// Whether another mirror has changed the view lately.
  var isContended: Bool { state.withLock { $0.progress.caution > 0 } }

  /// See ``UnloadedView/heard``.
  var heard: Int { state.withLock { $0.progress.kept } }
}
