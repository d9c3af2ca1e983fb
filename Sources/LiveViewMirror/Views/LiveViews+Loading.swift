internal import MirrorSupport
internal import NodeObservation
internal import Synchronization

/// Loads views from the journal, and unloads them. Every request for a view loads it if necessary.
/// The thread that frees memory unloads views, and so does `serve` after a time without use.
///
/// The states ``ViewDirectory/State/loading(_:)`` and ``ViewDirectory/State/unloading(_:)`` reserve
/// an id for one thread, so the lock of the directory is not held meanwhile. Of each view, at most
/// one ``LiveViewCoordinator`` accepts updates.
extension LiveViews {
  /// The view of an id, if it is in memory.
  func find(_ id: String) -> LiveViewCoordinator? { directory.withLock { $0[id]?.view } }

  /// The view of an id, loaded from the journal if necessary. While another thread loads or unloads
  /// the view, this waits.
  ///
  /// - Parameters:
  ///   - catchesUp: whether to read the shared journal for a view that another mirror has mounted,
  ///     if this mirror has none.
  ///   - isFreeing: whether this is the thread that frees memory, which cannot wait for itself.
  /// - Throws: if the journal cannot return it.
  func load(
    _ id: String, orCatchUp catchesUp: Bool = false, isFreeing: Bool = false
  ) throws(UpdateError) -> LiveViewCoordinator? {
    switch directory.withLock({ $0[id] }) {
    case .loaded(let view), .unloading(let view):
      view.touch()
      if !view.isReplaced { return view }
    case .unloaded, .loading: break
    case .leaving, .ended, nil:
      guard catchesUp, isShared else { return nil }
      try catchUp(id)
      return try load(id)
    }
    if !isFreeing { waitUntilFree() }
    var search: ViewDirectory.Search?
    while !directory.wait(
      until: .now + .seconds(60),
      for: { directory in
        search = directory.search(id)
        return search != nil
      })
    {}
    let view =
      switch search {
      case .loads(let account): try load(id, by: account, isFreeing: isFreeing)
      case .found(let view): view
      case nil: LiveViewCoordinator?.none
      }
    // Loading a view can exceed the limit of pages, as an update can.
    if let view { makeRoomForPages(beside: view) }
    return view
  }

  /// Loads a view whose id this thread has reserved.
  ///
  /// - Parameter account: identifies the loading; see ``ViewDirectory/Search/loads(_:)``.
  /// - Returns: `nil` if the view was removed meanwhile, or cannot be read now.
  private func load(
    _ id: String, by account: MemoryAccount, isFreeing: Bool
  ) throws(UpdateError) -> LiveViewCoordinator? {
    guard let journal else { return nil }
    defer { directory.change { $0.endLoading(id, by: account) } }
    while let unloaded = directory.withLock({ $0.loading(id, by: account) }) {
      guard let (stored, row) = try read(id, in: journal.store) else {
        if directory.withLock({ $0.unread.contains(id) }) { return nil }
        throw UpdateError(.damaged, reason: "the journal does not have the view \(id) any more")
      }
      if row.summary == nil {
        if isShared {
          try follow(StoredRow(id: id, bytes: stored.row, revision: stored.revision))
        } else {
          directory.withLock { directory in
            if directory.loading(id, by: account) != nil { list(id, row, revision: 0, in: &directory) }
          }
        }
        return nil
      }
      waitForMemory(stored.memoryOfReplay, isFreeing: isFreeing)
      let view = newView(id)
      if let first = stored.snapshot?.number, first > unloaded.lastNotified.number {
        listener?.reloads(id, isGap: true)
      }
      // From now on the view counts its log itself. If the log were counted twice, entries of other
      // views would be evicted.
      account.set(0)
      try view.restore(stored, row, lastNotified: unloaded.lastNotified.number) { reloaded.current(view) }
      view.touch()
      if try list(view, by: account, journal.store) { return view }
      view.abandon()
    }
    return find(id)
  }

  /// Lists a loaded view, after the changes that other mirrors have made while it was loaded.
  ///
  /// - Returns: whether it is listed. Otherwise it was removed, or cannot follow.
  private func list(
    _ view: LiveViewCoordinator, by account: MemoryAccount, _ store: any JournalStore
  ) throws(UpdateError) -> Bool {
    while true {
      let revision = view.end.revision
      let isListed = directory.change { directory -> Bool? in
        guard let unloaded = directory.loading(view.id, by: account) else { return false }
        if isShared, unloaded.revision > revision { return nil }
        directory.didLoad(view)
        return true
      }
      if let isListed { return isListed }
      guard case .upToDate = try view.follow(store) else { return false }
      if view.end.revision == revision {
        directory.withLock { $0.setRevision(revision, of: view.id, loadingBy: account) }
      }
    }
  }

