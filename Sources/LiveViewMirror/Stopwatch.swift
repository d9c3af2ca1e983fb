/// Measures the stages of one update.
struct Stopwatch {
  private(set) var last = ContinuousClock.now

  /// Microseconds since the last lap, rounded.
  mutating func lap() -> Int {
    let now = ContinuousClock.now
    defer { last = now }
    let (seconds, attoseconds) = (now - last).components
    return Int(seconds) * 1_000_000 + Int((attoseconds + 500_000_000_000) / 1_000_000_000_000)
  }
}
