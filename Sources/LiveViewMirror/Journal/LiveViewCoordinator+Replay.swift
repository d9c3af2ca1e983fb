internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation
internal import RenderedTree
internal import Synchronization

/// How a view is recreated from its journal: `LiveViews.load` restores it, and ``follow(_:)``
/// applies the entries of another mirror.
///
/// Each entry is applied as it was the first time, and its record gets the recorded facts. It must
/// make the epoch and version that the entry states. Nothing is written.
extension LiveViewCoordinator {
  /// Restores the view. No other thread uses the view yet.
  ///
  /// - Parameters:
  ///   - lastNotified: the number of the last entry of which the listener was notified. It is
  ///     notified of later entries.
  ///   - restored: called before the later entries are applied.
  /// - Throws: an error of the kind `damaged`, if the store's bytes cannot be read, or an entry
  ///   does not fit.
  /// - Complexity: as applying the entries after the snapshot once.
  func restore(
    _ stored: StoredView, _ row: JournalRow, lastNotified: Int, then restored: () -> Void = {}
  ) throws(UpdateError) {
    let first = stored.snapshot?.number ?? 0
    let number = min(max(first, lastNotified), row.number)
    let entries = stored.entries.prefix { $0.number <= number }
    try inTurn { () throws(UpdateError) in
      if let snapshot = stored.snapshot {
        do throws(ReplayError) { try self.restore(snapshot) } catch { throw self.damage(at: snapshot.number, error) }
      }
      try self.replay(entries, after: first, through: number, of: row, isLive: false)
      if let dialect = self.reading(\.dialect) { self.drawing.mount(self, in: dialect) }
      restored()
      try self.replay(stored.entries[entries.endIndex...], after: number, through: row.number, of: row, isLive: true)
      self.finishReplay(row, revision: stored.revision, isContended: number < row.number)
    }
  }

  /// Applies entries. Called within a turn.
  ///
  /// - Parameters:
  ///   - number: the number of the entry before the first of these entries.
  ///   - last: the number of the last of these entries.
  ///   - row: the newest row. Entries that it lists as evicted are evicted during the replay,
  ///     because they can be large.
  ///   - isLive: whether the view has subscribers and a listener, which are notified.
  func replay(
    _ entries: ArraySlice<StoredView.EncodedEntry>, after number: Int, through last: Int, of row: JournalRow,
    isLive: Bool
  ) throws(UpdateError) {
    var number = number
    let evicted = row.evictedByEpoch
    defer { replayed.time = nil }
    do throws(ReplayError) {
      let decoder = WireDecoder()
      for entry in entries {
        number += 1
        guard entry.number == number else { throw ReplayError("entry \(number) is missing") }
        try replay(try JournalEntry(checking: entry.bytes, of: id), decoder, isLive: isLive)
        // Ended epochs that are dropped are released after the lock.
        _ = state.withLock { state in
          state.keep(evicted)
          return state.takeDropped()
        }
      }
      guard number == last else { throw ReplayError("entries after number \(number) are missing") }
    } catch {
      throw damage(at: number, error)
    }
  }

  /// Restores the part of the row that the entries do not have, after they were applied.
  ///
  /// - Parameter isContended: whether another mirror has changed the view lately, and so will
  ///   probably change it again.
  func finishReplay(_ row: JournalRow, revision: Int, isContended: Bool) {
    let drawnMemory = drawing.memory
    // Ended epochs that are dropped are released after the lock.
    _ = state.withLock { state in
      state.progress.didRead(row, revision: revision)
      publishedEntry.withLock { $0.number = row.number }
      caution.store(isContended ? Self.longestCaution : 0, ordering: .relaxed)
      state.drawnMemory = drawnMemory
      state.restore(row)
      return state.takeDropped()
    }
  }

  /// The first value of ``caution``: a view counts as contended until this mirror has changed the
  /// view this many times.
  static let longestCaution = 16

  private func damage(at number: Int, _ error: ReplayError) -> UpdateError {
    UpdateError(
      .damaged,
      reason:
        "the journal of the view \(id) is damaged at entry \(number): \(error.reason); restore a copy, or delete the view"
    )
  }

  private func restore(_ snapshot: StoredView.Snapshot) throws(ReplayError) {
    do throws(SnapshotError) { try restore(snapshot.bytes) } catch { throw ReplayError(error.description) }
    state.withLock { state in
      if let position = published { state.progress.didRestore(snapshot.number, at: position) }
    }
  }

  private func replay(_ entry: JournalEntry, _ decoder: WireDecoder, isLive: Bool) throws(ReplayError) {
    do throws(UpdateError) {
      switch entry.content {
      case .mount(let mount, let facts):
        var message = try decoder.message(facts, isMount: true)
        message.clientVersion = mount.versions.reported?.rawValue
        message.liveViewVersion = mount.versions.server
        replayed.time = mount.mountedAt
        try self.replay(message, mount, facts, epoch: entry.epoch, isLive: isLive)
      case .diff(let facts):
        let message = try decoder.message(facts, isMount: false)
        replayed.time = facts.appliedAt
        let record = try advance(by: message, answering: nil, decoding: 0, within: acceptedBefore)
        finishReplay(record, facts, isLive: isLive)
      case .destroyed(let components): state.withLock { $0.view?.destroy(components) }
      case .rejected(let rejection):
        let entry = state.withLock { $0.log(rejection) }
        if isLive, let entry { listener?.followed(entry, of: id) }
      }
    } catch {
      throw ReplayError("the input does not fit: \(error)")
    }
    let reached = state.withLock { ($0.view?.epoch, $0.view?.version) }
    guard reached == (entry.epoch, entry.version) else {
      throw ReplayError("it must make version \(entry.version) of epoch \(entry.epoch), and makes another one")
    }
  }

