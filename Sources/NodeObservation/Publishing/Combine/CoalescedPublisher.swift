#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

extension Publisher where Output: Hashable & Sendable, Failure == Never {
  /// Passes on once what arrives several times during one publication, when that has ended, in the order in which each
  /// value arrived first. What arrives outside of any publication is passed on at once.
  ///
  /// ```swift
  /// rows.publisher.flatMap { coordinator.elementChanged($0) }.map { _ in "a row changed" }.coalesced()
  /// ```
  ///
  /// It is passed on as deferred work of the ``Publication``, so what arrives in other deferred work comes in another
  /// round. A subscriber that causes what it subscribes to, for ever, is not called any more in that publication once it
  /// is ``Publication/maximumDepth`` deep; it gets the rest with the next one.
  public func coalesced() -> CoalescedPublisher<Self> { CoalescedPublisher(upstream: self) }
}

/// What `coalesced()` gives: the values of a publisher, each once for a publication.
public struct CoalescedPublisher<Upstream: Publisher>: Publisher
where Upstream.Output: Hashable & Sendable, Upstream.Failure == Never {
  public typealias Output = Upstream.Output
  public typealias Failure = Never

  let upstream: Upstream

  /// Subscribes upstream, with a demand without limit.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == Output, Downstream.Failure == Never {
    let collector = Collector<Output>()
    collector.relay.attach(subscriber, holding: CancelledWhenDropped(collector))
    upstream.subscribe(collector)
  }
}

/// Ends what feeds a subscription when the subscription lets go of it.
private final class CancelledWhenDropped<Value: Sendable & Cancellable>: Sendable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  deinit { value.cancel() }
}

/// Gathers the values of a publication.
private final class Collector<Value: Hashable & Sendable>: Subscriber, Cancellable, @unchecked Sendable {
  typealias Input = Value
  typealias Failure = Never

  let relay = Relay<Value>(keeping: Backlogs.distinct)

  private struct State {
    var subscription: (any Subscription)?
    var isCancelled = false
    /// What each thread's publication has gathered.
    var batches: [UnsafeMutableRawPointer: Batch] = [:]
    /// How many batches are being passed on.
    var passing = 0
    /// Nothing comes from upstream any more.
    var isComplete = false
  }

  private struct Batch {
    var values: [Value] = []
    var known: Set<Value> = []
    /// Nobody will pass it on: the thread's publication does not end.
    var isStranded = false
  }

  private let lock = Lock()
  private var state = State()

  deinit { lock.free() }

  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&state)
  }

  // MARK: - From upstream

  func receive(subscription: any Subscription) {
    let isWanted = withLock { state in
      if !state.isCancelled { state.subscription = subscription }
      return !state.isCancelled
    }
    if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive(_ value: Value) -> Subscribers.Demand {
    // Signals are sent in a publication, so there is one unless upstream is something else.
    guard Publication.isRunning else {
      relay.send(value)
      return .none
    }
    let thread = UnsafeMutableRawPointer(ThreadContext.current)
    withLock { state in
      let isNew = state.batches[thread, default: Batch()].known.insert(value).inserted
      if isNew { state.batches[thread]?.values.append(value) }
    }
    do throws(PublicationCycle) {
      try Publication.afterwards(once: ObjectIdentifier(self), "coalesced values") { self.pass(on: [thread]) }
    } catch {
      withLock { $0.batches[thread]?.isStranded = true }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    guard Publication.isRunning else { return complete() }
    do throws(PublicationCycle) {
      // Behind what waits already.
      try Publication.afterwards("the end of coalesced values") { self.complete() }
    } catch {
      complete()
    }
  }

  /// Passes on what this thread has gathered, and what nobody else will. The end waits for what other threads do.
  private func complete() {
    let own = UnsafeMutableRawPointer(ThreadContext.current)
    let threads = withLock { state in
      state.isComplete = true
      return state.batches.filter { $0.key == own || $0.value.isStranded }.map(\.key)
    }
    pass(on: threads)
  }

  private func pass(on threads: [UnsafeMutableRawPointer]) {
    let batches = withLock { state in
      state.passing += 1
      return threads.compactMap { state.batches.removeValue(forKey: $0) }
    }
    for batch in batches { for value in batch.values { relay.send(value) } }
    let isOver = withLock { state in
      state.passing -= 1
      return state.isComplete && state.passing == 0 && state.batches.isEmpty
    }
    if isOver { relay.finish() }
  }

  // MARK: - From downstream

  func cancel() {
    let subscription = withLock { state in
      state.isCancelled = true
      state.batches = [:]
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }
}
