public import MarkupDocument
public import NodeObservation
package import RenderedTree
internal import Synchronization

/// One mirrored LiveView: takes what its server sends, holds what a client would hold, and tells exactly those whose
/// nodes changed.
///
/// ```swift
/// let view = LiveViewCoordinator(id: "main")
/// try view.mount(Array(#"{"s":["<p>Count: ","</p>"],"0":"1"}"#.utf8), dialect: .html)
/// let record = try view.update(Array(#"{"0":"2"}"#.utf8))
/// print(record.changeSet.changes.count, record.notified)   // 1 [2]
/// ```
///
/// Updates come one at a time, in the order of their calls; reading is possible at any moment and sees whole versions
/// only. Subscribers are called on the updating thread, when the new version can be read. They may read, subscribe and
/// cancel. An update of this view from inside of one is refused; ``enqueue(_:then:)`` makes it when all have been told.
/// One of another view is made at once unless a third is just updating that view, since two threads that wait in their
/// subscribers could wait for each other.
public final class LiveViewCoordinator: NodeCoordinator {
  public let id: String
  public let options: UpdateOptions
  /// Who listens to which node.
  public let publishers = NodePublishers()

  /// The epoch of the last mount under this id before it was made, 0 where there was none.
  let epochBefore: Int
  /// Held for a whole update, publishing included.
  private let turn = UpdateTurn()
  let held: Guarded<Held>
  /// The views of the page; `nil` for those of its dialect.
  private let registry: ViewRegistry?
  let listener: (any LogListener)?
  private let clock: WallClock
  /// What is shown of it, if anything is.
  private let shown = Guarded<MirrorPage?>(nil)
  /// One that nobody uses; `nil` while somebody does.
  private let decoder = Guarded<WireDecoder?>(nil)
  /// See ``pageMemory``.
  let measuredMemory = Atomic<Int>(0)

  /// - Parameters:
  ///   - id: its name in records and in the log.
  ///   - options: how it is updated, and whether its page is drawn.
  ///   - limits: how many versions, and how many bytes of log are kept.
  ///   - registry: which view shows which element of the ``page``, in whatever dialect. Without one it is
  ///     `ViewRegistry.standard(for:)`.
  public convenience init(
    id: String, options: UpdateOptions = UpdateOptions(), limits: MirrorLimits = MirrorLimits(),
    registry: ViewRegistry? = nil
  ) {
    self.init(
      id: id, options: options, bounds: limits.bounds(ofEach: 1), after: 0, registry: registry, listener: nil)
  }

  /// - Parameters:
  ///   - epoch: that of the last mount under this id, 0 where there was none.
  ///   - join: the join that the client pushed, if one is known.
  init(
    id: String, options: UpdateOptions, bounds: LogBounds, after epoch: Int, join: TopicJoin? = nil,
    registry: ViewRegistry?, listener: (any LogListener)?, clock: WallClock = .system
  ) {
    self.id = id
    self.options = options
    self.registry = registry
    self.listener = listener
    self.clock = clock
    epochBefore = epoch
    held = Guarded(Held(bounds: bounds, lastEpoch: epoch, join: join))
  }

  // MARK: - Feeding

  /// Mounts the view, or mounts it anew: the epoch grows by one, every publisher finishes, nodes get new names.
  ///
  /// - Parameters:
  ///   - body: a Rendered as JSON, `{"rendered": …}`, or the frame of a join's reply.
  ///   - dialect: how its markup is read.
  /// - Throws: ``UpdateError``; the view is then as before.
  @discardableResult
  public func mount(_ body: [UInt8], dialect: Dialect) throws(UpdateError) -> ChangeRecord {
    try mount(body, dialect: dialect, container: nil)
  }

  /// Mounts the view over what its element held.
  ///
  /// - Parameter container: `nil` where the feed does not say: ``ContainerContent/dead`` at the first mount, and
  ///   ``ContainerContent/empty`` at each later one.
  @discardableResult
  package func mount(
    _ body: [UInt8], dialect: Dialect, container: ContainerContent?
  ) throws(UpdateError) -> ChangeRecord {
    let (message, time) = decoded(body, isMount: true)
    return try inTurn { () throws(UpdateError) in
      try self.mount(self.readable(message, from: body), dialect: dialect, container: container, decoding: time)
    }
  }

