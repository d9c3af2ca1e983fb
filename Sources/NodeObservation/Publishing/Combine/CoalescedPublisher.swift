internal import MirrorSupport

extension Publisher where Output: Hashable & Sendable, Failure == Never {
  /// Passes on each distinct value of a publication once, when the publication has ended. The
  /// values are in the order of their first arrival. A value that arrives outside of any
  /// publication is passed on at once.
  ///
  /// ```swift
  /// rows.publisher.flatMap { coordinator.elementChanged($0) }.map { _ in "a row changed" }.coalesced()
  /// ```
  ///
  /// The values are passed on as deferred work of the ``Publication``. Other deferred work may run
  /// after that, and values that arrive then are passed on in another round. If a subscriber keeps
  /// causing the values that it receives, it is called for at most ``Publication/maximumDepth``
  /// rounds in one publication, and gets the remaining values in the next publication. Programs use
  /// this operator to react once to many changes.
  public func coalesced() -> CoalescedPublisher<Self> { CoalescedPublisher(upstream: self) }
}

/// Publishes the values of another publisher, each once for a publication. Created by
/// `coalesced()`.
public struct CoalescedPublisher<Upstream: Publisher>: Publisher
where Upstream.Output: Hashable & Sendable, Upstream.Failure == Never {
  /// The values of the upstream publisher.
  public typealias Output = Upstream.Output
  /// The publisher never fails.
  public typealias Failure = Never

  let upstream: Upstream

  /// Subscribes to the upstream publisher with unlimited demand.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == Output, Downstream.Failure == Never {
    let collector = Collector<Output>()
    collector.relay.attach(subscriber, holding: CancelledWhenDropped(collector))
    upstream.subscribe(collector)
  }
}

/// Cancels the upstream subscription when the downstream subscription releases this object.
private final class CancelledWhenDropped<Value: Sendable & Cancellable>: Sendable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  deinit { value.cancel() }
}

/// Collects the values of each publication, and passes them on at its end. ``CoalescedPublisher``
/// creates a collector for each subscriber.
private final class Collector<Value: Hashable & Sendable>: Subscriber, Cancellable, Sendable {
  typealias Input = Value
  typealias Failure = Never

  let relay = Relay<Value>(keeping: Backlogs.distinct)

  private struct State {
    var subscription: (any Subscription)?
    var isCancelled = false
    /// The collected values of each thread's publication. The key is the address of the thread's
    /// context.
    var batches: [UnsafeMutableRawPointer: Batch] = [:]
    /// The number of calls of `pass(on:)` in progress.
    var passing = 0
    /// Whether the upstream publisher has completed.
    var isComplete = false
  }

  private struct Batch {
    var values: [Value] = []
    var known: Set<Value> = []
    /// Whether passing on this batch was refused because the publication does not end. The batch is
    /// passed on with the next value on this thread, or with the completion.
    var isStranded = false
  }

  private let state = Guarded(State())

  // MARK: - Upstream

  func receive(subscription: any Subscription) {
    let isWanted = state.withLock { state in
      if !state.isCancelled { state.subscription = subscription }
      return !state.isCancelled
    }
    if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive(_ value: Value) -> Subscribers.Demand {
    // The publishers of this module always send inside a publication. Another publisher may send
    // outside of any publication.
    guard Publication.isRunning else {
      relay.send(value)
      return .none
    }
    let thread = UnsafeMutableRawPointer(ThreadContext.current)
    state.withLock { state in
      let isNew = state.batches[thread, default: Batch()].known.insert(value).inserted
      if isNew { state.batches[thread]?.values.append(value) }
    }
    do throws(PublicationCycle) {
      try Publication.afterwards(once: ObjectIdentifier(self), "coalesced values") { self.pass(on: [thread]) }
    } catch {
      state.withLock { $0.batches[thread]?.isStranded = true }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    guard Publication.isRunning else { return complete() }
    do throws(PublicationCycle) {
      // The completion is deferred, so that it comes after the values that are already waiting.
      try Publication.afterwards("the end of coalesced values") { self.complete() }
    } catch {
      complete()
    }
  }

  /// Passes on the batch of this thread and all stranded batches. The downstream subscriber is
  /// completed when other threads have passed on their batches too.
  private func complete() {
    let own = UnsafeMutableRawPointer(ThreadContext.current)
    let threads = state.withLock { state in
      state.isComplete = true
      return state.batches.filter { $0.key == own || $0.value.isStranded }.map(\.key)
    }
    pass(on: threads)
  }

  private func pass(on threads: [UnsafeMutableRawPointer]) {
    let batches = state.withLock { state in
      state.passing += 1
      return threads.compactMap { state.batches.removeValue(forKey: $0) }
    }
    for batch in batches { for value in batch.values { relay.send(value) } }
    let isOver = state.withLock { state in
      state.passing -= 1
      return state.isComplete && state.passing == 0 && state.batches.isEmpty
    }
    if isOver { relay.finish() }
  }

  // MARK: - Downstream

  func cancel() {
    let subscription = state.withLock { state in
      state.isCancelled = true
      state.batches = [:]
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }
}
