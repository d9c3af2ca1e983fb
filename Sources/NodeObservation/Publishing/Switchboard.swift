/// Who listens to what, and the one way in which they are called.
///
/// - Receivers of a key are called in the order in which they subscribed, on the thread that sends, outside of the lock.
/// - They are those that listened when the signal was sent: who subscribes meanwhile hears the next one, who is cancelled
///   meanwhile hears nothing any more.
/// - No call begins after ``cancel(_:waits:)`` has returned. Where it is called outside of a delivery, none is in flight
///   then either: it waits for other threads. Inside of a delivery it never waits. Two receivers that cancel each other
///   from two threads would wait for each other for ever.
/// - Sends on several threads go side by side.
/// - Every send is a publication, or a part of the one that runs: see ``Publication``.
/// - A receiver that causes the signal that it is being told of is told at once, one call inside of the other, and at most
///   ``Publication/maximumDepth`` deep: the signal that would be deeper passes it by, and is counted as unheard. The last
///   signal of a key never is.
///
/// A signal to one receiver takes the lock before the call and after it, looks up one key and calls one method.
final class Switchboard<Key: Hashable & Sendable, Signal: Sendable, Side: Sendable>: @unchecked Sendable {
  typealias Receiver = NodeObservation.Receiver<Key, Signal>

  /// Who listens to one key. Nearly always one does, and needs no array.
  enum Line {
    case one(Receiver)
    case many(Receivers<Key, Signal>)
  }

  struct State {
    /// Changed by the methods of `Switchboard+Table` alone, which count with it.
    var lines: [Key: Line] = [:]
    /// How many receivers stand in for nothing else.
    var besides = 0
    /// How many signals found nobody.
    var unheard = 0
    /// Grows whenever a receiver comes or goes.
    var generation = 0
    /// What else stands under this lock.
    var side: Side

    init(side: Side) { self.side = side }
  }

  private let lock = Lock()
  private let threads = ThreadKey.shared
  /// Behind a pointer: the compiler could not see that nobody else is at it, and would check each time.
  private let state: UnsafeMutablePointer<State>

  init(side: Side) {
    state = .allocate(capacity: 1)
    state.initialize(to: State(side: side))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    lock.free()
  }

  /// Looks at everything under the lock. Do not call what may call back, nor let go of a receiver in there.
  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&state.pointee)
  }

  // MARK: - Sending

  /// Calls everybody who listens to a key.
  ///
  /// - Parameter count: how many hear it, others than receivers among them; called under the lock. 0 is counted as
  ///   unheard.
  @discardableResult
  func send(_ signal: Signal, to key: Key, count: (Line?, inout Side) -> Int = { line, _ in line?.count ?? 0 }) -> Int {
    lock.lock()
    let line = state.pointee.lines[key]
    let count = count(line, &state.pointee.side)
    guard let line else {
      if count == 0 { state.pointee.unheard += 1 }
      lock.unlock()
      return count
    }
    deliver(signal, to: line, isLast: false)
    return count
  }

  /// Calls everybody who listens to a key for the last time; nobody listens to it then.
  @discardableResult
  func finish(
    _ key: Key, with signal: Signal, count: (Line?, inout Side) -> Int = { line, _ in line?.count ?? 0 }
  ) -> Int {
    lock.lock()
    let line = state.pointee.lines.isEmpty ? nil : state.pointee.takeLine(of: key)
    let count = count(line, &state.pointee.side)
    guard let line else {
      lock.unlock()
      return count
    }
    deliver(signal, to: line, isLast: true)
    return count
  }

  /// Calls a line that was taken out of the table for the last time.
  func finish(_ line: Line, with signal: Signal) {
    lock.lock()
    deliver(signal, to: line, isLast: true)
  }

  /// Takes the lock over, and leaves it free.
  private func deliver(_ signal: Signal, to line: Line, isLast: Bool) {
    let context = threads.context
    context.pointee.enter()
    context.pointee.deliveries += 1
    switch line {
    case .one(let receiver): call(receiver, signal, isLast: isLast)
    case .many(let receivers): for receiver in receivers { call(receiver, signal, isLast: isLast) }
    }
    lock.unlock()
    context.pointee.deliveries -= 1
    ThreadContext.leave(context)
  }

  /// With the lock before and after, and without it in the call.
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

  /// Whether a receiver that is being called already has caused too many of its calls itself.
  ///
  /// Calls that other threads are in are counted as well, so this thread has to be as deep.
  private func isEndless(_ receiver: Receiver) -> Bool {
    let context = threads.context
    guard context.pointee.deliveries > 1 else { return false }
    context.pointee.echoes += 1
    let depth = Publication.maximumDepth
    return receiver.inFlight >= depth && context.pointee.deliveries > depth
      // Round many others and back again: the stack has an end.
      || context.pointee.deliveries > 10 * depth
      // Each call that causes two ends at that depth, and takes for ever.
      || context.pointee.echoes > Publication.maximumFollowUps
  }

  private func returned(from receiver: Receiver) {
    receiver.inFlight -= 1
    guard receiver.inFlight == 0, receiver.flags.contains(.ended) else { return }
    if receiver.flags.contains(.awaited) { lock.wakeAll() }
    guard !receiver.flags.contains(.letGo) else { return }
    receiver.flags.insert(.letGo)
    lock.unlock()
    receiver.letGo()
    lock.lock()
  }

  /// Calls a receiver with something that is no signal, by the same rules: not after it was cancelled, and whoever
  /// cancels it waits for it.
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

  /// - Complexity: O(1).
  func subscribe(_ receiver: Receiver) {
    lock.lock()
    state.pointee.subscribe(receiver)
    lock.unlock()
  }

  /// Ends a receiver; a second time changes nothing.
  ///
  /// - Parameter waits: whether to wait for calls that are in flight on other threads, where this thread is in none.
  /// - Complexity: O(1) amortised.
  func cancel(_ receiver: Receiver, waits: Bool = true) {
    lock.lock()
    // Taken out of the table by the last signal, if that has begun.
    if !receiver.flags.contains(.ended) { state.pointee.remove(receiver) }
    receiver.flags.formUnion([.ended, .cancelled])
    if waits, receiver.inFlight > 0, threads.context.pointee.deliveries == 0 {
      receiver.flags.insert(.awaited)
      while receiver.inFlight > 0 { lock.wait() }
    }
    let isDone = receiver.inFlight == 0 && !receiver.flags.contains(.letGo)
    if isDone { receiver.flags.insert(.letGo) }
    lock.unlock()
    if isDone { receiver.letGo() }
  }
}
