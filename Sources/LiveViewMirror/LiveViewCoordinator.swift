public import MarkupDocument
internal import MirrorSupport
public import MirrorViews
public import NodeObservation
package import RenderedTree
internal import Synchronization

/// One mirrored LiveView. It receives the messages of a LiveView's server, holds the document that
/// a client would hold, and notifies exactly the subscribers of the nodes that changed.
///
/// ```swift
/// let view = LiveViewCoordinator(id: "main")
/// try view.mount(Array(#"{"s":["<p>Count: ","</p>"],"0":"1"}"#.utf8), dialect: .html)
/// let record = try view.update(Array(#"{"0":"2"}"#.utf8))
/// print(record.changeSet.changes.count, record.notified)   // 1 [2]
/// ```
///
/// ``LiveViews`` makes one for each view. Programs and tests can also make one without
/// ``LiveViews``.
///
/// Updates run one at a time. The view can be read at any time; a reader only sees complete
/// versions.
///
/// Subscribers are called on the updating thread, after the new version can be read. They may read,
/// subscribe and cancel. A subscriber cannot update the view that is calling it:
/// ``enqueue(_:then:)`` applies the update after all subscribers have been notified. A subscriber
/// can update another view, unless another thread is updating that view: two threads that wait for
/// each other in their subscribers would deadlock.
public final class LiveViewCoordinator: NodeCoordinator {
  /// The id of the view.
  public let id: String
  /// How the view is updated.
  public let options: UpdateOptions
  /// The publishers of the nodes, with their subscribers.
  public let publishers = NodePublishers()

  /// The epoch of the last mount of an earlier view with this id; 0 if there was none. The epochs
  /// of this view continue from it.
  let epochBefore: Int
  /// Each update holds it from its start until all subscribers have been notified.
  private let turn = UpdateTurn()
  let state: Guarded<State>
  /// The last entry of which the listener was notified. It has a lock of its own, so that the
  /// journal's thread can change it without waiting for the lock of ``state``.
  let publishedEntry = Guarded(PublishedEntry())
  let drawing: PageDrawing
  private let decoders: DecoderPool
  let listener: (any LogListener)?
  let clock: WallClock
  /// While an entry of the journal is applied, this makes ``clock`` return the time of that entry.
  let replayed: ReplayClock
  /// Removes secrets from the values of events.
  let filter: ParameterFilter
  /// The memory that the logs of all views share; `nil` for a view on its own.
  let logBudget: MemoryBudget?
  let accounts: MemoryAccounts
  /// The journal to which the view writes its changes; `nil` without one.
  let journal: ViewJournal?
  /// When the view was last used, in nanoseconds of ``MonotonicTime``.
  let lastUse = Atomic<Int64>(0)
  /// Above 0 if another mirror has changed the view lately: this mirror then reads the shared
  /// journal before it applies a diff. Each change that this mirror makes subtracts 1. Changed
  /// under the lock of the state.
  let caution = Atomic<Int>(0)

  /// Creates a view that is not mounted yet.
  ///
  /// - Parameters:
  ///   - id: the id of the view in records and in the log.
  ///   - options: how the view is updated, and whether its page is drawn.
  ///   - limits: how many versions and how many bytes of log are kept.
  ///   - registry: the views that show the elements of the ``page``, in any dialect; `nil` for
  ///     `ViewRegistry.standard(for:)`.
  public convenience init(
    id: String, options: UpdateOptions = UpdateOptions(), limits: MirrorLimits = MirrorLimits(),
    registry: ViewRegistry? = nil
  ) {
    self.init(
      id: id, options: options, bounds: limits.bounds, epochBounds: limits.epochBounds, registry: registry,
      listener: nil)
  }

  /// - Parameters:
  ///   - budgets: the memory that the logs and the pages of all views share; `nil` for a view on
  ///     its own.
  ///   - decoders: those of the mirror; by default the view has its own.
  ///   - end: the epoch and the revision that the last view under this id had reached.
  ///   - join: the join that the client pushed, if it is known.
  init(
    id: String, options: UpdateOptions, bounds: LogBounds, epochBounds: EpochBounds = EpochBounds(),
    budgets: (logs: MemoryBudget, pages: MemoryBudget)? = nil, decoders: DecoderPool = DecoderPool(),
    after end: ViewEnd = ViewEnd(), join: TopicJoin? = nil, registry: ViewRegistry?, listener: (any LogListener)?,
    clock: WallClock = .system, journal: Journal? = nil
  ) {
    self.id = id
    self.decoders = decoders
    self.journal = journal.map { ViewJournal(of: id, in: $0) }
    self.options = options
    self.listener = listener
    let replayed = ReplayClock()
    self.replayed = replayed
    self.clock = journal == nil ? clock : replayed.clock(for: clock)
    filter = ParameterFilter(names: options.filteredParameters)
    epochBefore = end.epoch
    drawing = PageDrawing(isEnabled: options.drawsPage, registry: registry)
    logBudget = budgets?.logs
    accounts = MemoryAccounts(log: MemoryAccount(in: budgets?.logs), page: MemoryAccount(in: budgets?.pages))
    state = Guarded(
      State(
        bounds: bounds, epochBounds: epochBounds, accounts: accounts, after: end, join: join, published: publishedEntry
      ))
  }