  /// Reads a view from the store; `nil` if the store does not have it.
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
  package var loadedViews: [String] { directory.withLock { $0.views }.map(\.id).sorted() }

  /// Unloads a view after the journal has all of it.
  ///
  /// - Parameters:
  ///   - time: how long the view must have been without use.
  ///   - isUsed: whether a view with subscribers or event streams is unloaded, too. Their clients
  ///     then continue with the coordinator that the next request loads.
  /// - Returns: whether the view was unloaded.
  func unload(_ view: LiveViewCoordinator, for time: Duration = .zero, evenIfUsed isUsed: Bool = false) -> Bool {
    guard let journal, journal.failure == nil,
      isUsed || !view.hasSubscribers && listener?.isListening(to: view.id) != true,
      directory.withLock({ $0.beginUnloading(view) })
    else { return false }
    let unloaded = try? whatStays(of: view, in: journal, for: time)
    guard directory.change({ $0.endUnloading(view, as: unloaded) }) else { return false }
    if isUsed {
      view.abandon()
      listener?.reloads(view.id, isGap: false)
    }
    return true
  }

  /// Ends the updates of a view, and waits until the journal has all of them.
  ///
  /// - Returns: what stays in memory; `nil` if the view was used meanwhile, or is removed, or its
  ///   changes are lost.
  private func whatStays(
    of view: LiveViewCoordinator, in journal: Journal, for time: Duration
  ) throws(UpdateError) -> UnloadedView? {
    guard view.idleTime >= time, let (row, last) = try view.beginUnloading() else { return nil }
    journal.drain(through: last)
    // If the journal has lost an item of this view (`cut`), the thread of the journal discards the
    // view.
    if view.journal?.cut != nil { return nil }
    let unloaded = UnloadedView(row, revision: view.end.revision, account: MemoryAccount(in: logBudget))
    unloaded.count()
    return unloaded
  }
}

extension StoredView {
  /// The memory that restoring the view takes besides the view, in bytes: a rough estimate from the
  /// largest update, which may be of many small elements.
  fileprivate var memoryOfReplay: Int { 150 * (entries.map(\.bytes.count).max() ?? 0) }
}

extension LiveViewCoordinator {
  /// Whether nodes have subscribers besides the mirror's own observers.
  fileprivate var hasSubscribers: Bool { publishers.sums.all > publishers.sums.observers }

  /// Sets the time of the last use, which ``idleTime`` measures.
  func touch() { lastUse.store(MonotonicTime.now.nanoseconds, ordering: .relaxed) }

  /// The time since the view was last used.
  var idleTime: Duration { MonotonicTime(nanoseconds: lastUse.load(ordering: .relaxed)).duration(to: .now) }

  /// Whether another coordinator for the same view is or will be loaded. This coordinator refuses
  /// updates.
  package var isReplaced: Bool { state.withLock { $0.removal?.isUnloading == true } }

  /// Refuses updates from now on, after a running one has ended.
  ///
  /// - Returns: the last row, and the ticket of the last item of the view; `nil` if the view is not
  ///   mounted, or is being removed.
  fileprivate func beginUnloading() throws(UpdateError) -> (row: JournalRow, last: Journal.Ticket)? {
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

  /// The row after the last change, whether or not the journal has it already.
  var lastRow: JournalRow { state.withLock { $0.journalRow(pageMemory: pageMemory) } }

  /// Gives up this object: another one is loaded from the journal when the view is next used.
  ///
  /// Updates are refused from now on, also a running one that is not committed. Subscribers are
  /// notified of the end.
  func abandon() {
    state.withLock { state in
      if state.removal == nil { state.removal = Removal(reason: .evicted, isReported: true, isUnloading: true) }
      // The next diff waits for the object that replaces this one. With this value,
      // ``LiveViews/readsJournal(beforeUpdating:)`` returns `true`, so a worker waits and not an
      // event loop.
      caution.store(Self.longestCaution, ordering: .relaxed)
      state.countMemory()
    }
    publishers.close()
  }
}
