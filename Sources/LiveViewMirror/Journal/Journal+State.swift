extension Journal {
  /// A function that is called once, when some items are written or lost.
  struct Waiter: Sendable {
    enum Items: Sendable {
      case tickets([Ticket])
      case all(after: Ticket, through: Ticket)
    }

    var items: Items
    var body: @Sendable (JournalError?) -> Void
  }

  /// The items that wait to be written, and the fates of the last items. The journal has one behind
  /// its lock. The methods only change the state. The journal then notifies waiters and listeners
  /// without the lock.
  ///
  /// Tickets ascend: those of ``writing`` are above ``settled``, and those of ``queue`` above
  /// these, up to ``issued``. Each ticket is written or lost exactly once.
  struct State: Sendable {
    /// The waiters, in no particular order.
    var waiters: [Waiter] = []
    /// The items of the running transaction.
    var writing: [Item] = []
    /// The items that wait for the next transaction.
    var queue: [Item] = []
    /// The ticket of the last item.
    var issued = 0
    /// The items up to this ticket are written or lost.
    var settled = 0
    /// Items that were not written, the newest last.
    private var lost: [Loss] = []
    /// Whether items have left ``writing`` and ``queue`` but are not yet recorded as lost, because
    /// their views are being cut.
    var isCutting = false
    /// The reason why the store accepts no writes; `nil` while it does.
    var failure: JournalError?
    /// Whether to check the store although there is nothing to write, because a reading has failed.
    var isDoubtful = false
    var isStopping = false
    var isStopped = false
  }

  /// Items that were not written.
  struct Loss: Sendable {
    var tickets: [ClosedRange<Ticket>]
    var error: JournalError
    /// Whether these items are removals that another mirror has prevented. The listener for cuts
    /// adds them again (``Journal/Item/isDeletion``).
    var isRepeated = false
  }
}

extension Journal.State {
  /// Moves the first items of the queue to ``writing``.
  mutating func takeGroup(atMost count: Int) -> [Journal.Item] {
    if queue.count <= count {
      swap(&writing, &queue)
    } else {
      writing = Array(queue.prefix(count))
      queue.removeFirst(count)
    }
    return writing
  }

  /// Ends the failure, because the store accepts writes again, unless items were added meanwhile.
  ///
  /// - Returns: `false` if items were added. The caller must first record their loss.
  mutating func endFailure() -> Bool {
    if queue.isEmpty { failure = nil }
    return queue.isEmpty
  }

  /// Removes all items, and cuts their views: a cut view writes nothing more (``ViewJournal/cut``).
  /// The caller must call ``recordLoss(_:because:)`` next.
  ///
  /// - Returns: the ids of the views, and the tickets that are to be lost.
  mutating func cutAll(
    because error: JournalError
  ) -> (views: [Journal.CutView], tickets: Range<Journal.Ticket>) {
    let items = writing + queue
    (writing, queue) = ([], [])
    isCutting = true
    for item in items { item.view?.cut = error }
    return (Self.cutViews(items), settled + 1..<issued + 1)
  }

  /// Removes the items of some views, and cuts these views. The caller must next call
  /// ``recordLoss(_:)`` for each loss and reset ``isCutting``.
  ///
  /// - Returns: the views, and the items that are to be lost.
  mutating func cut(
    _ views: Set<String>, because error: JournalError
  ) -> (views: [Journal.CutView], losses: [Journal.Loss]) {
    let isCut = { (item: Journal.Item) in item.viewID.map(views.contains) == true }
    let items = (writing + queue).filter(isCut)
    writing.removeAll(where: isCut)
    queue.removeAll(where: isCut)
    isCutting = true
    for item in items { item.view?.cut = error }
    let losses = [true, false].map { isRepeated in
      Journal.Loss(
        tickets: items.filter { $0.isDeletion == isRepeated }.map { $0.ticket...$0.ticket }, error: error,
        isRepeated: isRepeated)
    }
    return (Self.cutViews(items), losses)
  }

  private static func cutViews(_ items: [Journal.Item]) -> [Journal.CutView] {
    var removals: [String: RemovalReason?] = [:]
    for item in items {
      guard let id = item.viewID else { continue }
      if case .removal(_, let row, _) = item.content {
        removals[id] = .some(row.removal)
      } else if removals[id]?.flatMap({ $0 }) != .deleted {
        removals[id] = .some(nil)
      }
    }
    return removals.map { ($0.key, $0.value) }
  }

  /// Records the loss of items, which are then settled. Ends the cut that ``cutAll(because:)`` has
  /// begun.
  mutating func recordLoss(_ tickets: Range<Journal.Ticket>, because error: JournalError) {
    isCutting = false
    guard let last = tickets.last else { return }
    recordLoss([tickets.lowerBound...last], because: error)
    settled = max(settled, last)
  }

  mutating func recordLoss(_ tickets: [ClosedRange<Journal.Ticket>], because error: JournalError) {
    recordLoss(Journal.Loss(tickets: tickets, error: error))
  }

  mutating func recordLoss(_ loss: Journal.Loss) {
    if loss.tickets.isEmpty { return }
    lost.append(loss)
    if lost.count > Self.rememberedLosses { lost.removeFirst() }
  }

  /// Waiters are called soon after a loss, so the last losses suffice.
  private static let rememberedLosses = 1_000

  /// Whether each item up to a ticket is written or lost. The first unwritten item has the lowest
  /// ticket, so only its ticket is compared.
  func isSettled(through ticket: Journal.Ticket) -> Bool {
    !isCutting && ((writing.first ?? queue.first).map { $0.ticket > ticket } ?? true)
  }

  func isSettled(_ waiter: Journal.Waiter) -> Bool {
    switch waiter.items {
    case .tickets(let tickets): tickets.allSatisfy { settled >= $0 || error(of: $0) != nil }
    case .all(_, let last): isSettled(through: last)
    }
  }

  /// The reason why an item of a waiter was lost; `nil` if none was. For a waiter of a range, the
  /// error kind `outdated` only counts for removals: they are added again, so the caller must also
  /// wait for the new items. Other outdated items are obsolete.
  func error(of waiter: Journal.Waiter) -> JournalError? {
    switch waiter.items {
    case .tickets(let tickets): return tickets.lazy.compactMap { error(of: $0) }.first
    case .all(let ticket, let last):
      let losses =
        ticket < last ? losses(within: ticket + 1...last).filter { $0.error.kind != .outdated || $0.isRepeated } : []
      return (losses.first { $0.error.kind != .outdated } ?? losses.first)?.error
    }
  }

  /// Removes the waiters whose items are settled, for the caller to call them.
  ///
  /// - Complexity: O(*waiters*).
  mutating func takeSettledWaiters() -> [(waiter: Journal.Waiter, error: JournalError?)] {
    var calls: [(Journal.Waiter, JournalError?)] = []
    var left: [Journal.Waiter] = []
    for waiter in waiters {
      if isSettled(waiter) { calls.append((waiter, error(of: waiter))) } else { left.append(waiter) }
    }
    waiters = left
    return calls
  }

  func losses(within tickets: ClosedRange<Journal.Ticket>) -> [Journal.Loss] {
    lost.filter { $0.tickets.contains { $0.overlaps(tickets) } }
  }

  func error(of ticket: Journal.Ticket) -> JournalError? {
    lost.last { $0.tickets.contains { $0.contains(ticket) } }?.error
  }
}
