internal import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One of libmicrohttpd's daemons, which is one thread: what its callbacks are given.
final class Lane: @unchecked Sendable {
  /// Which has the lane, until it is stopped.
  let daemon: Daemon
  /// Written once, before the lane is given any connection.
  var handle: OpaquePointer?
  /// What went out on it, and can go out again. Only for its thread.
  @exclusivity(unchecked) var answers = AnswerShelf()
  /// Which of its requests are handled when. Only for its thread.
  @exclusivity(unchecked) var round: Round
  /// How long its handlers compute. Only for its thread.
  @exclusivity(unchecked) var computing = ComputingTime()
  let requests: Traffic.Lane
  let mark = Mark()

  init(daemon: Daemon, requests: Traffic.Lane, limits: TimeLimits) {
    self.daemon = daemon
    round = Round(longest: limits.round)
    self.requests = requests
  }

  /// Whether a handler runs on it. A connection that it gets now waits until that is over.
  var isBusy: Bool { mark.isBusy }

  func run<Result>(_ body: () -> Result) -> Result {
    mark.enter()
    defer { mark.leave() }
    return body()
  }

  /// Whether the lane's thread is in a handler; other threads look at it.
  final class Mark: Sendable {
    /// Odd in a handler.
    private let turn = Atomic<UInt64>(0)

    var isBusy: Bool { turn.load(ordering: .relaxed) & 1 == 1 }

    /// Sequentially consistent with what the handler asks next, see ``Workers``.
    fileprivate func enter() { turn.add(1, ordering: .sequentiallyConsistent) }

    fileprivate func leave() { turn.add(1, ordering: .releasing) }

    /// Waits until the handler that runs now has returned.
    func waitForHandler(atMost limit: Duration) {
      let now = turn.load(ordering: .sequentiallyConsistent)
      guard now & 1 == 1 else { return }
      let beginning = Monotonic.now
      while turn.load(ordering: .acquiring) == now, beginning.duration(to: .now) < limit { usleep(50) }
    }
  }
}
