/// The delays before repeated attempts: the delays of phoenix.js 1.8, each lengthened at random.
/// Without randomness, all clients of a restarted server would return at the same moment.
/// ``ChannelSocket`` uses them for connections and joins, and ``LivePage`` for page loads.
struct Backoff: Sendable {
  private let delays: [Duration]

  /// The delays before the socket connects again.
  static let reconnect = Backoff([10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000])
  /// The delays before a channel joins again, and before the socket connects again if no join has
  /// succeeded yet.
  static let rejoin = Backoff([1_000, 2_000, 5_000, 10_000])

  private init(_ milliseconds: [Int]) { delays = milliseconds.map { .milliseconds($0) } }

  /// - Parameters:
  ///   - attempt: the number of the attempt, counted from 0. The last delay is used for all later
  ///     attempts.
  ///   - jitter: a random number from 0 to 1, which adds up to half of the delay.
  func delay(before attempt: Int, jitter: Double) -> Duration {
    let delay = delays[min(attempt, delays.count - 1)]
    return delay + delay * (jitter / 2)
  }
}
