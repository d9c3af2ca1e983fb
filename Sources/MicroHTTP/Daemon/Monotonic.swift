#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A moment of a clock that only goes forward, in one number: each request is timed, and `ContinuousClock` counts in two.
struct Monotonic: Sendable {
  private let nanoseconds: Int64

  static var now: Monotonic { read(CLOCK_MONOTONIC) }

  /// The processor time of this thread, from its beginning. One system call.
  static var processorTime: Monotonic { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Monotonic {
    var time = timespec()
    clock_gettime(clock, &time)
    return Monotonic(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  func duration(to later: Monotonic) -> Duration { .nanoseconds(later.nanoseconds - nanoseconds) }
}
