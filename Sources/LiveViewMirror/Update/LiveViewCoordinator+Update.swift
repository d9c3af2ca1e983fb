internal import MarkupDocument
internal import MirrorSupport
internal import MirrorViews
internal import NodeObservation
internal import RenderedTree
internal import Synchronization

/// **Start here**: how a decoded message becomes the next version of the view.
///
///     Rendered ──▶ FullUpdate ───────────────────────────┐
///     diff ──▶ updateScoped ── .needsFullUpdate ──▶ FullUpdate ──▶ commit, log ──▶ publish ──▶ complete
///                          └── .applied ───────────────────────────────▶ log ──▶ publish ──▶ complete
///
/// ``update(_:)`` and the other functions that feed the view begin here, with ``process(_:_:)``.
///
/// An update has the turn of its view (``inTurn(collecting:_:)``) from the first of these steps to
/// the last, so updates of a view run one after the other. A scoped update is computed and
/// committed under the lock of the view's state. A full update takes that lock only to copy the
/// state and to commit. So other threads can read the view while a full update is computed, and
/// while any update is published.
extension LiveViewCoordinator {
  /// Applies a diff. Called within a turn.
  ///
  /// - Parameter arrival: when the input arrived that contains the diff; `nil` for now.
  func apply(
    _ message: WireMessage, decoding microseconds: Int, arrival: MonotonicTime? = nil
  ) throws(UpdateError) -> ChangeRecord {
    let cause = exportedCause(of: message) ?? cause(of: message, arrival: arrival)
    return publish(
      try advance(by: message, answering: cause, decoding: microseconds, within: MemoryBound(options.memory)))
  }

  /// Computes and commits the next version, without publishing it. A replay also calls this.
  func advance(
    by message: WireMessage, answering cause: UpdateCause?, decoding microseconds: Int, within bound: MemoryBound
  ) throws(UpdateError) -> ChangeRecord {
    switch try updateScoped(message, answering: cause, decoding: microseconds) {
    case .applied(let record): return record
    case .needsFullUpdate(let reason, let merged):
      return try updateFully(
        message, answering: cause, because: reason, merged: merged, decoding: microseconds, within: bound)
    }
  }

  /// Mounts a Rendered. Called within a turn.
  ///
  /// - Parameter container: the content of the view's element according to the feed. The client's
  ///   push of the join overrides it.
  func mount(
    _ message: WireMessage, dialect: Dialect, container: ContainerContent?, decoding microseconds: Int
  ) throws(UpdateError) -> ChangeRecord {
    let (previous, nextEpoch, join) = state.withLock { ($0.view, $0.lastEpoch + 1, $0.join) }
    let exported = message.exported
    let epoch = max(nextEpoch, exported?.epoch ?? 0)
    let pushed = join.flatMap { $0.ref == message.joinRef ? $0.container : nil }
    let stated = exported?.content.flatMap { ContainerContent(rawValue: $0) } ?? pushed ?? container
    let mount = Mount(
      dialect: dialect,
      container: exported?.markupBefore != nil && stated != .resumed
        ? .kept : ContainerContent(stated: stated, isMounted: previous != nil),
      epoch: epoch, previous: previous, markupBefore: exported?.markupBefore)
    let (view, record) = try ViewState.mounting(
      message, mount, id: id, publishers: publishers, options: options, clock: clock, decoding: microseconds,
      within: MemoryBound(options.memory))
    // Dropped states of ended epochs are released without the lock, because that takes time.
    let (_, last) = try state.withLock { state throws(UpdateError) in
      if state.removal != nil { throw removed }
      let last = journal == nil ? nil : state.view.flatMap { Self.takeSnapshot(of: $0, in: &state) }
      state.begin(view)
      // After a mount without a frame, frames of any join are accepted.
      state.join = message.joinRef.map { TopicJoin(mounted: $0, after: join) }
      state.pending.removeAll()
      state.lastUpdate = .now
      return (state.takeDropped(), last)
    }
    // This snapshot has the last state of the ended epoch, so the view can be loaded from it even
    // if earlier entries of the epoch are not kept.
    if let journal, let last { write(last.view, number: last.number, to: journal) }
    drawing.mount(self, in: dialect)
    return publish(record)
  }

  // MARK: - Commit

  /// Computes and commits a scoped update in place. The lock of the state is held meanwhile, for a
  /// time that grows with the size of the diff.
  private func updateScoped(
    _ message: WireMessage, answering cause: UpdateCause?, decoding microseconds: Int
  ) throws(UpdateError) -> ScopedOutcome {
    if options.pipeline == .full {
      return .needsFullUpdate(.fullPipeline, merged: nil)
    }
    return try committing { view throws(UpdateError) in
      let outcome = try view.updateScoped(message, decoding: microseconds)
      guard case .applied(var record) = outcome else { return (outcome, nil) }
      record.cause = cause
      return (.applied(record), record)
    }
  }