  /// Applies one diff.
  ///
  /// - Parameter body: a diff as JSON, `{"diff": …}`, or the frame of a `diff` or `phx_reply`.
  /// - Throws: ``UpdateError``; the view is then as before, and what did not fit stands in its log. A frame of an earlier
  ///   join is refused, and does not stand there.
  @discardableResult
  public func update(_ body: [UInt8]) throws(UpdateError) -> ChangeRecord {
    let (message, time) = decoded(body, isMount: false)
    return try inTurn { () throws(UpdateError) in
      let message = try self.readable(message, from: body)
      try self.held.withLock { $0.join }?.check(message)
      return try self.update(message, decoding: time)
    }
  }

  /// Applies one diff when the publication that runs on this thread has ended; at once where none runs. The way for a
  /// subscriber to update the view that calls it.
  ///
  /// - Parameters:
  ///   - body: as for ``update(_:)``.
  ///   - then: called with what came of it, on this thread.
  public func enqueue(_ body: [UInt8], then: (@Sendable (Result<ChangeRecord, UpdateError>) -> Void)? = nil) {
    do throws(PublicationCycle) {
      try Publication.afterwards("update of \(id)") {
        let result = Result { () throws(UpdateError) in try self.update(body) }
        then?(result)
      }
    } catch {
      then?(.failure(UpdateError(.endless, reason: error.description)))
    }
  }

  /// Applies a message that was decoded elsewhere. Messages without an update give `nil`. The client's push of a join makes
  /// that the current one at once.
  ///
  /// - Parameter container: what the view's element held, for a mount; `nil` where the feed does not say.
  package func receive(
    _ message: WireMessage, dialect: Dialect, container: ContainerContent? = nil
  ) throws(UpdateError) -> ChangeRecord? {
    try inTurn { () throws(UpdateError) in
      if message.joinRef != nil { try self.held.withLock { $0.join }?.check(message) }
      switch message.content {
      case .join(let push):
        if let ref = message.joinRef { self.held.withLock { $0.join = TopicJoin(pushed: ref, push) } }
        return nil
      case .rendered: return try self.mount(message, dialect: dialect, container: container, decoding: 0)
      case .diff: return try self.update(message, decoding: 0)
      case .destroyed(let components):
        self.destroy(components)
        return nil
      case .other(let event):
        if event == "phx_close", let ref = message.joinRef { self.close(join: ref) }
        return nil
      }
    }
  }

  // MARK: - Reading

  /// One moment of the view; `nil` until it is mounted.
  package var view: ViewState? { held.withLock { $0.view } }

  /// The views of the page, and the dialect that they are for.
  package var mirrorPage: MirrorPage? { shown.withLock { $0 } }

  /// The views of the page; `nil` until the view is mounted, and where no page is drawn, see
  /// ``UpdateOptions/drawsPage``.
  ///
  /// Every update evaluates those that it concerns, and says so in its ``ChangeRecord/isolation``; what they note as problems
  /// moves into its ``ChangeRecord/diagnostics``, what they noted while they were drawn with it. The same tree
  /// stays while the dialect does, also over a remount. It does not hold this view, and is empty once that is gone.
  public var page: ViewTree? { mirrorPage?.tree }

  public var isMounted: Bool { held.withLock { $0.view != nil } }
  /// The document that a client holds now.
  public var document: Document? { held.withLock { $0.view?.document } }

  public func reading<Result>(_ body: (Document) -> Result) -> Result? {
    held.withLock { $0.view?.reading(body) }
  }

  public var log: ChangeLog { held.withLock { $0.view?.log } ?? ChangeLog() }

  // MARK: - Taking turns

  /// Beside the update that has the turn, and beside others that decode: it has nothing to do with what is held, and
  /// nobody waits for it.
  private func decoded(_ body: [UInt8], isMount: Bool) -> (message: Result<WireMessage, WireError>, time: Int) {
    let idle = decoder.withLock { idle in
      defer { idle = nil }
      return idle
    }
    let wire = idle ?? WireDecoder()
    defer { decoder.withLock { $0 = wire } }
    var watch = Stopwatch()
    do throws(WireError) {
      let message = try wire.update(body, isMount: isMount)
      return (.success(message), watch.lap())
    } catch {
      return (.failure(error), watch.lap())
    }
  }

