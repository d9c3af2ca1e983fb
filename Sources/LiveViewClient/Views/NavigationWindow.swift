internal import MirrorSupport

/// Counts the page loads and navigations that the server causes, and delays them while the server
/// redirects in a loop. ``PageSession`` counts each one here, and ``LivePage`` passes the window on
/// to the next page load.
///
/// Without a delay, a page that redirects after each join is loaded more than 40 times in a second.
/// The loop begins with the 21st navigation in 10 s, and ends 10 s after the last navigation.
struct NavigationWindow: Sendable {
  /// A delay before a navigation.
  struct Pause: Sendable, Hashable {
    let delay: Duration
    /// Whether this is the first delay of a loop. A loop is reported only then.
    let isFirst: Bool
  }

  static let maximum = 20
  static let length = Duration.seconds(10)
  static let delay = Duration.seconds(6) ... .seconds(8)

  /// The times of the last navigations. The time of a delayed navigation is the end of its delay.
  private(set) var times: [MonotonicTime] = []
  private var isLoop = false

  /// Counts a navigation.
  ///
  /// - Parameter jitter: a random number from 0 to 1.
  /// - Returns: the delay before the navigation; `nil` if it may take place at once.
  mutating func note(at now: MonotonicTime, jitter: Double) -> Pause? {
    times.removeAll { $0.duration(to: now) >= Self.length }
    if times.isEmpty { isLoop = false }
    guard isLoop || times.count >= Self.maximum else {
      times.append(now)
      return nil
    }
    let pause = Pause(
      delay: Self.delay.lowerBound + (Self.delay.upperBound - Self.delay.lowerBound) * jitter, isFirst: !isLoop)
    isLoop = true
    times.append(MonotonicTime(nanoseconds: now.nanoseconds + Int64(pause.delay / .nanoseconds(1))))
    return pause
  }
}
