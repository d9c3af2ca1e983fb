internal import MirrorSupport
internal import NodeObservation

/// How the views and pages are read from the journal at the start, and again after it has failed;
/// and how feeds and requests wait until their changes are kept.
///
/// The directory's lock is not held while the store is read. So each reading checks afterwards,
/// under the lock, that no other thread has read a later row meanwhile; otherwise it reads again.
extension LiveViews {
  // MARK: - Opening

  /// Reads the list of views and pages from the journal. The initializer with a journal calls it
  /// once.
  ///
  /// - Complexity: O(*views* + *pages*).
  package func open(_ journal: Journal) throws(JournalError) {
    let news = try journal.store.all
    var rows: [(stored: StoredRow, row: JournalRow)] = []
    // In the order of removal, because the directory remembers only the removals listed last.
    for stored in news.views.sorted(by: { $0.removedAt ?? 0 < $1.removedAt ?? 0 }) {
      rows.append((stored, try JournalRow(checking: stored.bytes, of: stored.id)))
    }
    try directory.withLock { directory throws(JournalError) in
      for (stored, row) in rows {
        list(stored.id, row, revision: stored.revision, removedAt: stored.removedAt, in: &directory)
      }
      try directory.restorePages(news.pages, frames: [])
    }
    journal.notify(
      whenCut: { [weak self] views, reason throws(JournalError) in try self?.dropCutViews(views, because: reason) },
      whenRecovered: { [weak self] () throws(JournalError) in
        try self?.readUnread()
        try self?.readPages()
      })
    try follow(after: news.position)
  }

  /// Lists a view as a row of the journal has it, as
  /// ``ViewDirectory/restore(_:_:revision:lastNotified:removedAt:in:)``.
  ///
  /// - Parameter time: when the view was removed; `nil` for now.
  @discardableResult
  func list(
    _ id: String, _ row: JournalRow, revision: Int, lastNotified: NotifiedEntry? = nil, removedAt time: Int64? = nil,
    in directory: inout ViewDirectory
  ) -> Bool {
    directory.restore(
      id, row, revision: revision, lastNotified: lastNotified, removedAt: time ?? clock.now(), in: logBudget)
  }

  // MARK: - Recovering

  /// Replaces the pages by those of the journal: changes that it has not kept did not happen.
  private func readPages() throws(JournalError) {
    guard let journal else { return }
    var isCurrent = false
    while !isCurrent {
      let adoptions = directory.withLock { $0.pages.adoptions }
      let rows = try journal.store.pages()
      let frames = receivedFrameCount
      isCurrent = try directory.withLock { directory throws(JournalError) in
        // Later rows of other mirrors may have been read meanwhile.
        guard directory.pages.adoptions == adoptions else { return false }
        directory.pages.removeAll()
        try directory.restorePages(rows.map { ($0.id, .some($0.row)) }, frames: frames)
        return true
      }
    }
  }

  /// Drops views that were cut: the journal does not have their last changes. They are loaded when
  /// they are next used. A view whose removal was not written exists again. If the removal was
  /// refused because another mirror had changed the view first, this mirror deletes it again.
  /// Called on the journal's thread.
  ///
  /// - Throws: if the journal cannot be read. The views are then read at the recovery.
  private func dropCutViews(_ views: [Journal.CutView], because reason: JournalError) throws(JournalError) {
    var failure: JournalError?
    for (id, removal) in views {
      var view = abandonObject(of: id)
      do throws(JournalError) {
        if let failure { throw failure }
        // Another thread may have loaded the view meanwhile, with changes that are lost. Then that
        // object is dropped as well.
        while !(try restoreUnloaded(id, replacing: view)) { view = abandonObject(of: id) }
        if reason.kind == .outdated, removal == .deleted { removeUnloaded(id, because: .deleted) }
      } catch {
        if error.kind != .damaged { failure = error }
        listUnread(id, replacing: view)
      }
    }
    if let failure { throw failure }
  }

  /// Lists a view whose row cannot be read now. ``readUnread()`` reads it at the recovery.
  private func listUnread(_ id: String, replacing view: LiveViewCoordinator?) {
    let last = view.map { ($0.lastRow, $0.lastNotified) }
    directory.withLock { directory in
      if directory[id]?.view === view { directory.listUnread(id, last, in: logBudget) }
    }
  }

  /// Abandons the ``LiveViewCoordinator`` of a view, if the view is loaded, and notifies the
  /// listener.
  private func abandonObject(of id: String) -> LiveViewCoordinator? {
    let view = find(id)
    view?.abandon()
    listener?.reloads(id, isGap: false)
    return view
  }

