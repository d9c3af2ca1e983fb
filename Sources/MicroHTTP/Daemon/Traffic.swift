internal import Synchronization

/// How many requests are on their way in a daemon, so that it can be stopped without cutting one off.
///
/// Counted without a lock, which all threads would take for every request; a lock there is only for who waits for the end.
final class Traffic: Sendable {
  private let requests = Atomic<Int>(0)
  private let beginnings = Atomic<Int>(0)
  private let draining = Atomic<Bool>(false)
  /// How often the last request has ended since the daemon stops.
  private let lulls = Guarded(0)

  /// Requests whose first line has been read and whose answer has not been written to its end.
  var inFlight: Int { requests.load(ordering: .sequentiallyConsistent) }
  /// Requests so far.
  var begun: Int { beginnings.load(ordering: .relaxed) }
  /// Whether requests that begin now are turned away.
  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func begin() {
    requests.add(1, ordering: .relaxed)
    beginnings.add(1, ordering: .relaxed)
  }

  func end() {
    let left = requests.subtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0, draining.load(ordering: .sequentiallyConsistent) { lulls.change { $0 += 1 } }
  }

  func drain() { draining.store(true, ordering: .sequentiallyConsistent) }

  /// Waits until nothing is in flight, while the daemon drains.
  ///
  /// - Returns: whether that is so.
  func waitForLull(until deadline: ContinuousClock.Instant) -> Bool {
    lulls.wait(until: deadline) { _ in inFlight == 0 }
  }
}
