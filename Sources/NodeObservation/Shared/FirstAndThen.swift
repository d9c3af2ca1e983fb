#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// Publishes a value as it is, and then what a ``Relay`` passes on: nothing is missed in between, nothing comes twice in
/// a row.
public struct FirstAndThen<Value: Equatable & Sendable>: Publisher, Sendable {
  public typealias Output = Value
  public typealias Failure = Never

  let relay: Relay<Value>
  /// Subscribes to the relay and says what came before, so that nothing can come between the two.
  let first: @Sendable (_ subscribe: () -> Void) -> Value

  /// Subscribes; the first value comes with the first demand.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == Value, Downstream.Failure == Never {
    Source(relay: relay, first: first).removeDuplicates().receive(subscriber: subscriber)
  }

  private struct Source: Publisher {
    typealias Output = Value
    typealias Failure = Never

    let relay: Relay<Value>
    let first: @Sendable (_ subscribe: () -> Void) -> Value

    func receive<Downstream: Subscriber>(
      subscriber: Downstream
    ) where Downstream.Input == Value, Downstream.Failure == Never {
      relay.attach(subscriber, after: first)
    }
  }
}
