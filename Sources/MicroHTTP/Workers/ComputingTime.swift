/// Whether the handlers of one thread compute for long.
///
/// The time between the beginning and the end of a handler does not tell: where other programs compete for the cores, the
/// system suspends a thread for milliseconds in the middle of a handler that takes microseconds. The processor time of the
/// thread tells, but costs a system call. So it is read at most every ``validity``, and after a handler that took long.
struct ComputingTime {
  /// When the processor time was read at the beginning of a handler, and what it was.
  private var reference: (now: Monotonic, used: Monotonic)?

  /// How old a reading may be. What the thread computed since then counts for the handler too.
  private static let validity = Duration.microseconds(500)

  /// A handler begins.
  mutating func begin() -> Monotonic {
    let now = Monotonic.now
    if reference.map({ $0.now.duration(to: now) > Self.validity }) ?? true { reference = (now, .processorTime) }
    return now
  }

  /// Whether the handler that ends now has computed longer than `limit`, or nearly so.
  func exceeds(_ limit: Duration, since beginning: Monotonic) -> Bool {
    guard beginning.duration(to: .now) > limit, let reference else { return false }
    return reference.used.duration(to: .processorTime) > limit
  }
}
