internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation
internal import RenderedTree
internal import Synchronization

/// How a view is recreated from its journal: each entry is applied as it was the first time, and its record gets the recorded facts.
/// Nothing is published, drawn or written.
extension LiveViewCoordinator {
  /// Restores the view. No other thread uses the view yet.
  ///
  /// - Parameter clock: the clock of the view; while an entry is applied it shows the time of the entry.
  /// - Throws: `JournalError` of the kind `damaged`, if the store's bytes cannot be read, or an entry does not fit.
  /// - Complexity: as applying the entries after the snapshot once.
  func restore(_ stored: StoredView, _ row: JournalRow, clock: ReplayClock) throws(JournalError) {
    var number = stored.snapshot?.number ?? 0
    do throws(ReplayError) {
      if let snapshot = stored.snapshot { try restore(snapshot) }
      let decoder = WireDecoder()
      for entry in stored.entries {
        number += 1
        guard entry.number == number else { throw ReplayError("entry \(number) is missing") }
        try replay(try JournalEntry(checking: entry.bytes, of: id), decoder, clock)
      }
      guard number == row.number else { throw ReplayError("entries after number \(number) are missing") }
    } catch {
      throw JournalError(
        .damaged,
        "the journal of the view \(id) is damaged at entry \(number): \(error.reason); restore a copy, or delete the view"
      )
    }
    clock.time = nil
    state.withLock { state in
      state.progress.number = row.number
      state.progress.frames = row.frames
      state.restore(row)
      measuredMemory.store(state.view?.memory ?? 0, ordering: .relaxed)
      endedMemory.store(state.ended.pageMemory, ordering: .relaxed)
      _ = state.takeDropped()
    }
    if let dialect = reading(\.dialect) { drawing.mount(self, in: dialect) }
  }

  private func restore(_ snapshot: StoredView.Snapshot) throws(ReplayError) {
    let view: ViewState
    do throws(SnapshotError) {
      view = try ViewState(restoring: snapshot.bytes, publishers: publishers, options: options, clock: clock)
    } catch {
      throw ReplayError(error.description)
    }
    state.withLock { state in
      state.begin(view)
      state.progress.didRead(
        snapshot.number,
        at: ChangeLog.Place(epoch: view.epoch, cursor: view.log.end ?? ChangeLog.Cursor(version: view.version)))
    }
  }

  private func replay(_ entry: JournalEntry, _ decoder: WireDecoder, _ clock: ReplayClock) throws(ReplayError) {
    do throws(UpdateError) {
      switch entry.content {
      case .mount(let mount, let facts):
        var message = try decoder.message(facts, isMount: true)
        message.liveViewVersion = mount.client.rawValue
        clock.time = mount.mountedAt
        try inTurn { () throws(UpdateError) in try self.replay(message, mount, facts, epoch: entry.epoch) }
      case .diff(let facts):
        let message = try decoder.message(facts, isMount: false)
        clock.time = facts.appliedAt
        try inTurn { () throws(UpdateError) in
          self.finishReplay(try self.advance(by: message, answering: nil, decoding: 0), facts)
        }
      case .destroyed(let components): state.withLock { $0.view?.destroy(components) }
      case .rejected(let rejection): state.withLock { _ = $0.log(rejection) }
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
    _ message: WireMessage, _ mount: MountFacts, _ facts: UpdateFacts, epoch: Int
  ) throws(UpdateError) {
    let previous = state.withLock { $0.view }
    let (mounted, record) = try ViewState.mounting(
      message,
      Mount(
        dialect: mount.dialect, container: mount.container, epoch: epoch, previous: previous,
        markupBefore: mount.markupBefore), id: id, publishers: publishers, options: options, clock: clock)
    var view = mounted
    view.isFedWithFrames = mount.isFedWithFrames
    view.updatedAt = facts.appliedAt
    state.withLock { state in
      state.begin(view)
      state.didCommit(record)
    }
    finishReplay(record, facts)
  }

  /// The last steps of ``publish(_:)``, without a listener and without views.
  private func finishReplay(_ applied: ChangeRecord, _ facts: UpdateFacts) {
    publishers.publish(
      applied.changeSet, notified: applied.notified, replacing: applied.version == 0 ? applied.epoch : nil)
    var record = applied
    facts.restore(&record)
    state.withLock { _ = $0.log(record) }
  }
}

/// The clock of a view that may be restored.
final class ReplayClock: Sendable {
  private let replayed = Guarded<Int64?>(nil)

  /// The time that the clock shows, in milliseconds since 1970; `nil` for the present.
  var time: Int64? {
    get { replayed.withLock { $0 } }
    set { replayed.withLock { $0 = newValue } }
  }

  /// - Parameter present: the clock for the present.
  func clock(for present: WallClock) -> WallClock { WallClock { self.time ?? present.now() } }
}

/// Why an entry cannot be applied again.
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
  /// Restores what the row has, after the entries were applied: the join, the expected events, and the kept part of the log.
  fileprivate mutating func restore(_ row: JournalRow) {
    lastEpoch = max(lastEpoch, row.lastEpoch)
    (join, pending) = (row.join, row.pending)
    nested = row.nested.map(\.id)
    let kept = Dictionary(row.kept.map { ($0.epoch, $0.evicted) }, uniquingKeysWith: { first, _ in first })
    changeEnded { $0.keep(kept) }
    if let view, let evicted = kept[view.epoch] { evict(entries: evicted - view.log.evicted) }
    if let updated = row.summary?.updatedAt { lastUpdate = .then(updated) }
  }
}

extension MonotonicTime {
  /// The time of a moment by the wall clock, in milliseconds since 1970.
  static func then(_ time: Int64) -> MonotonicTime {
    let age = max(0, WallClock.system.now() - time)
    return MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds - Int64(min(age, .max / 2_000_000)) * 1_000_000)
  }
}
