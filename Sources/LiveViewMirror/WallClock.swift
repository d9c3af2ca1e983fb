#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The time of day, to show when something happened. A user or a time server may set it, so every duration is measured by
/// a ``Stopwatch`` instead.
package struct WallClock: Sendable {
  /// Milliseconds since 1970.
  package let now: @Sendable () -> Int64

  package init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// The clock of the machine.
  package static let system = WallClock {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }
}
