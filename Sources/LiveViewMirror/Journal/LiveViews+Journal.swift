internal import MirrorSupport
internal import NodeObservation
internal import Synchronization

/// A view that the journal has and that is not loaded.
struct UnloadedView: Sendable {
  var row: JournalRow
  /// See ``StoredRow/revision``.
  var revision: Int
  /// The last entry of which the listener was notified.
  var heard: HeardEntry
  /// Counts its log, as if it was loaded.
  let account: MemoryAccount

  /// - Parameter heard: `nil` if the listener was notified of all entries.
  init(_ row: JournalRow, revision: Int, heard: HeardEntry? = nil, in budget: MemoryBudget) {
    (self.row, self.revision) = (row, revision)
    self.heard = heard ?? HeardEntry(origin: row.origin, number: row.number)
    account = MemoryAccount(in: budget)
    count()
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

extension LiveViews {
  // MARK: - Opening

  /// Reads the list of views and pages from the journal. To be called once, before anything else.
  ///
  /// - Complexity: O(*views* + *pages*).
  package func open(_ journal: Journal) throws(JournalError) {
    let news = try journal.store.all
    var rows: [(stored: StoredRow, row: JournalRow)] = []
    // The last evicted view is listed last.
    for stored in news.views.sorted(by: { $0.removedAt ?? 0 < $1.removedAt ?? 0 }) {
      rows.append((stored, try JournalRow(checking: stored.bytes, of: stored.id)))
    }
    try listed.withLock { listed throws(JournalError) in
      for (stored, row) in rows {
        list(stored.id, row, revision: stored.revision, removedAt: stored.removedAt, in: &listed)
      }
      try listed.restorePages(news.pages, frames: rows.compactMap { stored, row in row.frames.map { (stored.id, $0) } })
    }
    journal.notify(
      whenCut: { [weak self] views, reason throws(JournalError) in try self?.discard(views, because: reason) },
      whenRecovered: { [weak self] () throws(JournalError) in
        try self?.readUnread()
        try self?.readPages()
      })
    try follow(after: news.place)
  }

  /// Lists a view that is not loaded, or what a removed one had reached.
  ///
  /// - Parameters:
  ///   - heard: the last entry of which the listener was notified; `nil` for all entries.
  ///   - time: when the view was removed, in milliseconds since 1970; `nil` for now.
  /// - Returns: whether the journal may lack entries after that one. Then the listener is not notified of any.
  @discardableResult
  func list(
    _ id: String, _ row: JournalRow, revision: Int, heard: HeardEntry? = nil, removedAt time: Int64? = nil,
    in listed: inout Listed
  ) -> Bool {
    guard row.summary != nil else {
      listed.unloaded[id] = nil
      listed.ends.remember(ViewEnd(epoch: row.lastEpoch, revision: revision), of: id)
      _ = listed.evicted.take(id)
      // With a journal, only the number of views evicts any.
      if row.removal == .evicted {
        listed.evicted.remember(Eviction(view: id, bound: .views, time: time ?? clock.now()), of: id)
      }
      return false
    }
    // Entries of a later view with the same id have the same numbers.
    let isGap = heard.map { $0.number > 0 && $0.origin != row.origin } == true
    listed.unloaded[id] = UnloadedView(
      row, revision: revision, heard: isGap ? nil : heard, in: logBudget)
    return isGap
  }

  /// Replaces the pages by those of the journal: changes that it has not kept did not happen.
  private func readPages() throws(JournalError) {
    guard let journal else { return }
    var isCurrent = false
    while !isCurrent {
      let adoptions = listed.withLock { $0.adoptions }
      let rows = try journal.store.pages()
      let loaded = listed.withLock { $0.views }.compactMap { id, view in view.receivedFrames.map { (id, $0) } }
      isCurrent = try listed.withLock { listed throws(JournalError) in
        // Later rows of other mirrors may have been read meanwhile.
        guard listed.adoptions == adoptions else { return false }
        listed.pages = PageTable(views: limits.views)
        listed.written = [:]
        try listed.restorePages(rows.map { ($0.id, .some($0.row)) }, frames: loaded)
        return true
      }
    }
  }

  // MARK: - Loading

  /// The view of an id, loaded from the journal if necessary.
  ///
  /// - Parameter isFreeing: whether this is the thread that frees memory, which cannot wait for itself.
  /// - Throws: if the journal cannot return it.
  func loaded(_ id: String, isFreeing: Bool = false) throws(UpdateError) -> LiveViewCoordinator? {
    let (view, isKnown) = listed.withLock { ($0.views[id], $0.unloaded[id] != nil) }
    if let view {
      view.touch()
      if !view.isReplaced { return view }
    } else if !isKnown {
      return nil
    }
    if !isFreeing { waitUntilFree() }
    let loaded = try loading.holding(id) { () throws(UpdateError) -> LiveViewCoordinator? in
      if let view = listed.withLock({ $0.views[id] }) { return view }
      return try load(id, isFreeing: isFreeing)
    }
    // Reading a view can exceed the limit as well as changing it.
    if let loaded { makeRoomForPages(beside: loaded) }
    return loaded
  }

  private func load(_ id: String, isFreeing: Bool) throws(UpdateError) -> LiveViewCoordinator? {
    guard let journal, let unloaded = listed.withLock({ $0.unloaded[id] }) else { return nil }
    guard let (stored, row) = try read(id, in: journal.store) else {
      if listed.withLock({ $0.unread.contains(id) }) { return nil }
      throw UpdateError(.damaged, reason: "the journal does not have the view \(id) any more")
    }
    if row.summary == nil {
      if isShared {
        try follow(StoredRow(id: id, bytes: stored.row, revision: stored.revision))
      } else {
        listed.withLock { listed in if listed.unloaded[id] != nil { list(id, row, revision: 0, in: &listed) } }
      }
      return nil
    }
    waitForMemory(stored.memoryOfReplay, isFreeing: isFreeing)
    let view = newView(id)
    if let first = stored.snapshot?.number, first > unloaded.heard.number { listener?.reloads(id, isGap: true) }
    // From now on the view counts its log itself. Counted twice, it would evict entries of other views.
    unloaded.account.set(0)
    do throws(UpdateError) {
      try view.restore(stored, row, heard: unloaded.heard.number) { reloaded.current(view) }
    } catch {
      unloaded.count()
      throw error
    }
    view.touch()
    while true {
      let revision = view.end.revision
      switch listed.withLock({ list(view, in: &$0) }) {
      case .isListed: return view
      case .isGone:
        view.discard()
        return listed.withLock { $0.views[id] }
      case .isBehind:
        if case .upToDate = try view.follow(journal.store) {
          // The store may have lost a change that the list knows of, as after a failover.
          if view.end.revision == revision { listed.withLock { $0.unloaded[id]?.revision = revision } }
          continue
        }
        view.discard()
        return try load(id, isFreeing: isFreeing)
      }
    }
  }

  private enum Listing {
    case isListed
    /// The view was removed, or is listed already.
    case isGone
    /// Another mirror has changed the view while it was loaded.
    case isBehind
  }

  private func list(_ view: LiveViewCoordinator, in listed: inout Listed) -> Listing {
    guard let unloaded = listed.unloaded[view.id], listed.views[view.id] == nil else { return .isGone }
    if isShared, unloaded.revision > view.end.revision { return .isBehind }
    listed.unloaded[view.id] = nil
    listed.views[view.id] = view
    return .isListed
  }

  private func read(
    _ id: String, in store: any JournalStore
  ) throws(UpdateError) -> (stored: StoredView, row: JournalRow)? {
    do throws(JournalError) {
      guard let stored = try store.view(id) else { return nil }
      return (stored, try JournalRow(checking: stored.row, of: id))
    } catch {
      throw UpdateError(error)
    }
  }

  /// The ids of the views that are in memory, sorted.
  package var loadedViews: [String] { listed.withLock { $0.views.keys.sorted() } }

  // MARK: - Checking

  /// Refuses input while the journal does not accept it.
  package func checkJournal() throws(UpdateError) {
    do throws(JournalError) { try journal?.check() } catch { throw UpdateError(error) }
  }

  /// Whether there is a journal.
  package var hasJournal: Bool { journal != nil }

  /// Calls `body` once, when what a caller has written is kept or lost.
  ///
  /// - Parameters:
  ///   - place: the place in the journal after which everything else that was added so far is waited for as well, such as the rows of pages; `nil`
  ///     for the receipts alone.
  ///   - body: gets the error if something was lost. The kind `outdated` means that another mirror has changed a view of the receipts first.
  package func whenKept(
    _ receipts: JournalReceipts, after place: Int?, _ body: @escaping @Sendable (UpdateError?) -> Void
  ) {
    guard let journal else { return body(nil) }
    let end = journal.end
    let then: @Sendable (JournalError?) -> Void = { [self] error in whenFree { body(error.map(UpdateError.init)) } }
    journal.whenSettled(receipts.tickets) { error in
      guard error == nil, let place else { return then(error) }
      journal.whenFlushed(after: place, through: end, then)
    }
  }

  /// Waits until what a caller has written is kept.
  ///
  /// - Throws: if it was lost.
  package func settle(_ receipts: JournalReceipts) throws(UpdateError) { try journal?.settle(receipts.tickets) }

  /// The place in the journal after which a request waits for everything before it is answered; 0 without a journal. Without other mirrors, this
  /// includes what earlier requests have added that is not written yet: a repeated request is answered only after the first one is written.
  package var journalPlace: Int { journal.map { isShared ? $0.end : $0.settled } ?? 0 }

  /// Waits until all changes after a place are written, also those of pages.
  ///
  /// - Throws: if one of them was not.
  package func settle(after place: Int = 0) throws(UpdateError) {
    do throws(JournalError) { try journal?.flush(after: place) } catch { throw UpdateError(error) }
  }

  /// Why the journal accepts no changes; `nil` while it does, and without a journal.
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

extension LiveViewCoordinator {
  /// Whether nodes have subscribers besides the mirror's own observers.
  var hasSubscribers: Bool { publishers.sums.all > publishers.sums.observers }

  /// Notes that the view is used.
  func touch() { lastUse.store(MonotonicTime.now.nanoseconds, ordering: .relaxed) }

  /// The time since the view was last used.
  var idleTime: Duration { MonotonicTime(nanoseconds: lastUse.load(ordering: .relaxed)).duration(to: .now) }

  /// Whether another object for the same view is or will be loaded. Updates of this one are refused.
  package var isReplaced: Bool { state.withLock { $0.removal?.isUnloading == true } }

  /// Refuses updates from now on, after a running one has ended.
  ///
  /// - Returns: the last row, and the ticket of the last item of the view; `nil` if the view is not mounted, or is being removed.
  func beginUnloading() throws(UpdateError) -> (row: JournalRow, last: Journal.Ticket)? {
    try inTurn { () throws(UpdateError) in
      state.withLock { state in
        guard state.removal == nil, state.view != nil else { return nil }
        let row = state.journalRow(pageMemory: pageMemory)
        state.removal = Removal(reason: .evicted, isReported: true, isUnloading: true)
        state.countMemory()
        return (row, state.progress.last)
      }
    }
  }

  /// The row after the last change, written or not.
  var lastRow: JournalRow { state.withLock { $0.journalRow(pageMemory: pageMemory) } }

  /// Refuses updates from now on, also one that is running. Subscribers are notified of the end.
  func discard() {
    state.withLock { state in
      if state.removal == nil { state.removal = Removal(reason: .evicted, isReported: true, isUnloading: true) }
      state.countMemory()
    }
    // The next diff waits for the object that replaces this one.
    caution.store(Self.longestCaution, ordering: .relaxed)
    publishers.close()
  }
}

extension StoredView {
  /// The memory that restoring the view takes besides the view, in bytes: a rough estimate from the largest update, which may be of many small
  /// elements.
  fileprivate var memoryOfReplay: Int { 150 * (entries.map(\.bytes.count).max() ?? 0) }
}