  /// What cannot be read is noted in turn.
  private func readable(
    _ message: Result<WireMessage, WireError>, from body: [UInt8]
  ) throws(UpdateError) -> WireMessage {
    switch message {
    case .success(let message): return message
    case .failure(let error): throw noted(UpdateError(error), input: body)
    }
  }

  func inTurn<Result>(_ body: () throws(UpdateError) -> Result) throws(UpdateError) -> Result {
    try turn.take(orElse: refusal, body)
  }

  private func refusal(_ refusal: UpdateTurn.Refusal) -> UpdateError {
    switch refusal {
    case .ownDelivery:
      UpdateError(
        .calledBySubscriber,
        reason: "a subscriber cannot update the view that is calling it: enqueue the diff, or do it after it returns")
    case .busy:
      UpdateError(
        .calledBySubscriber,
        reason: "a subscriber cannot wait for the view \(id), which another thread is updating: enqueue the diff")
    }
  }

  private func mount(
    _ message: WireMessage, dialect: Dialect, container: ContainerContent?, decoding: Int
  ) throws(UpdateError) -> ChangeRecord {
    let (epoch, previous, join) = held.withLock { ($0.lastEpoch + 1, $0.view?.document, $0.join) }
    let memory = held.withLock { $0.view?.memory } ?? 0
    let reportedKeys = held.withLock { $0.view?.reportedKeys } ?? ReportedKeys()
    let pushed = join.flatMap { $0.ref == message.joinRef ? $0.container : nil }
    do throws(UpdateError) {
      let mounted = try ViewState(
        id, epoch: epoch, dialect: dialect, mounting: message,
        over: ContainerContent(stated: pushed ?? container, isMounted: previous != nil), keeping: previous,
        beside: memory,
        reportedKeys: reportedKeys, publishers: publishers, options: options, clock: clock, decoding: decoding)
      try held.withLock { held throws(UpdateError) in
        if held.removal != nil { throw removed }
        held.view = mounted
        held.view?.bounds = held.bounds
        held.lastEpoch = epoch
        held.lastUpdate = Stopwatch.now
        // The frames that follow a mount without a frame may be of any join.
        held.join = message.joinRef.map { TopicJoin(mounted: $0, after: join) }
      }
      showPage(in: dialect)
      guard let record = mounted.log.record(of: 0) else {
        throw UpdateError(.unknownView, reason: "nothing was mounted")
      }
      return publish(record, on: mirrorPage)
    } catch {
      throw noted(error, input: message.json.text.utf8)
    }
  }

  private func update(_ message: WireMessage, decoding: Int) throws(UpdateError) -> ChangeRecord {
    let page = mirrorPage
    do throws(UpdateError) {
      switch try updateScoped(message, decoding: decoding, on: page) {
      case .success(let record): return publish(record, on: page)
      case .failure(let detour):
        let record = try updateFully(message, decoding: decoding, because: detour, on: page)
        return publish(record, on: page)
      }
    } catch {
      throw noted(error, input: message.json.text.utf8)
    }
  }

  /// A scoped update is as short as its diff, and done in place while nobody reads.
  ///
  /// - Returns: the record of the update, or why the full path has to be taken.
  private func updateScoped(
    _ message: WireMessage, decoding: Int, on page: MirrorPage?
  ) throws(UpdateError) -> Result<ChangeRecord, FullPath> {
    if options.pipeline == .full { return .failure(FullPath("the pipeline was chosen at the start")) }
    return try committing(on: page) { held throws(UpdateError) in
      if held.removal != nil { throw removed }
      guard let result = try held.view?.updateScoped(message, decoding: decoding) else { throw unmounted }
      return result
    }
  }

  /// What the whole page takes is computed beside those who read, and put in place at once.
  private func updateFully(
    _ message: WireMessage, decoding: Int, because detour: FullPath, on page: MirrorPage?
  ) throws(UpdateError) -> ChangeRecord {
    guard let view else { throw unmounted }
    let (update, result) = try view.prepare(
      message, decoding: decoding, because: detour.reason, merged: detour.merged)
    let committed = try committing(on: page) { held throws(UpdateError) in
      if held.removal != nil { throw removed }
      guard let record = held.view?.commit(update, result) else { throw unmounted }
      return .success(record)
    }
    guard case .success(let record) = committed else { throw unmounted }
    return record
  }

