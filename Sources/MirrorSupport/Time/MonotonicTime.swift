internal import CLibrary

/// An instant of a clock that cannot be set by users or time servers. It has 8 bytes. `ContinuousClock.Instant` has 16, and every
/// request is timed.
public struct MonotonicTime: Sendable, Hashable, Comparable {
  /// The time since an unspecified start.
  public let nanoseconds: Int64

  /// Creates an instant.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The present.
  public static var now: MonotonicTime { read(CLOCK_MONOTONIC) }

  /// The processor time of the calling thread. One system call.
  public static var processorTime: MonotonicTime { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> MonotonicTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The duration from this instant to another one.
  public func duration(to later: MonotonicTime) -> Duration { .nanoseconds(later.nanoseconds - nanoseconds) }

  /// Whether `a` is earlier than `b`.
  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
