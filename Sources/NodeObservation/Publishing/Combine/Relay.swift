/// Passes values on to its subscribers: a subject with the rules of ``NodePublishers``.
/// ``Observer/changes``, ``NodeCoordinator/documentChanged`` and the shared values of MirrorViews
/// publish through a relay.
///
/// Subscribers are called in the order in which they subscribed. Each subscriber is called by one
/// thread at a time, and not after it was cancelled. Each call of ``send(_:)`` is a ``Publication``
/// or a part of one. If values are sent while a subscriber has no demand, only the newest of them
/// is kept, and delivered at the subscriber's next demand. A value that a subscriber sends to the
/// relay during a call is delivered to this subscriber after that call. If such values cause one
/// another without end, a subscriber gets ``Publication/maximumDepth`` of them.
///
/// ```swift
/// let relay = Relay<Int>()
/// let cancellable = relay.publisher.sink { print($0) }
/// relay.send(1)   // 1
/// ```
public final class Relay<Output: Sendable>: Sendable {
  typealias Table = SubscriberTable<SoleKey, RelaySignal<Output>, Ended>

  /// The only key of the table.
  struct SoleKey: Hashable, Sendable {}

  /// Whether the relay was finished.
  struct Ended: Sendable {
    var isEnded = false
  }

  private let subscribers = Table(side: Ended())
  private let backlog: Backlog<Output>

  /// Creates a relay without subscribers. While a subscriber has no demand, the newest value is
  /// kept.
  public init() { backlog = Backlogs.newest }

  /// - Parameter backlog: decides which values are kept while a subscriber has no demand.
  init(keeping backlog: @escaping Backlog<Output>) { self.backlog = backlog }

  /// Passes a value on to all subscribers.
  ///
  /// - Returns: the number of subscribers.
  /// - Complexity: O(*subscribers*).
  @discardableResult
  public func send(_ value: Output) -> Int { subscribers.send(.value(value), to: SoleKey()) }

  /// Ends the relay: completes all subscribers. Later subscribers are completed at once.
  public func finish() {
    subscribers.finish(SoleKey(), with: .finished) { entry, ended in
      ended.isEnded = true
      return entry?.count ?? 0
    }
  }

  /// A publisher of the values that are sent after subscribing.
  public var publisher: RelayPublisher<Output> { RelayPublisher(relay: self) }

  /// Attaches a subscriber.
  ///
  /// - Parameters:
  ///   - downstream: the subscriber.
  ///   - held: an object to retain as long as the subscription.
  ///   - first: must call `subscribe`, and return a value that the subscriber gets before all
  ///     values of the relay, or `nil` if there is no such value. If `first` does both under the
  ///     lock that also guards changes of the value, no value is missed in between.
  package func attach<Downstream: Subscriber>(
    _ downstream: Downstream, holding held: (any Sendable)? = nil,
    after first: (_ subscribe: () -> Void) -> Output? = {
      $0(); return nil
    }
  ) where Downstream.Input == Output, Downstream.Failure == Never {
    let receiver = CombineReceiver(downstream, key: SoleKey(), in: subscribers, holding: held, backlog: backlog)
    var isEnded = false
    let value = first {
      isEnded = subscribers.withLock { state in
        if !state.side.isEnded { state.subscribe(receiver) }
        return state.side.isEnded
      }
    }
    receiver.start(with: value, isFinished: isEnded)
  }
}

/// Publishes the values of a ``Relay``. Completes when the relay is finished, and never fails.
public struct RelayPublisher<Output: Sendable>: Publisher, Sendable {
  /// The publisher never fails.
  public typealias Failure = Never

  let relay: Relay<Output>
  /// Retained by each subscription.
  var held: (any Sendable)?

  /// Subscribes to the relay. Completes at once if the relay is finished.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == Output, Downstream.Failure == Never {
    relay.attach(subscriber, holding: held)
  }
}
