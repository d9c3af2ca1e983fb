internal import MirrorSupport
internal import NodeObservation

/// How a mirror follows the changes of other mirrors in a shared journal: the follower's thread
/// applies news, and requests catch up before they read.
///
/// A change of another mirror is applied only if its revision is higher than the one in memory, so
/// the same news can be applied twice.
extension LiveViews {
  /// Whether other mirrors may write to the journal.
  package var isShared: Bool { follower != nil }

  /// Applies everything that other mirrors have done so far. Does nothing while the journal cannot
  /// be read.
  ///
  /// - Returns: whether everything was applied.
  @discardableResult
  package func catchUp() -> Bool {
    guard let follower else { return true }
    guard journal?.failure == nil else { return false }
    do throws(UpdateError) { try follower.catchUp() } catch { return false }
    return true
  }

  /// Applies what other mirrors have done with a view so far.
  ///
  /// - Throws: if the journal cannot be read.
  package func catchUp(_ id: String) throws(UpdateError) {
    guard let journal, journal.isShared else { return }
    let row: StoredRow?
    do throws(JournalError) {
      try journal.check()
      row = try journal.store.row(of: id)
    } catch {
      throw UpdateError(error)
    }
    if let row { try follow(row) }
  }

  /// Whether an error may be due to a change by another mirror.
  ///
  /// - Parameter revision: the revision of the view before the update.
  /// - Throws: if the journal cannot be read.
  func isBehind(
    _ view: LiveViewCoordinator, at revision: Int, after error: UpdateError
  ) throws(UpdateError) -> Bool {
    guard isShared, error.kind == .staleFrame || error.kind == .unknownView else { return false }
    try catchUp(view.id)
    return view.isReplaced || view.end.revision != revision
  }

  /// Reads the journal before a diff is applied to a view that another mirror has changed lately.
  /// If a load balancer sends the diffs of a view to each mirror in turn, each diff would otherwise
  /// be applied twice: to the old state, where the journal refuses the change, and to the new one.
  func catchUpIfContended(_ view: LiveViewCoordinator) throws(UpdateError) {
    if isShared, view.isContended { try catchUp(view.id) }
  }

  /// Whether the journal is likely to be read before a diff is applied: the view is not loaded, or
  /// another mirror has changed it lately. The HTTP server then runs the request on a worker, not
  /// on an event loop.
  package func readsJournal(beforeUpdating id: String) -> Bool {
    find(id)?.isContended != false
  }

  /// Sets the function for views that are loaded from the journal. The inspector moves the
  /// subscriptions of a view to its new ``LiveViewCoordinator``.
  ///
  /// - Parameter body: called with each loaded view, before the entries are applied of which the
  ///   listener was not notified.
  package func whenReloaded(_ body: @escaping @Sendable (LiveViewCoordinator) -> Void) {
    reloaded.withLock { $0 = body }
  }

  /// Ends the following of other mirrors, before the journal is stopped.
  package func stopFollowing() { follower?.stop() }

  // MARK: - News

  /// Begins to follow other mirrors, after the list of views and pages was read.
  func follow(after position: JournalPosition) throws(JournalError) {
    try follower?.start(after: position) { [weak self] news throws(UpdateError) in
      try self?.apply(news) ?? []
    }
  }

  /// Applies news. One thread calls it at a time, and again with the same news after an error.
  ///
  /// - Returns: the ids of pages whose rows must be read again.
  private func apply(_ news: JournalNews) throws(UpdateError) -> Set<String> {
    let skipped = try directory.withLock { directory throws(UpdateError) in
      do throws(JournalError) { return try directory.pages.adopt(news.pages) } catch { throw UpdateError(error) }
    }
    for row in news.views { try unlessDamaged { () throws(UpdateError) in try follow(row) } }
    if !news.pages.isEmpty { countFrames() }
    // The events of a view come from its object. If the object was dropped, event streams would get
    // no events until the view is used, so the view is loaded here.
    for id in listener?.listened ?? [] where directory.withLock({ $0[id]?.unloaded != nil }) {
      try unlessDamaged { () throws(UpdateError) in _ = try load(id) }
    }
    for (number, message) in news.messages {
      // After an error, the same news are read again.
      let isNew = messages.withLock { messages in
        defer { messages.remember(true, of: "\(number)") }
        return messages["\(number)"] == nil
      }
      if isNew { receive(message) }
    }
    return skipped
  }

