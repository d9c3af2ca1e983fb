internal import MirrorSupport
internal import NodeObservation

#if canImport(Combine)
  package import Combine
#else
  package import OpenCombine
#endif

/// A subscriber that requests exactly the demand that a test sets.
package final class Taker<Input: Sendable>: Subscriber, @unchecked Sendable {
  package typealias Failure = Never

  package let heard = Heard()
  private let first: Int
  private let call: @Sendable (Input) -> Void
  private let subscription: Guarded<Held> = Guarded(Held())

  private struct Held: @unchecked Sendable {
    var subscription: (any Subscription)?
  }

  package init(demand: Int, _ call: @escaping @Sendable (Input) -> Void = { _ in }) {
    first = demand
    self.call = call
  }

  package func receive(subscription new: any Subscription) {
    let held = Held(subscription: new)
    subscription.withLock { $0 = held }
    if first > 0 { new.request(.max(first)) }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    heard.note("\(input)")
    call(input)
    return .none
  }

  package func receive(completion: Subscribers.Completion<Never>) { heard.note("finished") }

  package func request(_ count: Int) { subscription.current.subscription?.request(.max(count)) }

  package func cancel() { subscription.current.subscription?.cancel() }
}
