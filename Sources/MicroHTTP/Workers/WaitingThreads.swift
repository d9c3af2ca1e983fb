internal import MirrorSupport

/// Threads for handlers that wait, such as for another mirror's changes: one for each, since a waiting handler must not take a worker from
/// other requests.
final class WaitingThreads: Sendable {
  /// The maximum number of threads.
  static let limit = 64

  private struct State {
    var running = 0
    var isStopped = false
  }

  private let state = Guarded(State())

  /// Runs a job on a thread of its own. Without a free thread, the job responds with 503.
  func run(_ job: Job) {
    let mayRun = state.withLock { state in
      guard !state.isStopped, state.running < Self.limit else { return false }
      state.running += 1
      return true
    }
    guard mayRun else { return job.finish(Self.exceeded.response) }
    let thread = WorkerThread { [self] in
      job.run(mayDefer: false)
      state.change { $0.running -= 1 }
    }
    if let thread {
      thread.detach()
    } else {
      state.change { $0.running -= 1 }
      job.finish(Self.exceeded.response)
    }
  }

  /// Refuses further jobs, and waits for those that are running.
  func stop() {
    state.withLock { $0.isStopped = true }
    while !state.wait(until: .now + .seconds(60), for: { $0.running == 0 }) {}
  }

  private static var exceeded: HTTPError {
    HTTPError(
      .serviceUnavailable, "\(limit) such requests wait already, which is the limit: try again when one has ended.",
      headers: ["Retry-After": "1"])
  }
}
