internal import Synchronization

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
  let requests: Traffic.Lane
  private let busy = Atomic<Bool>(false)

  init(daemon: Daemon, requests: Traffic.Lane, limits: TimeLimits) {
    self.daemon = daemon
    round = Round(longest: limits.round)
    self.requests = requests
  }

  /// Whether a handler runs on it. A connection that it gets now waits until that is over.
  var isBusy: Bool { busy.load(ordering: .relaxed) }

  func run<Result>(_ body: () -> Result) -> Result {
    busy.store(true, ordering: .relaxed)
    defer { busy.store(false, ordering: .relaxed) }
    return body()
  }
}
