internal import MirrorSupport

/// Runs a closure at an interval, on a thread of its own, until it is stopped.
final class Ticker: Sendable {
  /// A struct, because `Guarded` cannot hold a bare closure.
  private struct Task: Sendable {
    var interval: Duration
    var body: @Sendable () -> Void
  }

  private enum State {
    case running
    case stopping
    case stopped
  }

  private let task: Task
  private let state = Guarded(State.stopped)

  /// Starts the thread. The closure first runs after one interval.
  ///
  /// If the system cannot create a thread, the closure never runs.
  init(every interval: Duration, _ body: @escaping @Sendable () -> Void) {
    task = Task(interval: interval, body: body)
    state.withLock { $0 = .running }
    if let thread = WorkerThread({ [self] in run() }) {
      thread.detach()
    } else {
      state.withLock { $0 = .stopped }
    }
  }

  /// Returns when the closure has run for the last time.
  func stop() {
    state.change { if $0 == .running { $0 = .stopping } }
    while !state.wait(until: .now + .seconds(60), for: { $0 == .stopped }) {}
  }

  private func run() {
    while !state.wait(until: .now + task.interval, for: { $0 == .stopping }) { task.body() }
    state.change { $0 = .stopped }
  }
}

extension Ticker {
  /// The time between two searches for idle views: a tenth of the expiry, at least a second and at most a minute.
  static func interval(forExpiry expiry: Duration) -> Duration { min(max(expiry / 10, .seconds(1)), .seconds(60)) }
}