  /// Computes a full update from a copy of the state, and then commits it.
  private func updateFully(
    _ message: WireMessage, answering cause: UpdateCause?, because reason: FullUpdateReason, merged: MergedDiff?,
    decoding microseconds: Int, within bound: MemoryBound
  ) throws(UpdateError) -> ChangeRecord {
    guard let view = state.withLock({ $0.view }) else { throw unmounted }
    let update = try FullUpdate(
      message, to: view, because: reason, merged: merged, decoding: microseconds, within: bound)
    return try committing { view throws(UpdateError) in
      var record = view.commit(update)
      record.cause = cause
      return (record, record)
    }
  }

  /// Changes the view's state while no thread reads the state or draws the page.
  ///
  /// - Parameter change: returns its result, and the record of the new version if there is one.
  private func committing<Result>(
    _ change: (inout ViewState) throws(UpdateError) -> (Result, ChangeRecord?)
  ) throws(UpdateError) -> Result {
    try drawing.whileUndrawn { page throws(UpdateError) in
      try state.withLock { state throws(UpdateError) in
        if state.removal != nil { throw removed }
        guard let (result, record) = try state.view?.changing(change) else { throw unmounted }
        if let record {
          state.lastUpdate = .now
          state.view?.reading { page?.tree.beginUpdate(of: record.notified, in: $0) }
        }
        return result
      }
    }
  }

  // MARK: - Publish

  /// Notifies the subscribers of a committed version, evaluates the views of the page, and
  /// completes the entry in the log.
  ///
  /// Runs within a turn. The turn is a `Publication`, so work that subscribers defer runs when the
  /// turn ends.
  private func publish(_ committed: consuming ChangeRecord) -> ChangeRecord {
    var (watch, record) = (Stopwatch(), committed)
    publishers.publish(
      record.changeSet, notified: record.notified, replacing: record.version == 0 ? record.epoch : nil)
    record.timings.publish += watch.lap()
    let diagnostics = record.diagnostics.count
    if drawing.evaluate(&record) { record.timings.views = watch.lap() }
    record.recount(everybody: publishers.sums.all)
    let notes = record.diagnostics.count - diagnostics
    let drawnMemory = drawing.memory
    // Dropped states of ended epochs are released without the lock, because that takes time.
    let (entry, _) = state.withLock { state in
      state.drawnMemory = drawnMemory
      let entry = state.complete(record, notifiesAtOnce: journal == nil)
      state.keepEnded()
      state.lastUpdate = watch.last
      if let entry { write(entry, notes: notes, in: &state) }
      return (entry, state.takeDropped())
    }
    if journal == nil, let entry { listener?.wrote(entry, of: id) }
    writeSnapshotIfNeeded()
    evictExcess()
    return record
  }

  // MARK: - Failures

  /// Runs one input of the view. Only this function records failures: an input that cannot be
  /// applied gets an entry in the log, if the view is mounted.
  func process<Result>(
    _ input: DecodedInput, _ apply: (WireMessage) throws(UpdateError) -> Result
  ) throws(UpdateError) -> Result {
    let message = input.message.map { $0.withoutSecrets(filter) }
    do throws(UpdateError) { return try apply(message.get()) } catch {
      if error.kind == .unfitting { reject((try? message.get())?.json ?? withoutSecrets(input.bytes), because: error) }
      if error.kind == .outOfMemory { logBudget?.views?.freeMemory(besides: self) }
      throw error
    }
  }

  /// The text of an update that could not be decoded, without secrets.
  private func withoutSecrets(_ bytes: [UInt8]) -> JSONText {
    let text = JSONText(String(decoding: bytes, as: UTF8.self))
    return filter.update(text) ?? text
  }

  /// Adds a rejected input to the log, if the view is mounted.
  private func reject(_ input: JSONText, because error: UpdateError) {
    let bytes = input.text.utf8
    // Dropped states of ended epochs are released without the lock, because that takes time.
    var dropped: [ViewState] = []
    let entry = state.withLock { state -> ChangeLog.Entry? in
      guard let view = state.view, state.removal == nil else { return nil }
      defer { dropped = state.takeDropped() }
      let rejection = Rejection(
        view: id, epoch: view.epoch, version: view.version, at: clock.now(), bytes: bytes.count, error: error,
        input: String(decoding: bytes.prefix(Rejection.longestInput), as: UTF8.self))
      let entry = state.log(rejection, notifiesAtOnce: journal == nil)
      if let entry { write(entry, in: &state) }
      return entry
    }
    dropped.removeAll()
    if journal == nil, let entry { listener?.wrote(entry, of: id) }
    evictExcess()
  }

  /// Evicts log entries if the logs of all views take too much memory. If the ``LiveViews`` was
  /// released, only entries of this view are evicted.
  private func evictExcess() {
    guard let logBudget else { return }
    if let views = logBudget.views { return views.evictExcess() }
    logBudget.enforceInTurn { evictEntries(bytes: logBudget.excess) }
  }

  private var unmounted: UpdateError { UpdateError(.unknownView, reason: "the view \(id) is not mounted") }
  private var removed: UpdateError { UpdateError(.unknownView, reason: "the view \(id) was removed meanwhile") }
}
