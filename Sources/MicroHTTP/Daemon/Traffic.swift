internal import Synchronization

/// How many requests are on their way in a daemon, so that it can be stopped without cutting one off.
///
/// Each lane counts its own, without a lock: what all of them changed for every request, they would take from each other.
/// A lock there is only for who waits for the end.
final class Traffic: Sendable {
  /// The requests of one lane.
  final class Lane: Sendable {
    fileprivate let inFlight = Atomic<Int>(0)
    fileprivate let begun = Atomic<Int>(0)
  }

  let lanes: [Lane]
  private let draining = Atomic<Bool>(false)
  /// How often a lane's last request has ended since the daemon stops.
  private let lulls = Guarded(0)

  init(lanes count: Int) { lanes = (0..<count).map { _ in Lane() } }

  /// Requests whose first line has been read and whose answer has not been written to its end.
  var inFlight: Int { lanes.reduce(0) { $0 + $1.inFlight.load(ordering: .sequentiallyConsistent) } }
  /// Requests so far.
  var begun: Int { lanes.reduce(0) { $0 + $1.begun.load(ordering: .relaxed) } }
  /// Whether requests that begin now are turned away.
  var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

  func begin(on lane: Lane) {
    // In one order with the question that follows: who is not seen by who drains sees that it drains.
    lane.inFlight.add(1, ordering: .sequentiallyConsistent)
    lane.begun.add(1, ordering: .relaxed)
  }

  func end(on lane: Lane) {
    let left = lane.inFlight.subtract(1, ordering: .sequentiallyConsistent).newValue
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
