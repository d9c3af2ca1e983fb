internal import MirrorSupport

/// The receivers of each key. This type delivers all signals. Each ``NodePublishers`` and each
/// ``Relay`` has a table. `@unchecked Sendable`, because of the pointer to the state, which is used
/// only while the lock is held.
///
/// - Receivers of a key are called in the order in which they subscribed, on the thread that sends,
///   outside of the lock.
/// - A signal reaches the receivers that were subscribed when it was sent. A receiver that
///   subscribes meanwhile gets the next signal. A receiver that is cancelled before it is called
///   gets nothing more.
/// - No call begins after ``cancel(_:waits:)`` has returned. `cancel` also waits for calls in
///   progress on other threads, except inside a delivery, that is, while the thread of `cancel` is
///   itself calling a receiver. Inside a delivery `cancel` never waits, because two receivers that
///   cancel each other on two threads would deadlock.
/// - Several threads can send at the same time.
/// - Every send is a publication, or a part of the publication that is running: see
///   ``Publication``.
/// - A receiver that sends a signal to its own key while it is being called is called again at
///   once, as a nested call. At the limit of ``Publication/maximumDepth`` nested calls the signal
///   skips this receiver and is counted as unheard. The last signal of a key is never skipped.
///
/// A signal to one receiver takes the lock before and after the call, looks up one key and calls
/// one method.
final class SubscriberTable<Key: Hashable & Sendable, Signal: Sendable, Side: Sendable>: @unchecked Sendable {
  typealias Receiver = NodeObservation.Receiver<Key, Signal>

  /// The receivers of one key. Nearly always a key has only one receiver, which needs no array.
  enum Entry {
    case one(Receiver)
    case many(Receivers<Key, Signal>)
  }

  struct State {
    /// Changed only by the methods in `SubscriberTable+Counting.swift`, which also update
    /// `besides`, `audience` and `generation`.
    var entries: [Key: Entry] = [:]
    /// The number of receivers without the flag `countedByMirror`: the receivers that do not
    /// represent a view that a mounted counter already counts.
    var besides = 0
    /// The number of receivers that are clients or subscriptions. All of them are also in
    /// `besides`.
    var audience = 0
    /// The number of signals that reached no receiver, and of signals that skipped a receiver
    /// because it kept triggering itself.
    var unheard = 0
    /// Incremented whenever a receiver is added or removed.
    var generation = 0
    /// State of the owner of the table, such as ``MountedCounters``, which the same lock guards.
    var side: Side

    init(side: Side) { self.side = side }
  }

  private let lock = Lock()
  private let threads = ThreadKey.shared
  /// Heap-allocated to avoid the runtime's exclusivity checks; the lock guarantees exclusivity.
  private let state: UnsafeMutablePointer<State>