  /// Updates the number of received frames of each page from its views. Another mirror may have
  /// written the row of a view, and ended before it wrote the row of the page.
  func countFrames() {
    let frames = receivedFrameCount
    directory.withLock { $0.finishRestoringPages(frames) }
  }

  /// For each view in memory, the number of frames of its page up to the last one that it has
  /// received.
  var receivedFrameCount: [(view: String, count: Int)] {
    directory.withLock { $0.views }.compactMap { view in view.receivedFrameCount.map { (view.id, $0) } }
  }

  /// Ignores the error of a damaged view, so that other views are still read. The error is reported
  /// when the view is used.
  private func unlessDamaged(_ body: () throws(UpdateError) -> Void) throws(UpdateError) {
    do throws(UpdateError) { try body() } catch {
      if error.kind != .damaged { throw error }
    }
  }

  /// Brings a view to the state of a row of the store, or to a later state.
  func follow(_ stored: StoredRow) throws(UpdateError) {
    guard let journal else { return }
    let row: JournalRow
    do throws(JournalError) { row = try JournalRow(checking: stored.bytes, of: stored.id) } catch {
      throw UpdateError(error)
    }
    let view = directory.withLock { directory -> (object: LiveViewCoordinator?, isNew: Bool, isGap: Bool) in
      let state = directory[stored.id]
      if let object = state?.view { return (object, object.end.revision < stored.revision, false) }
      guard directory.revision(ofUnloaded: stored.id) ?? 0 < stored.revision else { return (nil, false, false) }
      if row.summary == nil, state?.unloaded != nil { directory.countRemoval(because: row.removal ?? .deleted) }
      let isGap = list(
        stored.id, row, revision: stored.revision, lastNotified: state?.unloaded?.lastNotified, in: &directory)
      return (nil, true, isGap)
    }
    guard view.isNew else { return }
    if view.isGap { listener?.reloads(stored.id, isGap: true) }
    guard let object = view.object else {
      if row.summary == nil { listener?.removed(stored.id, because: row.removal ?? .deleted) }
      return
    }
    switch try object.follow(journal.store) {
    case .upToDate, .ending: break
    case .removed(let row, let revision):
      removeFollowing(object, row, revision: revision)
    case .mustBeLoaded(let row, let revision):
      reload(object, row, revision: revision)
    }
  }

  /// Removes a view that another mirror has removed.
  ///
  /// - Parameter row: the present row of the view's id in the store. It may be of a later view with
  ///   this id.
  private func removeFollowing(_ view: LiveViewCoordinator, _ row: JournalRow, revision: Int) {
    let reason = row.removal ?? .deleted
    guard view.beginRemoval(because: reason, isFollowed: true, if: { _ in true }) else { return }
    let evicted = view.logUsage.evicted
    directory.withLock { directory in
      guard directory.beginRemoval(of: view, because: reason) else { return }
      // The other mirror writes the rows of the page.
      directory.pages.dropChanges()
      list(view.id, row, revision: revision, in: &directory)
      directory.evictedEntries += evicted
    }
    try? view.endRemoval()
  }

  /// Drops the ``LiveViewCoordinator`` of a view that cannot follow, because the store no longer
  /// keeps all entries that it lacks. The view is loaded again when it is next needed.
  private func reload(_ view: LiveViewCoordinator, _ row: JournalRow, revision: Int) {
    let isGap = directory.withLock { directory -> Bool? in
      guard directory[view.id]?.view === view, !view.isRemoved else { return nil }
      return list(view.id, row, revision: revision, lastNotified: view.lastNotified, in: &directory)
    }
    guard let isGap else { return }
    view.abandon()
    listener?.reloads(view.id, isGap: isGap)
  }
}