  // MARK: - Feeding

  /// Mounts or remounts the view: the epoch grows by one, all publishers finish, and all nodes are
  /// new. The state of the previous epoch is kept for readers (`EndedEpochs`).
  ///
  /// - Parameters:
  ///   - body: a Rendered as JSON, `{"rendered": …}`, or the frame of a join's reply.
  ///   - dialect: the dialect of the markup.
  /// - Returns: the record of version 0.
  /// - Throws: ``UpdateError``; the view is then unchanged.
  @discardableResult
  public func mount(_ body: [UInt8], dialect: Dialect) throws(UpdateError) -> ChangeRecord {
    try mount(body, dialect: dialect, container: nil)
  }

  /// Mounts the view over the previous content of its element.
  ///
  /// - Parameters:
  ///   - container: the content; `nil` if the feed does not state it. The content is then taken to
  ///     be ``ContainerContent/dead`` for the first mount, and ``ContainerContent/empty`` for later
  ///     mounts.
  ///   - client: the version of LiveView's client in the page; `nil` if the feed does not state it.
  @discardableResult
  package func mount(
    _ body: [UInt8], dialect: Dialect, container: ContainerContent?, client: String? = nil,
    receipts: JournalReceipts? = nil
  ) throws(UpdateError) -> ChangeRecord {
    let input = decoders.decode(body, isMount: true)
    return try inTurn(collecting: receipts) { () throws(UpdateError) in
      try self.process(input) { message throws(UpdateError) in
        var message = message
        message.clientVersion = client ?? message.clientVersion
        return try self.mount(message, dialect: dialect, container: container, decoding: input.microseconds)
      }
    }
  }

  /// Applies one diff.
  ///
  /// - Parameter body: a diff as JSON, `{"diff": …}`, or the frame of a `diff` or `phx_reply`.
  /// - Returns: the record of the new version.
  /// - Throws: ``UpdateError``; the view is then unchanged. The log gets an entry for an input that
  ///   does not fit, but not for a frame of another join.
  @discardableResult
  public func update(_ body: [UInt8]) throws(UpdateError) -> ChangeRecord { try update(body, receipts: nil) }

  /// - Parameter receipts: gets the items that must be written before the result is final; `nil` to
  ///   wait for them.
  package func update(_ body: [UInt8], receipts: JournalReceipts?) throws(UpdateError) -> ChangeRecord {
    let input = decoders.decode(body, isMount: false)
    return try inTurn(collecting: receipts) { () throws(UpdateError) in
      try self.process(input) { message throws(UpdateError) in
        try self.state.withLock { $0.join }?.check(message)
        return try self.apply(message, decoding: input.microseconds)
      }
    }
  }

  /// Applies one diff. If this thread is publishing an update, the diff is applied when all
  /// subscribers of that update have been notified. A subscriber calls this to update the view that
  /// is calling it.
  ///
  /// - Parameters:
  ///   - body: as for ``update(_:)``.
  ///   - then: called with the result, on this thread.
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

  /// The record of a message (`nil` for a message without an update), and whether the message was
  /// new to the view.
  typealias Reception = (record: ChangeRecord?, isNew: Bool)

  /// Applies a message that is already decoded. If the message is the client's push of a join, that
  /// join becomes the current one at once, before the server's reply.
  ///
  /// - Parameter container: the content of the view's element, for a mount; `nil` if the feed does
  ///   not state it.
  /// - Returns: the record; `nil` for a message without an update.
  package func receive(
    _ message: WireMessage, dialect: Dialect, container: ContainerContent? = nil
  ) throws(UpdateError) -> ChangeRecord? {
    try receive(message, dialect: dialect, container: container, arrival: .now, frames: nil, receipts: nil).record
  }

  /// - Parameters:
  ///   - arrival: when the input arrived that contains the message.
  ///   - frames: the number of frames of the page up to this one; `nil` if the feed does not count
  ///     them. A frame that the view has received before is ignored.
  ///   - receipts: gets what must be written before the result is final; `nil` to wait for it.
  func receive(
    _ message: WireMessage, dialect: Dialect, container: ContainerContent?, arrival: MonotonicTime, frames: Int?,
    receipts: JournalReceipts?
  ) throws(UpdateError) -> Reception {
    try inTurn(collecting: receipts) { () throws(UpdateError) in
      guard self.state.withLock({ $0.progress.receive(frame: frames) }) else { return (nil, isNew: false) }
      let record = try self.process(DecodedInput(message)) { message throws(UpdateError) in
        try self.dispatch(message, dialect: dialect, container: container, arrival: arrival)
      }
      return (record, isNew: true)
    }
  }

