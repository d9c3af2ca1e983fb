import CLibrary
internal import MirrorSupport
internal import Synchronization

/// One of libmicrohttpd's daemons and its thread. ``Daemon`` makes the event loops at its start.
/// libmicrohttpd's callbacks get a pointer to their event loop. `Sendable` is unchecked: ``handle``
/// is written before other threads use the loop, the other variables belong to the loop's own
/// thread, and callbacks read only constants of ``daemon``.
final class EventLoop: @unchecked Sendable {
  /// A reference cycle, which ``Daemon/stop(grace:)`` ends.
  let daemon: Daemon
  /// libmicrohttpd's handle. Written once, before the loop gets its first connection.
  var handle: OpaquePointer?
  /// Measures the processor time of the loop's handlers. Only the loop's own thread uses it.
  @exclusivity(unchecked) var computing = ComputingTime()
  /// The responses to reuse. Only the loop's own thread uses them.
  @exclusivity(unchecked) var responses = ResponseCache()
  let requests: RequestCounter.Shard
  let mark = HandlerMark()

  init(daemon: Daemon, requests: RequestCounter.Shard) {
    self.daemon = daemon
    self.requests = requests
  }

  /// Whether a handler is running. A connection that the loop gets now waits until the handler
  /// returns.
  var isBusy: Bool { mark.isBusy }

  /// Runs a handler, and marks the loop as busy meanwhile.
  func run<Result>(_ handler: () -> Result) -> Result {
    mark.enter()
    defer { mark.leave() }
    return handler()
  }

  /// Whether the loop's thread is inside a handler, for other threads to read.
  final class HandlerMark: Sendable {
    /// Counts entries and returns: odd while a handler runs.
    private let transitions = Atomic<UInt64>(0)

    var isBusy: Bool { transitions.load(ordering: .relaxed) & 1 == 1 }

    /// Sequentially consistent: ``Workers`` explains which two operations this orders.
    fileprivate func enter() { transitions.add(1, ordering: .sequentiallyConsistent) }

    fileprivate func leave() { transitions.add(1, ordering: .releasing) }

    /// Waits until the handler that is running now has returned, at most for `limit`.
    func waitForHandler(atMost limit: Duration) {
      let now = transitions.load(ordering: .sequentiallyConsistent)
      guard now & 1 == 1 else { return }
      let beginning = MonotonicTime.now
      while transitions.load(ordering: .acquiring) == now, beginning.duration(to: .now) < limit { usleep(50) }
    }
  }
}

/// Detects handlers of one thread that take much processor time.
///
/// Elapsed time is not enough: if other programs run, the system may suspend a thread for
/// milliseconds in a handler that needs microseconds. Reading the thread's processor time costs a
/// system call. So it is read at most every ``validity``, and after a handler whose elapsed time
/// exceeds the limit.
struct ComputingTime {
  /// The last reading: the time, and the thread's processor time.
  private var reference: (now: MonotonicTime, used: MonotonicTime)?

  /// The maximum age of ``reference`` when a handler begins. The thread's other work since that
  /// reading is attributed to the handler, too.
  private static let validity = Duration.microseconds(500)

  /// To be called before a handler.
  mutating func begin() -> MonotonicTime {
    let now = MonotonicTime.now
    if reference.map({ $0.now.duration(to: now) > Self.validity }) ?? true { reference = (now, .processorTime) }
    return now
  }

  /// Whether the handler that has just returned took more processor time than `limit`. The compared
  /// time is too high by at most ``validity``.
  func exceeds(_ limit: Duration, since beginning: MonotonicTime) -> Bool {
    guard beginning.duration(to: .now) > limit, let reference else { return false }
    return reference.used.duration(to: .processorTime) > limit
  }
}
