public import NodeObservation

/// Publishes the current value, and then the values of a `Relay`. No value that is set while a
/// subscriber subscribes is lost, and consecutive equal values are published once. `SharedCell`
/// uses this type to publish its values, and `SharedLink` to publish its cells.
public struct FirstAndThen<Value: Sendable>: Publisher, Sendable {
  /// The type of the published values.
  public typealias Output = Value
  /// The publisher never fails.
  public typealias Failure = Never

  let relay: Relay<Value>
  /// Calls `subscribe` and returns the current value under the lock that also guards changes of the
  /// value. So no value can be set between the subscription and the read.
  let first: @Sendable (_ subscribe: () -> Void) -> Value

  /// Attaches a subscriber. The subscriber receives the current value with its first demand.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == Value, Downstream.Failure == Never {
    Source(relay: relay, first: first).removeDuplicates(by: Inputs.areEqual).receive(subscriber: subscriber)
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
