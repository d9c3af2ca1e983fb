internal import MirrorSupport

/// Follows what other mirrors write to a shared journal. ``LiveViews`` has one, starts it after the
/// first reading of the journal, and stops it at the end of the server.
///
///     another mirror ──▶ store ── awaitNews ──▶ thread ──▶ news ──▶ views, pages, messages of this mirror
///
/// The thread reads at every notification, and twice a second if there is none. A request calls
/// ``catchUp()`` if it must see everything that other mirrors have answered before. Requests that
/// wait at the same time share one query. One thread reads at a time, and the position moves on
/// only after the news were applied: so all news are applied in order.
final class JournalFollower: Sendable {
  /// Applies news. After an error the same news are read again.
  ///
  /// - Returns: the ids of pages whose rows must be read again.
  typealias Applying = @Sendable (JournalNews) throws(UpdateError) -> Set<String>

  private struct State: Sendable {
    /// The position up to which the news were applied.
    var position: JournalPosition?
    /// The ids of pages whose rows must be read again.
    var pages: Set<String> = []
    var apply: Applying?
    /// The number of readings that have begun.
    var begun = 0
    var isReading = false
    /// The reason why the last reading failed; `nil` if it did not.
    var failure: UpdateError?
    var isStopped = false
  }

  private let store: any SharedJournalStore
  /// Called after a failure.
  private let failed: @Sendable () -> Void
  private let state = Guarded(State())

  /// The time after which the thread reads although no notification has arrived.
  private static let pollInterval = Duration.milliseconds(500)
  /// The time until the next attempt after a failure.
  private static let retry = Duration.milliseconds(200)

  /// - Parameter failed: called on the thread after each failure to read.
  init(_ store: any SharedJournalStore, whenFailed failed: @escaping @Sendable () -> Void) {
    (self.store, self.failed) = (store, failed)
  }

  /// - Parameter position: the position up to which the mirror has read.
  /// - Throws: if the system cannot create a thread.
  func start(after position: JournalPosition, _ apply: @escaping Applying) throws(JournalError) {
    state.withLock { ($0.position, $0.apply) = (position, apply) }
    guard let thread = WorkerThread({ [store, weak self] in Self.run(store) { self } }) else {
      throw JournalError(.unavailable, "the system creates no thread to follow the journal")
    }
    thread.detach()
  }

  /// Ends the thread. Waits at most 60 s for a reading that is running.
  func stop() {
    state.change { $0.isStopped = true }
    while !state.wait(until: .now + .seconds(60), for: { !$0.isReading }) {}
  }

  /// The work of the thread. It holds the follower only while it reads, so that an abandoned
  /// follower is released.
  private static func run(_ store: any SharedJournalStore, _ follower: () -> JournalFollower?) {
    while true {
      store.awaitNews(for: pollInterval)
      guard let follower = follower(), !follower.state.withLock({ $0.isStopped }) else { return }
      do throws(UpdateError) { try follower.catchUp() } catch {
        follower.failed()
        _ = follower.state.wait(until: .now + retry) { $0.isStopped }
      }
    }
  }

  /// Applies everything that other mirrors have committed before this call.
  ///
  /// - Throws: if the store cannot be read.
  func catchUp() throws(UpdateError) {
    let arrival = state.withLock { $0.begun }
    var reading: (position: JournalPosition?, pages: Set<String>, apply: Applying)?
    var failure: UpdateError?
    while !state.wait(
      until: .now + .seconds(60),
      for: { state in
        if state.isReading { return false }
        let isDone = state.begun > arrival || state.isStopped
        if isDone { failure = state.failure }
        guard !isDone, let apply = state.apply else { return true }
        (state.isReading, state.begun) = (true, state.begun + 1)
        reading = (state.position, state.pages, apply)
        return true
      })
    {}
    if let reading {
      let result = Result { () throws(UpdateError) in try read(after: reading.position, reading.pages, reading.apply) }
      state.change { state in
        state.isReading = false
        switch result {
        case .success(let (position, pages)): (state.failure, state.position, state.pages) = (nil, position, pages)
        case .failure(let error): state.failure = error
        }
      }
      _ = try result.get()
    } else if let failure {
      throw failure
    }
  }

  /// - Returns: the position after what was applied, and the ids of pages whose rows must be read
  ///   again.
  private func read(
    after position: JournalPosition?, _ pages: Set<String>, _ apply: Applying
  ) throws(UpdateError) -> (position: JournalPosition, pages: Set<String>) {
    let news: JournalNews
    do throws(JournalError) { news = try store.news(after: position, andPages: pages) } catch {
      throw UpdateError(error)
    }
    return (news.position, try apply(news))
  }
}
