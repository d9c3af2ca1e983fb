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
