#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Measures the stages of one update.
struct Stopwatch {
  /// In nanoseconds, on a clock that only goes forward.
  private(set) var last = Stopwatch.now

  /// Microseconds since the last lap, rounded.
  mutating func lap() -> Int {
    let now = Self.now
    defer { last = now }
    return (now - last + 500) / 1_000
  }

  /// Nanoseconds on the monotonic clock, which nobody can set.
  static var now: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec)
  }
}