  /// Puts a version in place. Nobody draws the page meanwhile: see ``ViewTree/expect(_:in:)``.
  private func committing(
    on page: MirrorPage?, _ commit: (inout Held) throws(UpdateError) -> Result<ChangeRecord, FullPath>
  ) throws(UpdateError) -> Result<ChangeRecord, FullPath> {
    guard let tree = page?.tree else {
      return try held.withLock { held throws(UpdateError) in
        let result = try commit(&held)
        if case .success = result { held.lastUpdate = Stopwatch.now }
        return result
      }
    }
    return try tree.locked { () throws(UpdateError) in
      try held.withLock { held throws(UpdateError) in
        let result = try commit(&held)
        if case .success(let record) = result {
          held.lastUpdate = Stopwatch.now
          held.view?.reading { tree.expect(record.notified, in: $0) }
        }
        return result
      }
    }
  }

  private var unmounted: UpdateError { UpdateError(.unknownView, reason: "the view \(id) is not mounted") }
  private var removed: UpdateError { UpdateError(.unknownView, reason: "the view \(id) was removed meanwhile") }

  private func close(join ref: String) {
    held.withLock { if $0.join?.ref == ref { $0.join?.state = .closed } }
  }

  /// Drops components that the server says are gone. One that the page still shows stays: without it the view could
  /// not be rendered any more.
  private func destroy(_ components: [Int]) {
    held.withLock { held in
      // What is not there cannot go: so the list of what went is never longer than what came.
      guard let gone = held.view?.notShown(components).filter({ held.view?.rendered.components[$0] != nil }),
        !gone.isEmpty, held.removal == nil
      else { return }
      held.view?.rendered.removeComponents(gone)
      held.view?.history.append(.destroyed(gone))
    }
  }

  /// In turn, which is a publication: what is put off runs when that ends.
  private func publish(_ update: consuming ChangeRecord, on page: MirrorPage?) -> ChangeRecord {
    var (watch, record) = (Stopwatch(), update)
    var problems: [DocumentDiagnostic] = []
    publishers.publish(
      record.changeSet, notified: record.notified, replacing: record.version == 0 ? record.epoch : nil)
    record.timings.publish += watch.lap()
    if let page {
      // A page that was just mounted is drawn when somebody looks at it.
      let evaluations = record.version == 0 ? [] : page.tree.settle(record.changeSet)
      record.isolation.views = IsolationReport.Views(evaluations: evaluations)
      problems = page.takeDiagnostics(for: record)
      if !problems.isEmpty { record.diagnostics += problems }
      record.timings.views = watch.lap()
    }
    let drawn = page?.tree.drawnViews ?? 0
    held.withLock { held in
      held.view?.log.complete(record, problems: problems)
      held.lastUpdate = watch.last
      held.published = ChangeLog.Place(epoch: record.epoch, cursor: ChangeLog.Cursor(version: record.version))
      held.evictedEntries += held.view?.trimLog() ?? 0
      measuredMemory.store((held.view?.memory ?? 0) + drawn * Self.memoryOfDrawnView, ordering: .relaxed)
    }
    listener?.wrote(.applied(record), at: ChangeLog.Cursor(version: record.version), of: id)
    return record
  }

  /// A page of another dialect has other views.
  private func showPage(in dialect: Dialect) {
    guard options.drawsPage, mirrorPage?.dialect != dialect else { return }
    let page = MirrorPage(of: self, dialect: dialect, registry: registry ?? .standard(for: dialect))
    shown.withLock { $0 = page }
  }

  /// What did not fit is written into the log, if there is one.
  private func noted(_ error: UpdateError, input: some Collection<UInt8>) -> UpdateError {
    guard error.kind == .unfitting else { return error }
    let entry = held.withLock { held -> (Rejection, ChangeLog.Cursor)? in
      guard let view = held.view, held.removal == nil else { return nil }
      let rejection = Rejection(
        view: id, epoch: view.epoch, version: view.version, at: clock.now(), bytes: input.count, error: error,
        input: String(decoding: input.prefix(Rejection.longestInput), as: UTF8.self))
      let cursor = held.view?.log.append(rejection)
      held.evictedEntries += held.view?.trimLog() ?? 0
      if let cursor { held.published = ChangeLog.Place(epoch: view.epoch, cursor: cursor) }
      return cursor.map { (rejection, $0) }
    }
    if let (rejection, cursor) = entry { listener?.wrote(.rejected(rejection), at: cursor, of: id) }
    return error
  }
}
