internal import CLibrary

/// An instant of a clock that cannot be set by users or time servers. It has 8 bytes.
/// `ContinuousClock.Instant` has 16, and every request is timed. Updates and the event loops of the
/// server measure durations with it.
public struct MonotonicTime: Sendable, Hashable, Comparable {
  /// The time since an unspecified start.
  public let nanoseconds: Int64

  /// Creates an instant.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The present.
  public static var now: MonotonicTime { read(CLOCK_MONOTONIC) }

  /// The processor time of the calling thread. Reading it takes one system call.
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

/// Measures the steps of an update.
public struct Stopwatch {
  /// The time of the last lap, or of the creation.
  public private(set) var last = MonotonicTime.now

  /// Starts measuring.
  public init() {}

  /// Microseconds since the last lap, rounded.
  public mutating func lap() -> Int {
    let now = MonotonicTime.now
    defer { last = now }
    return Int(now.nanoseconds - last.nanoseconds + 500) / 1_000
  }
}

/// The time of day, for showing when something happened. Users and time servers can set it, so
/// durations are measured by a ``Stopwatch`` instead.
public struct WallClock: Sendable {
  /// The time in milliseconds since 1970.
  public let now: @Sendable () -> Int64

  /// Creates a clock.
  public init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// The clock of the machine.
  public static let system = WallClock {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }
}
