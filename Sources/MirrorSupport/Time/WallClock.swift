internal import CLibrary

/// The time of day, for showing when something happened. Users and time servers can set it, so durations are measured by a
/// ``Stopwatch`` instead.
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
