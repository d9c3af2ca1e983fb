internal import MirrorSupport

/// How views are dropped whose changes were not written, and listed again as the journal has them.
extension LiveViews {
  /// Drops views that are not as in the journal. They are loaded from it when they are next used. A view whose removal was not written
  /// exists again; if another mirror has changed it first, it is removed again.
  ///
  /// - Throws: if the journal cannot be read. Its views are then read at recovery.
  func discard(_ views: [Journal.CutView], because reason: JournalError) throws(JournalError) {
    var failure: JournalError?
    for (id, removal) in views {
      var view = discardObject(of: id)
      do throws(JournalError) {
        if let failure { throw failure }
        // Another thread may have made an object from changes that are lost: that one is dropped, too.
        while !(try restoreUnloaded(id, replacing: view)) { view = discardObject(of: id) }
        if reason.kind == .outdated, removal == .deleted { removeUnloaded(id, because: .deleted) }
      } catch {
        if error.kind != .damaged { failure = error }
        listUnread(id, replacing: view)
      }
    }
    if let failure { throw failure }
  }

  /// Lists a view as it was, until the journal can be read.
  private func listUnread(_ id: String, replacing view: LiveViewCoordinator?) {
    let last = view.map { ($0.lastRow, $0.heard) }
    listed.withLock { listed in
      guard listed.views[id] === view else { return }
      listed.unread.insert(id)
      listed.views[id] = nil
      if let (row, heard) = last {
        // With this revision, any row of the store replaces the row.
        listed.unloaded[id] = UnloadedView(row, revision: 0, heard: heard, in: logBudget)
      }
    }
  }

  private func discardObject(of id: String) -> LiveViewCoordinator? {
    let view = listed.withLock { $0.views[id] }
    view?.discard()
    listener?.reloads(id, isGap: false)
    return view
  }

  /// Lists a view as the journal has it.
  ///
  /// - Parameter view: the object of the view that is dropped.
  /// - Returns: `false` if the view has another object.
  @discardableResult
  private func restoreUnloaded(_ id: String, replacing view: LiveViewCoordinator?) throws(JournalError) -> Bool {
    while true {
      let known = listed.withLock { $0.revision(ofUnloaded: id) }
      let stored = try journal?.store.row(of: id) ?? StoredRow(id: id, bytes: [])
      let row =
        stored.bytes.isEmpty
        ? JournalRow(lastEpoch: view?.epochBefore ?? 0) : try JournalRow(checking: stored.bytes, of: id)
      let outcome = listed.withLock { listed -> (isListed: Bool, isGap: Bool)? in
        guard listed.views[id] === view else { return (false, false) }
        // A later row of another mirror may have been read meanwhile.
        guard listed.revision(ofUnloaded: id) == known else { return nil }
        listed.views[id] = nil
        listed.unread.remove(id)
        // A view that the journal does not have does not exist. A later one continues with the epochs of a removed one.
        if row.summary == nil { listed.pages.remove(id) }
        let heard = view?.heard ?? listed.unloaded[id]?.heard
        return (true, list(id, row, revision: stored.revision, heard: heard, in: &listed))
      }
      guard let outcome else { continue }
      if outcome.isGap { listener?.reloads(id, isGap: true) }
      // The removal by this mirror, if there was one, was not written, so its listener was not notified.
      if outcome.isListed, isShared, let removal = row.removal { listener?.removed(id, because: removal) }
      return outcome.isListed
    }
  }

  /// Reads the rows that could not be read when their views were dropped.
  func readUnread() throws(JournalError) {
    for id in listed.withLock({ $0.unread }) {
      let isLoaded = listed.withLock { listed in
        guard listed.views[id] != nil else { return false }
        listed.unread.remove(id)
        return true
      }
      if isLoaded { continue }
      // A damaged view is reported when it is used, and does not hold up the others.
      do throws(JournalError) { try restoreUnloaded(id, replacing: nil) } catch {
        if error.kind != .damaged { throw error }
      }
    }
  }
}

extension LiveViews.Listed {
  /// The revision of a view that is not loaded, or of a removed one.
  fileprivate func revision(ofUnloaded id: String) -> Int? { unloaded[id]?.revision ?? ends[id]?.revision }
}
