internal import MirrorSupport

/// Writes the changes of views and pages to a store, in order, so that they exist again after a
/// restart. `serve --journal` makes one and stops it at the end. ``LiveViews`` and its views add
/// items.
///
///     update of a view ──▶ add ──▶ queue ──▶ thread: one transaction for all that is queued ──▶ listener, answer
///
/// A view adds its entries under the lock of its state, so the queue has them in the order of the
/// view. While a transaction is being written, the next entries gather: so the cost of a
/// transaction is shared by all updates that wait for it (group commit). A caller of `add` may hold
/// the lock of the directory or of a view. Listeners, waiters and functions for written items are
/// called without a lock, so they may take the locks of the directory and of views.
///
/// An update that is committed in memory is answered, and its event is sent, only when its entry
/// was written. If a write fails, the views of its entries, and of all entries after them, are
/// *cut*: these views are ahead of the store, so they are discarded and loaded again from it. Until
/// the store accepts writes again, ``check()`` refuses new input, and items that are added are lost
/// as well.
///
/// If several mirrors share the store, a view is also cut when another mirror has changed it first.
/// Then the store has the changes of that mirror, and the updates of this one are applied again, to
/// the view as it is loaded from the store.
package final class Journal: Sendable {
  /// A view whose state in memory is ahead of the store. `removal` is the reason of a removal that
  /// was not written, and `nil` if the view was not being removed.
  typealias CutView = (id: String, removal: RemovalReason?)

  /// The place of an item in the order of the journal.
  package typealias Ticket = Int

  /// One change to be written.
  struct Item: Sendable {
    enum Content: Sendable {
      /// `row` and `revision` are those after `entry`.
      case view(ViewJournal, entry: JournalEntry?, row: JournalRow, revision: Int)
      case snapshot(ViewJournal, StoredView.Snapshot)
      /// A view was removed. Its row remembers its last epoch.
      case removal(of: String, JournalRow, revision: Int)
      /// A row about a page or about the channel of a view; `nil` deletes the row.
      case page(PageRowKey, [UInt8]?)
      /// A message to all other mirrors.
      case message(MirrorMessage)
    }

    let content: Content
    let ticket: Ticket
    /// Called on the journal's thread when the item was written.
    let then: (@Sendable () -> Void)?

    var view: ViewJournal? {
      switch content {
      case .view(let view, _, _, _), .snapshot(let view, _): view
      case .removal, .page, .message: nil
      }
    }

    /// Whether the item removes a view at the request of a caller. If another mirror prevents the
    /// removal, the item is added again.
    var isDeletion: Bool {
      if case .removal(_, let row, _) = content { row.removal == .deleted } else { false }
    }

    /// The id of the view that the item changes or removes.
    var viewID: String? {
      if case .removal(let id, _, _) = content { id } else { view?.id }
    }
  }

  package let store: any JournalStore
  /// Whether other mirrors may use the store.
  let isShared: Bool
  private let state = Guarded(State())
  /// The functions of ``notify(whenCut:whenRecovered:)`` and ``whenChanged(_:)``. Set before the
  /// first input.
  private struct Listeners: Sendable {
    var cut: @Sendable ([CutView], JournalError) throws(JournalError) -> Void = { _, _ in }
    var recovered: @Sendable () throws(JournalError) -> Void = {}
    var changed: @Sendable (JournalError?) -> Void = { _ in }
  }

  private let listeners = Guarded(Listeners())

  /// The maximum number of items of a transaction.
  private static let longestGroup = 4_096
  /// The maximum number of times to wait for a removal that other mirrors prevent.
  private static let mostRepetitions = 100
  /// The time between attempts while the store accepts no writes.
  private static let retry = Duration.milliseconds(500)

  /// - Throws: if the system cannot create a thread.
  package init(_ store: any JournalStore) throws(JournalError) {
    self.store = store
    isShared = store is any SharedJournalStore
    guard let thread = WorkerThread({ [weak self] in Self.run { self } }) else {
      throw JournalError(.unavailable, "the system creates no thread for the journal")
    }
    thread.detach()
  }

  /// - Parameters:
  ///   - cut: called on the journal's thread with the views that were cut, and those whose removal
  ///     was not written, and with the reason. Throws if a view could not be read.
  ///   - recovered: called on the journal's thread when the store accepts writes again, before new
  ///     input is accepted.
  func notify(
    whenCut cut: @escaping @Sendable ([CutView], JournalError) throws(JournalError) -> Void,
    whenRecovered recovered: @escaping @Sendable () throws(JournalError) -> Void
  ) {
    listeners.withLock { ($0.cut, $0.recovered) = (cut, recovered) }
  }

  /// - Parameter body: called on the journal's thread with the reason when the store stops
  ///   accepting writes, and with `nil` when it accepts them again.
  package func whenChanged(_ body: @escaping @Sendable (JournalError?) -> Void) {
    listeners.withLock { $0.changed = body }
  }

  // MARK: - Adding

  /// Adds an item to the queue.
  ///
  /// - Parameter then: called on the journal's thread when the item was written, after the
  ///   functions of earlier items.
  /// - Complexity: O(1).
  @discardableResult
  func add(_ content: Item.Content, then: (@Sendable () -> Void)? = nil) -> Ticket {
    state.change { state in
      state.issued += 1
      let item = Item(content: content, ticket: state.issued, then: then)
      let cut = item.view?.cut
      if cut != nil || state.isStopped {
        state.recordLoss([state.issued...state.issued], because: state.failure ?? cut ?? Self.stopping)
      } else {
        state.queue.append(item)
      }
      return state.issued
    }
  }

  private static let stopping = JournalError(.unavailable, "the mirror is stopping")
  private static let outdated = JournalError(.outdated, "another mirror has changed the view first")

  // MARK: - Waiting

  /// Waits until an item was written. Must not be called on the journal's thread, which would wait
  /// for itself.
  ///
  /// - Throws: if the item was lost.
  package func wait(for ticket: Ticket) throws(JournalError) {
    var error: JournalError?
    while !state.wait(
      until: .now + .seconds(3_600),
      for: { state in
        error = state.error(of: ticket)
        return error != nil || state.settled >= ticket
      })
    {}
    if let error { throw error }
  }

  /// Calls `body` once, when items are written or lost: now, or later on the journal's thread.
  ///
  /// - Parameter body: gets the reason why an item was lost; `nil` if all were written.
  func whenSettled(_ tickets: [Ticket], _ body: @escaping @Sendable (JournalError?) -> Void) {
    call(Waiter(items: .tickets(tickets), body: body))
  }

  /// Calls `body` once, when all items between two tickets are written or lost.
  ///
  /// A removal that another mirror has prevented is added again, and waited for as well. Other
  /// items that another mirror has prevented are obsolete, so they do not count as lost here.
  ///
  /// - Parameters:
  ///   - ticket: the ticket after which items count.
  ///   - last: the ticket of the last item that counts; `nil` for the last one so far.
  ///   - body: gets the reason why an item was lost; `nil` if all were written.
  func whenFlushed(
    after ticket: Ticket, through last: Ticket? = nil, _ body: @escaping @Sendable (JournalError?) -> Void
  ) {
    whenFlushed(after: ticket, through: last ?? end, attempts: Self.mostRepetitions, body)
  }

  private func whenFlushed(
    after ticket: Ticket, through last: Ticket, attempts: Int, _ body: @escaping @Sendable (JournalError?) -> Void
  ) {
    call(
      Waiter(items: .all(after: ticket, through: last)) { [weak self] error in
        guard let self, let error, error.kind == .outdated, attempts > 1 else { return body(error) }
        whenFlushed(after: last, through: end, attempts: attempts - 1, body)
      })
  }

  /// Calls a waiter once its items are settled: at once, or later on the journal's thread.
  private func call(_ waiter: Waiter) {
    let isSettled = state.withLock { state in
      if state.isSettled(waiter) { return true }
      state.waiters.append(waiter)
      return false
    }
    if isSettled { waiter.body(state.withLock { $0.error(of: waiter) }) }
  }

  /// Calls the waiters whose items are settled.
  private func callWaiters() {
    let calls = state.withLock { $0.takeSettledWaiters() }
    for (waiter, error) in calls { waiter.body(error) }
  }

  /// The ticket up to which items are written or lost.
  var settled: Ticket { state.withLock { $0.settled } }

  /// The ticket of the last item.
  var end: Ticket { state.withLock { $0.issued } }

  /// Waits until everything that was added so far was written or lost.
  func drain() { drain(through: end) }

  /// Waits until all items up to one were written or lost.
  func drain(through ticket: Ticket) {
    while !state.wait(until: .now + .seconds(3_600), for: { $0.isSettled(through: ticket) }) {}
  }

  /// Waits until everything that was added so far was written. See
  /// ``whenFlushed(after:through:_:)``.
  ///
  /// - Parameter ticket: the ticket after which items count.
  /// - Throws: if one of them was not written.
  package func flush(after ticket: Ticket = 0) throws(JournalError) {
    let result = Guarded<Result<Void, JournalError>?>(nil)
    whenFlushed(after: ticket) { error in result.change { $0 = error.map { .failure($0) } ?? .success(()) } }
    while !result.wait(until: .now + .seconds(3_600), for: { $0 != nil }) {}
    try result.current?.get()
  }

  /// Checks whether new input may be accepted.
  ///
  /// - Throws: the reason why not.
  package func check() throws(JournalError) { if let failure { throw failure } }

  /// The reason why the store accepts no writes; `nil` while it does.
  package var failure: JournalError? { state.withLock { $0.failure } }

  /// Notes that the store could not be read. The journal's thread then checks whether the store
  /// accepts writes.
  func doubt() { state.change { $0.isDoubtful = true } }

  /// Writes the queue, ends the thread, and closes the store. Later items are lost.
  package func stop() {
    state.change { $0.isStopping = true }
    while !state.wait(until: .now + .seconds(60), for: { $0.isStopped }) {}
    store.close()
  }

  // MARK: - The thread

  private static func run(_ journal: () -> Journal?) {
    // The thread holds the journal only while it works, so that an abandoned journal is released.
    while let step = journal()?.step(), step {}
  }

  /// Writes the next group, if there is one within a second.
  ///
  /// - Returns: whether to continue.
  private func step() -> Bool {
    let isDown = failure != nil
    _ = state.wait(until: .now + (isDown ? Self.retry : .seconds(1))) { [isDown] state in
      state.isStopping || (!isDown && (state.isDoubtful || !state.queue.isEmpty))
    }
    if isDown || state.withLock({ $0.isDoubtful }), !recovers() { return !endsIfStopping() }
    let items = state.withLock { $0.takeGroup(atMost: Self.longestGroup) }
    if !items.isEmpty { write(items) }
    return !endsIfStopping()
  }

  /// If the journal is stopping and nothing more can be written, records the remaining items as
  /// lost and ends the thread.
  private func endsIfStopping() -> Bool {
    defer { callWaiters() }
    return state.change { state in
      guard state.isStopping, state.queue.isEmpty || state.failure != nil else { return false }
      let reason = state.failure ?? Self.stopping
      let (_, tickets) = state.cutAll(because: reason)
      state.recordLoss(tickets, because: reason)
      state.isStopped = true
      return true
    }
  }

  /// Writes a group, and then notifies: first the functions of the items, then cut views, then
  /// waiters.
  private func write(_ items: [Item]) {
    do throws(JournalError) {
      let outdated = try store.write(JournalGroup(items))
      // These functions are called before the waiters, so that an event is sent before the answer
      // to its diff, as by a mirror without a journal.
      for item in items where !outdated.contains(item.viewID ?? "") { item.then?() }
      let failure = outdated.isEmpty ? nil : cut(outdated)
      let calls = state.change { state in
        state.writing = []
        state.settled = items[items.count - 1].ticket
        return state.takeSettledWaiters()
      }
      for (waiter, error) in calls { waiter.body(error) }
      if let failure { fail(because: failure) }
    } catch {
      fail(because: error)
    }
  }

  /// Cuts the views that another mirror has changed, and loses their items.
  ///
  /// - Returns: the reason why a view could not be read; `nil` if none failed.
  private func cut(_ views: Set<String>) -> JournalError? {
    let (cut, losses) = state.change { $0.cut(views, because: Self.outdated) }
    // The views are dropped before the waiters are called, because the waiters apply their updates
    // again, to the views as they are in the store.
    do throws(JournalError) { try listeners.withLock { $0.cut }(cut, Self.outdated) } catch {
      record(losses.map { Loss(tickets: $0.tickets, error: error) })
      return error
    }
    record(losses)
    return nil
  }

  private func record(_ losses: [Loss]) {
    state.change { state in
      for loss in losses { state.recordLoss(loss) }
      state.isCutting = false
    }
  }

  /// Refuses new input, cuts the views of all items, and records these items as lost.
  private func fail(because error: JournalError) {
    let (isNew, (views, tickets)) = state.change { state in
      defer { state.failure = error }
      return (state.failure == nil, state.cutAll(because: error))
    }
    if isNew { listeners.withLock { $0.changed }(error) }
    // The views are dropped before the waiters are called: a reader after a 503 must see the views
    // as they are in the store.
    try? listeners.withLock { $0.cut }(views, error)
    state.change { $0.recordLoss(tickets, because: error) }
    callWaiters()
  }

  /// Checks whether the store accepts writes. After a failure, it also reads views and pages again
  /// before new input is accepted.
  private func recovers() -> Bool {
    do throws(JournalError) {
      try store.probe()
      state.change { $0.isDoubtful = false }
      guard let failure else { return true }
      repeat {
        // An input that was accepted before the failure may have added items since. They may be
        // based on changes that are lost.
        fail(because: failure)
        // `recovered` is called before new input is accepted, because new input must find the views
        // that could not be read during the failure.
        try listeners.withLock { $0.recovered }()
      } while !state.change { $0.endFailure() }
      listeners.withLock { $0.changed }(nil)
      return true
    } catch {
      state.change { $0.isDoubtful = false }
      fail(because: error)
      return false
    }
  }
}
