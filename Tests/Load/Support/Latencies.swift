import Glibc

/// Durations in nanoseconds.
struct Latencies {
  private(set) var values: [UInt64] = []

  mutating func add(_ value: UInt64) { values.append(value) }
  mutating func add(_ others: Latencies) { values += others.values }

  /// A quantile in milliseconds, such as 0.99 for the 99th percentile.
  func percentile(_ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let index = min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)
    return Double(sorted[max(0, index)]) / 1e6
  }

  var text: String {
    "p50 \(percentile(0.5).hundredths) ms, p99 \(percentile(0.99).hundredths) ms, max \(percentile(1).hundredths) ms"
  }
}

extension Double {
  /// A number with two decimals.
  var hundredths: String {
    let scaled = Int((self * 100).rounded())
    let rest = abs(scaled % 100)
    return "\(scaled / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

/// Nanoseconds of the monotonic clock.
func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func sleep(until deadline: UInt64) {
  var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
  while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}

/// Checks a condition repeatedly until it is true, at most for this time.
func eventually(within seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = now() + UInt64(seconds * 1e9)
  while true {
    if try condition() { return true }
    if now() >= deadline { return false }
    usleep(20_000)
  }
}