  /// Lists a view that is not loaded, with its row from the journal.
  ///
  /// - Parameter view: the ``LiveViewCoordinator`` that is dropped; `nil` if the view was not
  ///   loaded.
  /// - Returns: `false`, without listing the view, if the directory has another coordinator for it.
  @discardableResult
  private func restoreUnloaded(_ id: String, replacing view: LiveViewCoordinator?) throws(JournalError) -> Bool {
    while true {
      let known = directory.withLock { $0.revision(ofUnloaded: id) }
      let stored = try journal?.store.row(of: id) ?? StoredRow(id: id, bytes: [])
      let row =
        stored.bytes.isEmpty
        ? JournalRow(lastEpoch: view?.epochBefore ?? 0) : try JournalRow(checking: stored.bytes, of: id)
      let outcome = directory.withLock { directory -> (isListed: Bool, isGap: Bool)? in
        guard directory[id]?.view === view else { return (false, false) }
        // A later row of another mirror may have been read meanwhile.
        guard directory.revision(ofUnloaded: id) == known else { return nil }
        directory.unread.remove(id)
        // A row without a summary is that of a view that does not exist. It only has the last
        // epoch, with which a later view of this id continues.
        if row.summary == nil { directory.pages.remove(id) }
        let lastNotified = view?.lastNotified ?? directory[id]?.unloaded?.lastNotified
        return (true, list(id, row, revision: stored.revision, lastNotified: lastNotified, in: &directory))
      }
      guard let outcome else { continue }
      if outcome.isGap { listener?.reloads(id, isGap: true) }
      // If this mirror has removed the view as well, that removal was not written, so the listener
      // was not notified of it.
      if outcome.isListed, isShared, let removal = row.removal { listener?.removed(id, because: removal) }
      return outcome.isListed
    }
  }

  /// Reads the rows that could not be read when their views were dropped.
  private func readUnread() throws(JournalError) {
    for id in directory.withLock({ $0.unread }) {
      let isLoaded = directory.withLock { directory in
        guard directory[id]?.view != nil else { return false }
        directory.unread.remove(id)
        return true
      }
      if isLoaded { continue }
      // A damaged view is reported when it is used. The reading of other views continues.
      do throws(JournalError) { try restoreUnloaded(id, replacing: nil) } catch {
        if error.kind != .damaged { throw error }
      }
    }
  }

  // MARK: - Checking and waiting

  /// Refuses input while the journal does not accept it.
  package func checkJournal() throws(UpdateError) {
    do throws(JournalError) { try journal?.check() } catch { throw UpdateError(error) }
  }

  /// Whether there is a journal.
  package var hasJournal: Bool { journal != nil }

  /// Calls `body` once, when the changes of a caller are kept or lost: at once, or on the journal's
  /// thread.
  ///
  /// - Parameters:
  ///   - ticket: `body` also waits for all items after this ticket that were added so far, such as
  ///     the rows of pages; `nil` to wait for the receipts alone.
  ///   - body: gets the error if an item was lost. The kind `outdated` means that another mirror
  ///     has changed a view of the receipts first.
  package func whenKept(
    _ receipts: JournalReceipts, after ticket: Int?, _ body: @escaping @Sendable (UpdateError?) -> Void
  ) {
    guard let journal else { return body(nil) }
    let end = journal.end
    let then: @Sendable (JournalError?) -> Void = { [self] error in whenFree { body(error.map(UpdateError.init)) } }
    journal.whenSettled(receipts.tickets) { error in
      guard error == nil, let ticket else { return then(error) }
      journal.whenFlushed(after: ticket, through: end, then)
    }
  }

  /// Waits until the changes of a caller are kept.
  ///
  /// - Throws: if one was lost.
  package func settle(_ receipts: JournalReceipts) throws(UpdateError) { try journal?.settle(receipts.tickets) }

  /// A request is answered only when all items of the journal after this ticket are written; 0
  /// without a journal. Read it before the request changes anything. If the journal belongs to this
  /// mirror alone, the items include unwritten ones of earlier requests: a repeated request is
  /// answered only after the first one is written.
  package var journalTicket: Int { journal.map { isShared ? $0.end : $0.settled } ?? 0 }

  /// Waits until all changes after a ticket are written, also those of pages.
  ///
  /// - Throws: if one of them was not.
  package func settle(after ticket: Int = 0) throws(UpdateError) {
    do throws(JournalError) { try journal?.flush(after: ticket) } catch { throw UpdateError(error) }
  }

  /// The reason why the journal accepts no changes; `nil` while it does, and without a journal.
  package var journalProblem: String? { journal?.failure?.reason }
}

extension JournalRow {
  init(checking bytes: [UInt8], of view: String) throws(JournalError) {
    do throws(SnapshotError) { try self.init(bytes, of: view) } catch {
      throw JournalError(
        .damaged, "the row of the view \(view) is damaged: \(error.description); restore a copy of the journal")
    }
  }
}