  init(side: Side) {
    state = .allocate(capacity: 1)
    state.initialize(to: State(side: side))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Runs `body` under the lock. `body` must not call foreign code, and must not release the last
  /// reference to a receiver: both could take the lock again.
  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&state.pointee)
  }

  // MARK: - Sending

  /// Sends a signal to the receivers of a key.
  ///
  /// - Parameters:
  ///   - signal: the signal.
  ///   - key: the key.
  ///   - count: counts the receivers of the key, and the subscribers that the owner keeps in
  ///     `side`. Called under the lock. A signal with count 0 is counted as unheard.
  /// - Returns: the count.
  @discardableResult
  func send(_ signal: Signal, to key: Key, count: (Entry?, inout Side) -> Int = { entry, _ in entry?.count ?? 0 })
    -> Int
  {
    lock.lock()
    let entry = state.pointee.entries[key]
    let count = count(entry, &state.pointee.side)
    guard let entry else {
      if count == 0 { state.pointee.unheard += 1 }
      lock.unlock()
      return count
    }
    deliver(signal, to: entry, isLast: false)
    return count
  }

  /// Removes the receivers of a key and sends them a last signal.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - signal: the last signal.
  ///   - count: as in ``send(_:to:count:)``, except that a count of 0 is not counted as unheard.
  /// - Returns: the count.
  @discardableResult
  func finish(
    _ key: Key, with signal: Signal, count: (Entry?, inout Side) -> Int = { entry, _ in entry?.count ?? 0 }
  ) -> Int {
    lock.lock()
    let entry = state.pointee.entries.isEmpty ? nil : state.pointee.takeEntry(of: key)
    let count = count(entry, &state.pointee.side)
    guard let entry else {
      lock.unlock()
      return count
    }
    deliver(signal, to: entry, isLast: true)
    return count
  }

  /// Sends a last signal to the receivers of an entry that was removed from the table.
  func finish(_ entry: Entry, with signal: Signal) {
    lock.lock()
    deliver(signal, to: entry, isLast: true)
  }

  /// Calls the receivers of an entry. Called with the lock held, returns with the lock released.
  private func deliver(_ signal: Signal, to entry: Entry, isLast: Bool) {
    let context = threads.context
    context.pointee.enter()
    context.pointee.deliveries += 1
    switch entry {
    case .one(let receiver): call(receiver, signal, isLast: isLast)
    case .many(let receivers): for receiver in receivers { call(receiver, signal, isLast: isLast) }
    }
    lock.unlock()
    context.pointee.deliveries -= 1
    ThreadContext.leave(context)
  }

  /// Calls one receiver. The lock is held before and after, but not during the call.
  private func call(_ receiver: Receiver, _ signal: Signal, isLast: Bool) {
    guard !receiver.flags.contains(.ended) else { return }
    if receiver.inFlight > 0, !isLast, isEndless(receiver) {
      state.pointee.unheard += 1
      return
    }
    if isLast { receiver.flags.insert(.ended) } else { receiver.calls &+= 1 }
    receiver.inFlight += 1
    let flags = receiver.flags
    lock.unlock()
    receiver.receive(signal, flags: flags)
    lock.lock()
    returned(from: receiver)
  }

  /// Whether a receiver that is already being called has triggered itself too many times. Counts
  /// the call in `echoes`.
  ///
  /// `inFlight` also counts calls on other threads, so the nesting depth of this thread must exceed
  /// the limit as well.
  private func isEndless(_ receiver: Receiver) -> Bool {
    let context = threads.context
    guard context.pointee.deliveries > 1 else { return false }
    context.pointee.echoes += 1
    let depth = Publication.maximumDepth
    return receiver.inFlight >= depth && context.pointee.deliveries > depth
      // A cycle through many receivers has few calls of each, but would overflow the stack.
      || context.pointee.deliveries > 10 * depth
      // If every call causes two more, the depth is bounded but the number of calls grows
      // exponentially.
      || context.pointee.echoes > Publication.maximumFollowUps
  }

  /// Ends a call of a receiver. After the last call of a receiver that has ended, wakes the threads
  /// that wait for this in `cancel`, and releases the callback. Called with the lock held, which is
  /// released only around ``Receiver/releaseCallback()``.
  private func returned(from receiver: Receiver) {
    receiver.inFlight -= 1
    guard receiver.inFlight == 0, receiver.flags.contains(.ended) else { return }
    if receiver.flags.contains(.awaited) { lock.wakeAll() }
    guard !receiver.flags.contains(.released) else { return }
    receiver.flags.insert(.released)
    lock.unlock()
    receiver.releaseCallback()
    lock.lock()
  }

  /// Runs `body` as a call of a receiver, without a signal. As for a signal, `body` does not run
  /// after the receiver was cancelled, and a cancellation on another thread waits for `body`.
  func whileCalling(_ receiver: Receiver, _ body: () -> Void) {
    let context = threads.context
    context.pointee.enter()
    context.pointee.deliveries += 1
    lock.lock()
    if !receiver.flags.contains(.cancelled) {
      receiver.inFlight += 1
      lock.unlock()
      body()
      lock.lock()
      returned(from: receiver)
    }
    lock.unlock()
    context.pointee.deliveries -= 1
    ThreadContext.leave(context)
  }

  // MARK: - Subscribing

  /// Adds a receiver to the end of its key's entry.
  ///
  /// - Complexity: O(1).
  func subscribe(_ receiver: Receiver) {
    lock.lock()
    state.pointee.subscribe(receiver)
    lock.unlock()
  }

  /// Ends a receiver. A second call has no effect.
  ///
  /// - Parameters:
  ///   - receiver: the receiver.
  ///   - waits: whether to wait for calls in progress on other threads. Has no effect inside a
  ///     delivery.
  /// - Complexity: O(1) amortised.
  func cancel(_ receiver: Receiver, waits: Bool = true) {
    lock.lock()
    // If the receiver has ended, the last signal or an earlier call has already removed it from the
    // table.
    if !receiver.flags.contains(.ended) { state.pointee.remove(receiver) }
    receiver.flags.formUnion([.ended, .cancelled])
    if waits, receiver.inFlight > 0, threads.context.pointee.deliveries == 0 {
      receiver.flags.insert(.awaited)
      while receiver.inFlight > 0 { lock.wait() }
    }
    let isDone = receiver.inFlight == 0 && !receiver.flags.contains(.released)
    if isDone { receiver.flags.insert(.released) }
    lock.unlock()
    if isDone { receiver.releaseCallback() }
  }
}
