import NodeObservation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// A subscriber that takes as much as it is told to.
final class Taker<Input: Sendable>: Subscriber, @unchecked Sendable {
  typealias Failure = Never

  let heard = Heard()
  private let first: Int
  private let call: @Sendable (Input) -> Void
  private let subscription: Guarded<Held> = Guarded(Held())

  private struct Held: @unchecked Sendable {
    var subscription: (any Subscription)?
  }

  init(demand: Int, _ call: @escaping @Sendable (Input) -> Void = { _ in }) {
    first = demand
    self.call = call
  }

  func receive(subscription new: any Subscription) {
    let held = Held(subscription: new)
    subscription.withLock { $0 = held }
    if first > 0 { new.request(.max(first)) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    heard.note("\(input)")
    call(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { heard.note("finished") }

  func request(_ count: Int) { subscription.withLock { $0 }.subscription?.request(.max(count)) }

  func cancel() { subscription.withLock { $0 }.subscription?.cancel() }
}
