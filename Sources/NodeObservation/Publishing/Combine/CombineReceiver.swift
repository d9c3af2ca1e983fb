#if canImport(Combine)
  internal import Combine
#else
  internal import OpenCombine
#endif

/// A subscriber of Combine at a ``Switchboard``.
///
/// It calls its subscriber from one thread at a time, and not again before it has returned: what comes meanwhile waits
/// for whoever is calling, in the order in which it came. What comes while the subscriber wants nothing is kept as the
/// ``Backlog`` says, and completion waits for it.
///
/// A value that the subscriber causes while it is called comes when it has returned. Those that cause one another are at
/// most ``Publication/maximumDepth``: the next one does not come, and is counted as unheard.
///
/// Not generic in the subscriber, which another module makes, and nothing but ``receive(_:flags:)`` is overridden: so the
/// compiler can make all of it for a given signal, where a subclass names that.
class CombineReceiver<Key: Hashable & Sendable, Signal: PublishedSignal, Side: Sendable>:
  Receiver<Key, Signal>, Subscription, @unchecked Sendable
{
  typealias Downstream = Outlet<Signal.Output>

  private let switchboard: Switchboard<Key, Signal, Side>
  private let backlog: Backlog<Signal.Output>
  // All below is guarded by the switchboard's lock.
  private var downstream: Downstream?
  /// What lives as long as the subscription: what feeds it.
  private var held: (any Sendable)?
  private var demand = Subscribers.Demand.none
  private var waiting: [Signal.Output] = []
  private var isFinished = false
  /// Somebody calls the subscriber. So it begins: nothing comes before the subscription itself.
  private var isBusy = true
  /// The thread that does, or did last.
  private var worker: ThreadContext.Pointer?
  /// How many values caused one another, up to the one that the subscriber was called with last.
  private var depth = 0
  /// The same of those that wait; empty while the subscriber has caused none.
  private var depths: [Int] = []

  init(
    _ downstream: some Subscriber<Signal.Output, Never>, key: Key, in switchboard: Switchboard<Key, Signal, Side>,
    flags: Flags = [],
    holding held: (any Sendable)? = nil, backlog: @escaping Backlog<Signal.Output>
  ) {
    self.switchboard = switchboard
    self.backlog = backlog
    self.downstream = SubscriberOutlet(downstream)
    self.held = held
    super.init(key: key, flags: flags)
  }

  /// Gives the subscriber its subscription, and then what came since this one was made.
  ///
  /// - Parameter first: comes before all that came by signal.
  final func start(with first: Signal.Output? = nil, isFinished isOver: Bool) {
    switchboard.whileCalling(self) {
      let downstream = switchboard.withLock { _ in
        if let first {
          waiting.insert(first, at: 0)
          if !depths.isEmpty { depths.insert(0, at: 0) }
        }
        if isOver { isFinished = true }
        return self.downstream
      }
      downstream?.receive(subscription: self)
      work()
    }
  }

  // MARK: - From the switchboard

  override func receive(_ signal: Signal, flags: Flags) { take(signal) }

  final func take(_ signal: Signal) {
    if let value = signal.output, let downstream = switchboard.withLock({ _ in takeTurn() }) {
      // Nothing waits, so nothing need be put to it.
      let more = downstream.receive(value)
      let isDone = switchboard.withLock { _ in
        demand += more
        isBusy = !waiting.isEmpty || isFinished
        return !isBusy
      }
      if !isDone { work() }
      return
    }
    let (begins, dropped) = switchboard.withLock { state in
      var dropped: [Signal.Output] = []
      if let value = signal.output {
        if !isBusy, demand == .none {
          dropped = waiting
          backlog(&waiting, value)
        } else if !append(value) {
          state.unheard += 1
        }
      } else {
        isFinished = true
      }
      if isBusy { return (false, dropped) }
      isBusy = true
      return (true, dropped)
    }
    if begins { work() }
    // Let go of here, outside of the lock.
    withExtendedLifetime(dropped) {}
  }

  /// Under the lock. Says no to a value that its subscriber has caused over and over.
  private func append(_ value: Signal.Output) -> Bool {
    let isOwn = isBusy && worker == ThreadContext.current
    if isOwn {
      guard depth < Publication.maximumDepth else { return false }
      if depths.isEmpty { depths = Array(repeating: 0, count: waiting.count) }
      depths.append(depth + 1)
    } else if !depths.isEmpty {
      depths.append(0)
    }
    waiting.append(value)
    return true
  }

  /// Under the lock: makes this busy, if it is not and may pass on a value at once.
  private func takeTurn() -> Downstream? {
    guard !isBusy, waiting.isEmpty, demand > .none, let downstream else { return nil }
    isBusy = true
    (worker, depth) = (ThreadContext.current, 0)
    demand -= 1
    return downstream
  }

  private enum Step {
    case value(Signal.Output, Downstream)
    case completion(Downstream)
    /// With what may be let go of, outside of the lock.
    case nothing([Signal.Output])
  }

  /// Calls the subscriber for as long as there is something to say. The caller has made this busy.
  private func work() {
    while true {
      switch switchboard.withLock({ _ in next() }) {
      case .value(let value, let downstream):
        let more = downstream.receive(value)
        if more > .none { switchboard.withLock { _ in demand += more } }
      case .completion(let downstream):
        downstream.finish()
        clear()
        return
      case .nothing: return
      }
    }
  }

  /// Under the lock.
  private func next() -> Step {
    guard let downstream else { return .nothing([]) }
    if !waiting.isEmpty, demand > .none {
      demand -= 1
      (worker, depth) = (ThreadContext.current, depths.isEmpty ? 0 : depths.removeFirst())
      return .value(waiting.removeFirst(), downstream)
    }
    if waiting.isEmpty, isFinished { return .completion(downstream) }
    // What came while there was a demand, and found none when its turn was.
    let crowd = waiting
    waiting.removeAll(keepingCapacity: true)
    depths = []
    for value in crowd { backlog(&waiting, value) }
    isBusy = false
    return .nothing(crowd)
  }

  // MARK: - From the subscriber

  final func request(_ more: Subscribers.Demand) {
    let begins = switchboard.withLock { _ in
      demand += more
      guard !isBusy, !waiting.isEmpty, demand > .none else { return false }
      isBusy = true
      return true
    }
    if begins { switchboard.whileCalling(self) { work() } }
  }

  final func cancel() {
    switchboard.cancel(self)
    clear()
  }

  /// Lets go of everything, outside of the lock.
  private func clear() {
    let gone = switchboard.withLock { _ in
      defer {
        downstream = nil
        held = nil
        (waiting, depths) = ([], [])
      }
      return (downstream, held, waiting)
    }
    _ = gone
  }
}

/// A subscriber whose type is not known here.
class Outlet<Value> {
  func receive(subscription: any Subscription) {}
  func receive(_ value: Value) -> Subscribers.Demand { .none }
  func finish() {}
}

private final class SubscriberOutlet<Downstream: Subscriber>: Outlet<Downstream.Input>
where Downstream.Failure == Never {
  private let downstream: Downstream

  init(_ downstream: Downstream) { self.downstream = downstream }

  override func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  override func receive(_ value: Downstream.Input) -> Subscribers.Demand { downstream.receive(value) }
  override func finish() { downstream.receive(completion: .finished) }
}
