internal import MirrorSupport
internal import NodeObservation

/// How a mirror learns what other mirrors have written to the journal that they share.
extension LiveViews {
  /// Whether other mirrors may write to the journal.
  package var isShared: Bool { follower != nil }

  /// Applies everything that other mirrors have done so far. Does nothing while the journal cannot be read.
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
  /// - Parameter revision: that of the view before the update.
  /// - Throws: if the journal cannot be read.
  func isBehind(
    _ view: LiveViewCoordinator, at revision: Int, after error: UpdateError
  ) throws(UpdateError) -> Bool {
    guard isShared, error.kind == .staleFrame || error.kind == .unknownView else { return false }
    try catchUp(view.id)
    return view.isReplaced || view.end.revision != revision
  }

  /// Before a diff is applied to a view that another mirror has changed lately. Without that, the diff would have to be applied again
  /// if a load balancer sends the diffs of a view to each mirror in turn.
  func catchUpIfContended(_ view: LiveViewCoordinator) throws(UpdateError) {
    if isShared, view.isContended { try catchUp(view.id) }
  }

  /// Whether a diff of a view is likely to be preceded by a reading of the journal: the view is not loaded, or another mirror has changed it
  /// lately.
  package func readsJournal(beforeUpdating id: String) -> Bool {
    listed.withLock { $0.views[id] }?.isContended != false
  }

  /// - Parameter body: called with each view that was loaded from the journal, before entries are applied of which the listener was not
  ///   notified.
  package func whenReloaded(_ body: @escaping @Sendable (LiveViewCoordinator) -> Void) {
    reloaded.withLock { $0 = body }
  }

  /// Ends the following of other mirrors.
  package func stopFollowing() { follower?.stop() }

  // MARK: - News

  /// Begins to follow other mirrors, after the list of views and pages was read.
  func follow(after place: JournalPosition) throws(JournalError) {
    try follower?.start(after: place) { [weak self] news throws(UpdateError) in
      try self?.apply(news) ?? []
    }
  }

  /// - Returns: the ids of pages whose rows must be read again.
  private func apply(_ news: JournalNews) throws(UpdateError) -> Set<String> {
    let skipped = try listed.withLock { listed throws(UpdateError) in
      do throws(JournalError) { return try listed.adopt(news.pages) } catch { throw UpdateError(error) }
    }
    for row in news.views { try unlessDamaged { () throws(UpdateError) in try follow(row) } }
    if !news.pages.isEmpty { countFrames() }
    // The events of a view come from its object. One that was dropped is missing until the view is used.
    for id in listener?.listened ?? [] where listed.withLock({ $0.unloaded[id] != nil }) {
      try unlessDamaged { () throws(UpdateError) in _ = try loaded(id) }
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

  /// Counts the frames of pages that views have received at another mirror, which may have ended before it wrote the page.
  func countFrames() {
    let loaded = listed.withLock { $0.views }.compactMap { id, view in view.receivedFrames.map { (id, $0) } }
    listed.withLock { listed in
      listed.pages.finishRestoring(loaded + listed.unloaded.compactMap { id, view in view.row.frames.map { (id, $0) } })
    }
  }

  /// A view that cannot be read is reported when it is used, and does not hold up the others.
  private func unlessDamaged(_ body: () throws(UpdateError) -> Void) throws(UpdateError) {
    do throws(UpdateError) { try body() } catch {
      if error.kind != .damaged { throw error }
    }
  }

  /// Brings a view to a row of the store, or a later one.
  func follow(_ stored: StoredRow) throws(UpdateError) {
    guard let journal else { return }
    let row: JournalRow
    do throws(JournalError) { row = try JournalRow(checking: stored.bytes, of: stored.id) } catch {
      throw UpdateError(error)
    }
    let view = listed.withLock { listed -> (view: LiveViewCoordinator?, isNew: Bool, isGap: Bool) in
      if let view = listed.views[stored.id] { return (view, view.end.revision < stored.revision, false) }
      let known = listed.unloaded[stored.id]?.revision ?? listed.ends[stored.id]?.revision ?? 0
      guard known < stored.revision else { return (nil, false, false) }
      if row.summary == nil, listed.unloaded[stored.id] != nil {
        listed.removed[row.removal ?? .deleted, default: 0] += 1
      }
      return (
        nil, true,
        list(stored.id, row, revision: stored.revision, heard: listed.unloaded[stored.id]?.heard, in: &listed)
      )
    }
    guard view.isNew else { return }
    if view.isGap { listener?.reloads(stored.id, isGap: true) }
    guard let object = view.view else {
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
  /// - Parameter row: the present row of its id, in the store. It may belong to another view.
  private func removeFollowing(_ view: LiveViewCoordinator, _ row: JournalRow, revision: Int) {
    let reason = row.removal ?? .deleted
    guard view.beginRemoval(because: reason, isFollowed: true, if: { _ in true }) else { return }
    listed.withLock { listed in
      guard listed.unlist(view, because: reason) else { return }
      // The other mirror writes the rows of the page.
      _ = listed.pages.takeChanges(isKept: false)
      listed.leaving[view.id] = nil
      list(view.id, row, revision: revision, in: &listed)
    }
    try? view.endRemoval()
  }

  /// Drops the object of a view that cannot follow, because entries between are not kept any more. It is loaded again.
  private func reload(_ view: LiveViewCoordinator, _ row: JournalRow, revision: Int) {
    let isGap = listed.withLock { listed -> Bool? in
      guard listed.views[view.id] === view, !view.isRemoved else { return nil }
      listed.views[view.id] = nil
      return list(view.id, row, revision: revision, heard: view.heard, in: &listed)
    }
    guard let isGap else { return }
    view.discard()
    listener?.reloads(view.id, isGap: isGap)
  }
}

extension LiveViews.Listed {
  /// Replaces rows of pages by those that another mirror has written.
  ///
  /// - Returns: the keys of rows that were not replaced, because this mirror is writing them: which of the two is the last is known
  ///   afterwards.
  mutating func adopt(_ rows: [(id: String, row: [UInt8]?)]) throws(JournalError) -> Set<String> {
    var skipped: Set<String> = []
    for (key, bytes) in rows {
      if written[key] != nil { skipped.insert(key) } else { try restore(key, bytes) }
    }
    if !rows.isEmpty { adoptions += 1 }
    return skipped
  }
}
