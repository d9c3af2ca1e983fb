internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation
internal import Synchronization

/// The items of the journal that one caller has written and must wait for before it responds: a
/// handler of the HTTP server makes one for each request, so that no thread waits.
///
/// Used on one thread.
package final class JournalReceipts {
  package private(set) var tickets: [Journal.Ticket] = []

  package init() {}

  func add(_ tickets: [Journal.Ticket]) { self.tickets += tickets }
}

/// How a view writes its changes. All writes are added under the lock of the state, together with
/// the change, so the journal has the order of the changes.
extension LiveViewCoordinator {
  // MARK: - Writing

  /// Adds an entry of the log to the journal. The listener is notified of the entry when it was
  /// written. Called under the lock of the state. Does nothing without a journal.
  ///
  /// - Parameter notes: the number of diagnostics that drawn views have noted.
  func write(_ entry: ChangeLog.Entry, notes: Int = 0, in state: inout State) {
    guard journal != nil else { return }
    let content = state.view?.changing { view -> JournalEntry.Content in
      switch entry.outcome {
      case .rejected(let rejection): return .rejected(rejection)
      case .applied(let record):
        let facts = UpdateFacts(record, notes: notes, at: view.updatedAt)
        if record.version > 0 { return .diff(facts) }
        let mount = MountFacts(
          dialect: view.document.dialect, container: view.container, markupBefore: view.markupBefore,
          versions: view.versions, isFedWithFrames: view.isFedWithFrames, mountedAt: view.mountedAt)
        return .mount(mount, facts)
      }
    }
    guard let content else { return }
    let position = LogPosition(epoch: entry.epoch, cursor: entry.cursor)
    write(content, memory: entry.memory, in: &state) { [self] in didKeep(entry, at: position) }
  }

  /// Adds an entry to the journal. Called under the lock of the state. Does nothing without a
  /// journal.
  ///
  /// - Parameters:
  ///   - memory: the memory of the entry in the log.
  ///   - written: called when the entry was written.
  func write(
    _ content: JournalEntry.Content, memory: Int, in state: inout State, then written: (@Sendable () -> Void)? = nil
  ) {
    guard let journal, let (epoch, version) = state.view?.changing({ ($0.epoch, $0.version) }) else { return }
    state.progress.didWriteEntry(bytes: memory)
    let entry = JournalEntry(number: state.progress.number, epoch: epoch, version: version, content: content)
    add(entry, in: &state, to: journal, then: written)
  }

  /// Writes a change of the state that has no entry: of the join, of a pending event, of the kept
  /// part of the log. Called under the lock of the state.
  ///
  /// - Parameter isWaitedFor: whether the running update must not be answered before this was
  ///   written.
  func writeRow(of state: inout State, isWaitedFor: Bool = true) {
    guard let journal, state.removal == nil else { return }
    add(nil, in: &state, to: journal, isWaitedFor: isWaitedFor, then: nil)
  }

  private func add(
    _ entry: JournalEntry?, in state: inout State, to view: ViewJournal, isWaitedFor: Bool = true,
    then: (@Sendable () -> Void)?
  ) {
    var then = then
    if let number = entry?.number, view.journal.isShared {
      then = { [publishedEntry, then] in
        publishedEntry.withLock { $0.number = number }
        then?()
      }
    }
    if isContended { caution.subtract(1, ordering: .relaxed) }
    let row = state.journalRow(pageMemory: pageMemory)
    let ticket = view.journal.add(
      .view(view, entry: entry, row: row, revision: state.progress.nextRevision()), then: then)
    state.progress.didWrite(ticket, isWaitedFor: isWaitedFor)
  }

  /// Writes a snapshot of the view, if enough entries follow the last snapshot. Called within a
  /// turn.
  func writeSnapshotIfNeeded() {
    guard let journal else { return }
    let due = state.withLock { state -> (view: ViewState, number: Int)? in
      guard let memory = state.view?.changing({ $0.memory }), state.progress.needsSnapshot(of: memory) else {
        return nil
      }
      return state.view.flatMap { Self.takeSnapshot(of: $0, in: &state) }
    }
    if let due { write(due.view, number: due.number, to: journal) }
  }

  /// Records that the present state will be written as a snapshot. The caller then calls
  /// ``write(_:number:to:)``, which encodes the state without the lock.
  ///
  /// - Returns: `nil` if a snapshot after the last entry was queued or loaded. One transaction of
  ///   PostgreSQL cannot write two snapshots with the same number.
  static func takeSnapshot(of view: ViewState, in state: inout State) -> (view: ViewState, number: Int)? {
    guard !state.progress.hasSnapshot, let last = view.log.last(1).first?.cursor else { return nil }
    state.progress.didWriteSnapshot(at: LogPosition(epoch: view.epoch, cursor: last))
    return (view, state.progress.number)
  }

  /// Adds a snapshot to the journal.
  ///
  /// - Parameter number: the number of the last entry that is part of the state.
  func write(_ view: ViewState, number: Int, to journal: ViewJournal) {
    journal.journal.add(
      .snapshot(journal, StoredView.Snapshot(number: number, epoch: view.epoch, bytes: view.snapshot())))
  }

  /// Adds to the row the id of another view whose element is in the document.
  /// `LiveViews.noteParent(of:)` calls it.
  func note(nested id: String) {
    state.withLock { state in
      if state.nested.contains(id) { return }
      state.nested.append(id)
      // Clients choose the ids, so their number must be bounded.
      if state.nested.count > Self.mostNested { state.nested.removeFirst() }
      writeRow(of: &state, isWaitedFor: false)
    }
  }

  private static let mostNested = 100

  /// The number of frames of the page that the view has received: ``JournalProgress/frames``.
  var receivedFrameCount: Int? { state.withLock { $0.progress.frames } }

  /// Whether the view has received a frame of its page. See ``JournalProgress/receive(frame:)``.
  func hasReceived(frame number: Int?) -> Bool { state.withLock { $0.progress.hasReceived(frame: number) } }

  /// Notifies the listener of an entry that the journal has. Event streams show no other entries.
  /// Called on the journal's thread.
  func didKeep(_ entry: ChangeLog.Entry, at position: LogPosition) {
    publishedEntry.withLock { $0.position = max(position, $0.position ?? position) }
    listener?.wrote(entry, of: id)
  }

  // MARK: - Waiting

  /// Waits until the entries of a turn are written, or passes them to the caller.
  ///
  /// - Throws: if an entry was not written. Then the view was cut, so its update does not exist.
  func settle(_ tickets: [Journal.Ticket], _ receipts: JournalReceipts?) throws(UpdateError) {
    guard let journal, !tickets.isEmpty else { return }
    if let receipts { return receipts.add(tickets) }
    try journal.journal.settle(tickets)
  }
}

extension Journal {
  /// Waits until items were written.
  ///
  /// - Throws: if one was not.
  func settle(_ tickets: [Ticket]) throws(UpdateError) {
    do throws(JournalError) { for ticket in tickets { try wait(for: ticket) } } catch { throw UpdateError(error) }
  }
}

extension UpdateError {
  init(_ error: JournalError) {
    let kind: Kind =
      switch error.kind {
      case .damaged: .damaged
      case .outdated: .outdated
      case .unusable, .unavailable: .notKept
      }
    self.init(kind, reason: error.reason)
  }
}