  private func replay(
    _ message: WireMessage, _ mount: MountFacts, _ facts: UpdateFacts, epoch: Int, isLive: Bool
  ) throws(UpdateError) {
    let previous = state.withLock { $0.view }
    let (mounted, record) = try ViewState.mounting(
      message,
      Mount(
        dialect: mount.dialect, container: mount.container, epoch: epoch, previous: previous,
        markupBefore: mount.markupBefore), id: id, publishers: publishers, options: options, clock: clock,
      within: acceptedBefore)
    var view = mounted
    view.isFedWithFrames = mount.isFedWithFrames
    view.updatedAt = facts.appliedAt
    state.withLock { state in
      state.begin(view)
      state.lastUpdate = .now
    }
    if isLive { drawing.mount(self, in: mount.dialect) }
    finishReplay(record, facts, isLive: isLive)
  }

  /// The memory bound for a replay. It refuses nothing, because the updates were accepted before.
  private var acceptedBefore: MemoryBound { MemoryBound(options.memory, refuses: false) }

  /// Publishes an update that was applied again and completes its entry, as the last steps of
  /// ``publish(_:)`` do.
  private func finishReplay(_ applied: ChangeRecord, _ facts: UpdateFacts, isLive: Bool) {
    publishers.publish(
      applied.changeSet, notified: applied.notified, replacing: applied.version == 0 ? applied.epoch : nil)
    if isLive {
      // The views that this mirror draws are evaluated. The report about them is the recorded one.
      var drawn = applied
      _ = drawing.evaluate(&drawn)
    }
    var record = applied
    facts.restore(&record)
    let entry = state.withLock { $0.complete(record) }
    if isLive, let entry { listener?.followed(entry, of: id) }
  }
}

/// The clock of a view that may be restored: a replay sets it to the time of each entry, so that
/// the state gets the times of the first application.
final class ReplayClock: Sendable {
  private let replayed = Guarded<Int64?>(nil)

  /// The time that the clock shows, in milliseconds since 1970; `nil` for the present.
  var time: Int64? {
    get { replayed.current }
    set { replayed.withLock { $0 = newValue } }
  }

  /// - Parameter present: the clock for the present.
  func clock(for present: WallClock) -> WallClock { WallClock { self.time ?? present.now() } }
}

/// The reason why an entry cannot be applied again.
private struct ReplayError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension JournalEntry {
  fileprivate init(checking bytes: [UInt8], of view: String) throws(ReplayError) {
    do throws(SnapshotError) { try self.init(bytes, of: view) } catch { throw ReplayError(error.description) }
  }
}

extension WireDecoder {
  /// The message that an entry has recorded.
  fileprivate func message(_ facts: UpdateFacts, isMount: Bool) throws(UpdateError) -> WireMessage {
    do throws(WireError) { return try update(Array(facts.input.utf8), isMount: isMount) } catch {
      throw UpdateError(error)
    }
  }
}

extension LiveViewCoordinator.State {
  /// Restores the join, the pending events, the fields and the kept part of the log from the row,
  /// after the entries were applied.
  fileprivate mutating func restore(_ row: JournalRow) {
    lastEpoch = max(lastEpoch, row.lastEpoch)
    (join, pending) = (row.join, row.pending)
    restore(row.fields)
    nested = row.nested.map(\.id)
    keep(row.evictedByEpoch)
    if let updated = row.summary?.updatedAt { lastUpdate = .then(updated) }
  }

  /// Drops ended epochs that are not kept, and evicts as many entries of the current epoch as the
  /// row states, but not the newest.
  ///
  /// - Parameter evicted: the number of evicted entries, for each epoch of which entries are kept.
  fileprivate mutating func keep(_ evicted: [Int: Int]) {
    changeEnded { $0.keep(evicted) }
    guard let view else { return }
    // Of an epoch that is not kept, only the newest entry is needed until the next mount.
    evict(entries: min((evicted[view.epoch] ?? .max) - view.log.evicted, view.log.keptEntryCount - 1))
  }
}

extension JournalRow {
  /// The number of evicted entries, for each epoch of which entries are kept.
  fileprivate var evictedByEpoch: [Int: Int] {
    Dictionary(kept.map { ($0.epoch, $0.evicted) }, uniquingKeysWith: { first, _ in first })
  }
}

extension MonotonicTime {
  /// The monotonic time of a moment that is given as milliseconds since 1970.
  static func then(_ time: Int64) -> MonotonicTime {
    let age = max(0, WallClock.system.now() - time)
    return MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds - Int64(min(age, .max / 2_000_000)) * 1_000_000)
  }
}
