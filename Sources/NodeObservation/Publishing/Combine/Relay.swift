#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// Passes values on to whoever subscribed: a subject with the rules of ``NodePublishers``.
///
/// Subscribers are called in the order in which they subscribed, and by one thread at a time each; none is called after
/// it was cancelled; every value is a ``Publication`` or a part of one. Of the values that come while a subscriber wants
/// none it gets the newest, with its next demand. A value that a subscriber sends while it is called comes when it has
/// returned; of values that cause one another for ever, it gets ``Publication/maximumDepth``.
///
/// ```swift
/// let relay = Relay<Int>()
/// let cancellable = relay.publisher.sink { print($0) }
/// relay.send(1)   // 1
/// ```
public final class Relay<Output: Sendable>: Sendable {
  typealias Board = Switchboard<SoleKey, RelaySignal<Output>, Ended>

  /// There is one line.
  struct SoleKey: Hashable, Sendable {}

  /// Whether the relay was finished.
  struct Ended: Sendable {
    var isEnded = false
  }

  private let switchboard = Board(side: Ended())
  private let backlog: Backlog<Output>

  /// Has no subscribers yet.
  public init() { backlog = Backlogs.newest }

  /// - Parameter backlog: what becomes of values that come while a subscriber wants none.
  init(keeping backlog: @escaping Backlog<Output>) { self.backlog = backlog }

  /// Passes a value on, and says to how many.
  ///
  /// - Complexity: O(*subscribers*).
  @discardableResult
  public func send(_ value: Output) -> Int { switchboard.send(.value(value), to: SoleKey()) }

  /// Nothing comes any more: completes all subscribers, and at once those that subscribe later.
  public func finish() {
    switchboard.finish(SoleKey(), with: .finished) { line, ended in
      ended.isEnded = true
      return line?.count ?? 0
    }
  }

  /// What subscribes to it.
  public var publisher: RelayPublisher<Output> { RelayPublisher(relay: self) }

  /// - Parameter held: what lives as long as the subscription.
  func attach<Downstream: Subscriber>(
    _ downstream: Downstream, holding held: (any Sendable)? = nil
  ) where Downstream.Input == Output, Downstream.Failure == Never {
    let receiver = CombineReceiver(
      downstream, key: SoleKey(), in: switchboard, holding: held, backlog: backlog)
    let isEnded = switchboard.withLock { state in
      if !state.side.isEnded { state.subscribe(receiver) }
      return state.side.isEnded
    }
    receiver.start(isFinished: isEnded)
  }

  /// Attaches a subscriber that gets one value before all others.
  ///
  /// - Parameter first: has to call `subscribe`, and says what came before: the two can be made one by a lock.
  func attach<Downstream: Subscriber>(
    _ downstream: Downstream, after first: (_ subscribe: () -> Void) -> Output
  ) where Downstream.Input == Output, Downstream.Failure == Never {
    let receiver = CombineReceiver(downstream, key: SoleKey(), in: switchboard, backlog: backlog)
    var isEnded = false
    let value = first {
      isEnded = switchboard.withLock { state in
        if !state.side.isEnded { state.subscribe(receiver) }
        return state.side.isEnded
      }
    }
    receiver.start(with: value, isFinished: isEnded)
  }
}

/// The values of a ``Relay``. Completes when the relay is finished, never fails.
public struct RelayPublisher<Output: Sendable>: Publisher, Sendable {
  public typealias Failure = Never

  let relay: Relay<Output>
  /// What lives as long as a subscription.
  var held: (any Sendable)?

  /// Subscribes; completes at once where the relay was finished.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == Output, Downstream.Failure == Never {
    relay.attach(subscriber, holding: held)
  }
}