  /// Makes a join the current one, and writes it to the journal.
  private func start(_ join: TopicJoin) {
    state.withLock { state in
      state.begin(join)
      writeRow(of: &state)
    }
  }

  /// Makes a join the current one. The client has pushed the join before the view existed.
  func begin(_ join: TopicJoin) throws(UpdateError) { try inTurn { self.start(join) } }

  /// Applies one message by its kind. Called within a turn (``inTurn(collecting:_:)``).
  private func dispatch(
    _ message: WireMessage, dialect: Dialect, container: ContainerContent?, arrival: MonotonicTime
  ) throws(UpdateError) -> ChangeRecord? {
    if message.joinRef != nil { try state.withLock { $0.join }?.check(message) }
    switch message.content {
    case .join(let push):
      if let ref = message.joinRef { start(TopicJoin(pushed: ref, push)) }
      return nil
    case .event(let event):
      if let ref = message.ref { expectReply(to: event, ref, at: FrameTime(stated: message.at, arrival: arrival)) }
      return nil
    case .rendered:
      let join = state.withLock { $0.join }
      // A dialect that the input states takes precedence: an export states the dialect of the
      // mirror that wrote it.
      let requested = message.dialect == nil && join?.ref == message.joinRef ? join?.dialect : nil
      return try mount(message, dialect: requested ?? dialect, container: container, decoding: message.microseconds)
    case .diff: return try apply(message, decoding: message.microseconds, arrival: arrival)
    case .destroyed(let components):
      state.withLock { state in
        guard state.removal == nil else { return }
        state.view?.destroy(components)
        state.countMemory()
        write(.destroyed(components), memory: 0, in: &state)
      }
      return nil
    case .refused: return nil
    case .other(let event):
      // An empty reply: the event has changed nothing.
      if event == "phx_reply", let cause = cause(of: message, arrival: arrival) {
        state.withLock { writeRow(of: &$0) }
        listener?.answered(cause, of: id)
        journal?.journal.send(.answered(cause, view: id))
      }
      if event == "phx_error" {
        listener?.crashed(id)
        journal?.journal.send(.crashed(view: id))
      }
      if event == "phx_close", let ref = message.joinRef {
        state.withLock { state in
          state.close(join: ref)
          writeRow(of: &state)
        }
      }
      return nil
    }
  }

  // MARK: - Reading

  /// A snapshot of the view in its current epoch; `nil` until it is mounted.
  package var view: ViewState? { state.withLock { $0.readableView } }

  /// The views of the page, with their dialect.
  package var drawnPage: DrawnPage? { drawing.page }

  /// The views of the page; `nil` until the view is mounted, and if no page is drawn (see
  /// ``UpdateOptions/drawsPage``).
  ///
  /// Each update evaluates the views that it concerns, and reports this in
  /// ``ChangeRecord/isolation``. Problems that views have noted, in an evaluation or while they
  /// were drawn before it, are added to ``ChangeRecord/diagnostics``. The tree stays the same
  /// object until the dialect changes, also over a remount. The tree does not retain the
  /// coordinator. When the coordinator is deallocated, the tree becomes empty.
  public var page: ViewTree? { drawnPage?.tree }

  /// Whether the view is mounted.
  public var isMounted: Bool { state.withLock { $0.view != nil } }
  /// The document that a client holds now; `nil` until the view is mounted.
  public var document: Document? { state.withLock { $0.view?.document } }

  /// Reads the document in place, under the lock of the view's state.
  ///
  /// - Returns: the result of `body`; `nil` until the view is mounted.
  public func reading<Result>(_ body: (Document) -> Result) -> Result? {
    state.withLock { $0.view?.reading(body) }
  }

  /// The log of the current epoch; empty until the view is mounted.
  public var log: ChangeLog { state.withLock { $0.view?.log } ?? ChangeLog() }

  // MARK: - Taking turns

  /// Runs `body` while no other update of the view runs. Every change that a feed makes is within a
  /// turn.
  ///
  /// - Parameter receipts: gets the items that the turn has written to the journal; `nil` to wait
  ///   for them after the turn.
  /// - Throws: the error of `body`, or an error because the journal could not write the items of
  ///   the turn.
  func inTurn<Result>(
    collecting receipts: JournalReceipts? = nil, _ body: () throws(UpdateError) -> Result
  ) throws(UpdateError) -> Result {
    if journal == nil { return try turn.take(orElse: refusal, body) }
    var tickets: [Journal.Ticket] = []
    var failure: UpdateError?
    let result = try turn.take(orElse: refusal) { () throws(UpdateError) -> Result? in
      defer { tickets = state.withLock { $0.progress.takeTickets() } }
      do throws(UpdateError) { return try body() } catch {
        failure = error
        return nil
      }
    }
    try settle(tickets, receipts)
    if let failure { throw failure }
    guard let result else { throw UpdateError(.notKept, reason: "the update of \(id) has no result") }
    return result
  }

  /// The error for an update that cannot have its turn, because the caller is a subscriber.
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
}
