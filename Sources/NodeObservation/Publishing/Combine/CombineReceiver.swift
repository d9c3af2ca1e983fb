internal import MarkupDocument

/// Connects a Combine subscriber to a ``SubscriberTable``. ``NodePublisher`` and ``Relay`` create a
/// receiver for each subscriber.
///
/// The owner adds the receiver to the table and then calls ``start(with:isFinished:)`` once, so
/// that no signal is missed. If a relay has already ended, its receiver is not added to the table,
/// but only started.
///
/// The subscriber is called by one thread at a time and never recursively. Values that arrive
/// during a call wait in a queue, and the calling thread delivers them in order of arrival. Values
/// that arrive while the subscriber has no demand are kept according to the ``Backlog``. The
/// completion is delivered after all values.
///
/// A value that the subscriber itself causes during a call is delivered after that call. In a chain
/// of such values, each caused by the delivery of the previous one, at most
/// ``Publication/maximumDepth`` values are delivered. The next value is dropped and counted in
/// `SubscriberTable.State.unheard`.
///
/// The class is not generic in the type of the subscriber, which may be from another module. So if
/// a subclass names concrete types, such as `NodeCombineReceiver` does, the compiler can specialise
/// the whole class for them. A subclass overrides only ``receive(_:flags:)``.
class CombineReceiver<Key: Hashable & Sendable, Signal: PublishedSignal, Side: Sendable>:
  Receiver<Key, Signal>, Subscription, @unchecked Sendable
{
  typealias Downstream = Outlet<Signal.Output>

  private let subscribers: SubscriberTable<Key, Signal, Side>
  private let backlog: Backlog<Signal.Output>
  // The lock of `subscribers` guards the following properties.
  private var downstream: Downstream?
  /// An object that is retained as long as the subscription, such as the observer whose changes are
  /// published.
  private var held: (any Sendable)?
  private var demand = Subscribers.Demand.none
  private var waiting: [Signal.Output] = []
  private var isFinished = false
  /// Whether a thread is calling the subscriber. Initially true, so that no value is delivered
  /// before the subscription.
  private var isBusy = true
  /// The thread that is calling the subscriber, or called it last.
  private var worker: ThreadContext.Pointer?
  /// The depth of the last delivered value: 0 for a value that the subscriber did not cause,
  /// otherwise one more than the depth of the value that caused it.
  private var depth = 0
  /// The depths of the waiting values. Empty if the subscriber has caused none of them.
  private var depths: [Int] = []

  init(
    _ downstream: some Subscriber<Signal.Output, Never>, key: Key, in subscribers: SubscriberTable<Key, Signal, Side>,
    flags: Flags = [],
    holding held: (any Sendable)? = nil, backlog: @escaping Backlog<Signal.Output>
  ) {
    self.subscribers = subscribers
    self.backlog = backlog
    self.downstream = SubscriberOutlet(downstream)
    self.held = held
    super.init(key: key, flags: flags)
  }

  /// Delivers the subscription, and then the values that have arrived since this receiver was
  /// created.
  ///
  /// - Parameters:
  ///   - first: a value to deliver before the values that arrived as signals; `nil` for none.
  ///   - isOver: whether to complete the subscriber after the values.
  final func start(with first: Signal.Output? = nil, isFinished isOver: Bool) {
    subscribers.whileCalling(self) {
      let downstream = subscribers.withLock { _ in
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

  // MARK: - Signals

  override func receive(_ signal: Signal, flags: Flags) { take(signal) }

  /// Delivers a signal, or puts its value into the queue.
  final func take(_ signal: Signal) {
    if let value = signal.output, let downstream = subscribers.withLock({ _ in takeTurn() }) {
      // Fast path: no value is waiting, so the new value is delivered without the queue.
      let more = downstream.receive(value)
      let isDone = subscribers.withLock { _ in
        demand += more
        isBusy = !waiting.isEmpty || isFinished
        return !isBusy
      }
      if !isDone { work() }
      return
    }
    let (begins, dropped) = subscribers.withLock { state in
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
    // Dropped values are released here, outside of the lock.
    withExtendedLifetime(dropped) {}
  }

  /// Adds a value to the queue. Called under the lock.
  ///
  /// - Returns: `false` if the value was not added, because the subscriber caused it at the end of
  ///   a chain of ``Publication/maximumDepth`` values.
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

  /// Marks the receiver as busy if it can deliver a value at once. Called under the lock.
  ///
  /// - Returns: the subscriber to deliver to, or `nil`.
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
    /// Nothing to deliver. The values that were in the queue are passed to the caller, which
    /// releases them outside of the lock.
    case nothing([Signal.Output])
  }

  /// Calls the subscriber until there is nothing to deliver. The caller has set `isBusy`.
  private func work() {
    while true {
      switch subscribers.withLock({ _ in next() }) {
      case .value(let value, let downstream):
        let more = downstream.receive(value)
        if more > .none { subscribers.withLock { _ in demand += more } }
      case .completion(let downstream):
        downstream.finish()
        clear()
        return
      case .nothing: return
      }
    }
  }

  /// Determines the next call and updates the queue and the demand for it. Without a next call, the
  /// receiver is no longer busy. Called under the lock.
  private func next() -> Step {
    guard let downstream else { return .nothing([]) }
    if !waiting.isEmpty, demand > .none {
      demand -= 1
      (worker, depth) = (ThreadContext.current, depths.isEmpty ? 0 : depths.removeFirst())
      return .value(waiting.removeFirst(), downstream)
    }
    if waiting.isEmpty, isFinished { return .completion(downstream) }
    // The remaining values were queued during a call, but there is no demand for them. The backlog
    // decides which of them to keep.
    let crowd = waiting
    waiting.removeAll(keepingCapacity: true)
    depths = []
    for value in crowd { backlog(&waiting, value) }
    isBusy = false
    return .nothing(crowd)
  }

  // MARK: - Subscription

  final func request(_ more: Subscribers.Demand) {
    let begins = subscribers.withLock { _ in
      demand += more
      guard !isBusy, !waiting.isEmpty, demand > .none else { return false }
      isBusy = true
      return true
    }
    if begins { subscribers.whileCalling(self) { work() } }
  }

  final func cancel() {
    subscribers.cancel(self)
    clear()
  }

  /// Releases the subscriber, the retained object and the waiting values outside of the lock.
  private func clear() {
    let released = subscribers.withLock { _ in
      defer {
        downstream = nil
        held = nil
        (waiting, depths) = ([], [])
      }
      return (downstream, held, waiting)
    }
    _ = released
  }
}

/// A type-erased subscriber. Its methods are those of `Subscriber`.
class Outlet<Value> {
  func receive(subscription: any Subscription) {}
  func receive(_ value: Value) -> Subscribers.Demand { .none }
  func finish() {}
}

/// Passes values to a Combine subscriber of a known type.
private final class SubscriberOutlet<Downstream: Subscriber>: Outlet<Downstream.Input>
where Downstream.Failure == Never {
  private let downstream: Downstream

  init(_ downstream: Downstream) { self.downstream = downstream }

  override func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  override func receive(_ value: Downstream.Input) -> Subscribers.Demand { downstream.receive(value) }
  override func finish() { downstream.receive(completion: .finished) }
}

/// A signal of a ``SubscriberTable`` that can be published to Combine subscribers.
protocol PublishedSignal: Sendable {
  associatedtype Output: Sendable
  /// The value to publish; `nil` for the last signal, which completes the subscriber.
  var output: Output? { get }
}

extension NodeSignal: PublishedSignal {
  var output: NodeRef? { if case .changed(let node) = self { node } else { nil } }
}

/// The signal of a ``Relay``.
enum RelaySignal<Output: Sendable>: PublishedSignal {
  case value(Output)
  case finished

  var output: Output? { if case .value(let value) = self { value } else { nil } }
}

/// Decides which values are kept while the subscriber has no demand. Called with the waiting values
/// and a new one, it changes the waiting values to those that are kept.
typealias Backlog<Output> = @Sendable (_ waiting: inout [Output], _ value: Output) -> Void

/// The choices for ``Backlog``.
enum Backlogs {
  /// Keeps only the newest value.
  static func newest<Output>(_ waiting: inout [Output], _ value: Output) { waiting = [value] }

  /// Keeps each distinct value once, in the order of first arrival.
  static func distinct<Output: Equatable>(_ waiting: inout [Output], _ value: Output) {
    if !waiting.contains(value) { waiting.append(value) }
  }
}
