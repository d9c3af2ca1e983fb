internal import MirrorSupport

/// Detects handlers of one thread that take much processor time.
///
/// Elapsed time is not enough: if other programs run, the system may suspend a thread for milliseconds in a handler that needs
/// microseconds. Reading the thread's processor time costs a system call. So it is read at most every ``validity``, and after a
/// handler whose elapsed time exceeds the limit.
struct ComputingTime {
  /// The last reading: the time, and the thread's processor time.
  private var reference: (now: MonotonicTime, used: MonotonicTime)?

  /// The maximum age of ``reference`` when a handler begins. The thread's other work since that reading is attributed to the
  /// handler, too.
  private static let validity = Duration.microseconds(500)

  /// To be called before a handler.
  mutating func begin() -> MonotonicTime {
    let now = MonotonicTime.now
    if reference.map({ $0.now.duration(to: now) > Self.validity }) ?? true { reference = (now, .processorTime) }
    return now
  }

  /// Whether the handler that has just returned took more processor time than `limit`. The compared time is too high by at most
  /// ``validity``.
  func exceeds(_ limit: Duration, since beginning: MonotonicTime) -> Bool {
    guard beginning.duration(to: .now) > limit, let reference else { return false }
    return reference.used.duration(to: .processorTime) > limit
  }
}
