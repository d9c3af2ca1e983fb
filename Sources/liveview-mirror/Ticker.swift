internal import MirrorSupport

/// Runs a closure at an interval, on a thread of its own, until it is stopped.
///
/// `Serve.serve` makes one to remove expired views, one to unload idle views, and one to end a
/// process that does not stop in time. The closure must not call ``stop()``, which waits for the
/// end of the closure.
final class Ticker: Sendable {
  private enum State {
    case running
    case stopping
    case stopped
  }

  private let interval: Duration
  private let body: @Sendable () -> Void
  private let state = Guarded(State.stopped)

  /// Starts the thread. The closure first runs after one interval.
  ///
  /// If the system cannot create a thread, the closure never runs.
  init(every interval: Duration, _ body: @escaping @Sendable () -> Void) {
    (self.interval, self.body) = (interval, body)
    state.withLock { $0 = .running }
    if let thread = WorkerThread({ [self] in run() }) {
      thread.detach()
    } else {
      state.withLock { $0 = .stopped }
    }
  }

  /// Stops the ticker. Returns when the closure has run for the last time.
  func stop() {
    state.change { if $0 == .running { $0 = .stopping } }
    while !state.wait(until: .now + .seconds(60), for: { $0 == .stopped }) {}
  }

  private func run() {
    while !state.wait(until: .now + interval, for: { $0 == .stopping }) { body() }
    state.change { $0 = .stopped }
  }
}

extension Ticker {
  /// The time between two searches for expired views: a tenth of the expiry, at least a second and
  /// at most a minute.
  static func interval(forExpiry expiry: Duration) -> Duration { min(max(expiry / 10, .seconds(1)), .seconds(60)) }
}
