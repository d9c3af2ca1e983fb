internal import MirrorSupport
internal import Synchronization

/// Counts the requests in flight, so that a stop can wait for them.
///
/// Each event loop counts in a shard of its own: one shared counter would move between the cores'
/// caches with every request.
///
/// ``Daemon`` calls ``begin(on:)`` and ``end(on:)`` once for each request, both with the shard of
/// the request's event loop.
final class RequestCounter: Sendable {
  /// The counters of one event loop.
  final class Shard: Sendable {
    fileprivate let inFlight = Atomic<Int>(0)
    fileprivate let begun = Atomic<Int>(0)
  }

  let shards: [Shard]
  private let draining = Atomic<Bool>(false)
  /// Changes whenever a shard's last request ends during a drain, to wake the thread in
  /// ``waitUntilIdle(deadline:)``.
  private let idleSignals = Guarded(0)

  init(shards count: Int) { shards = (0..<count).map { _ in Shard() } }

  /// Requests whose first line has been read and whose response has not been written completely.
  var inFlight: Int { shards.reduce(0) { $0 + $1.inFlight.load(ordering: .sequentiallyConsistent) } }
  /// All requests since the start.
  var begun: Int { shards.reduce(0) { $0 + $1.begun.load(ordering: .relaxed) } }
  /// Whether new requests are refused.
  var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

  func begin(on shard: Shard) {
    // Sequentially consistent, as the store in `drain()` and both loads: either a load of
    // `inFlight` after `drain()` counts this request, or this request sees `isDraining`.
    shard.inFlight.add(1, ordering: .sequentiallyConsistent)
    shard.begun.add(1, ordering: .relaxed)
  }

  func end(on shard: Shard) {
    let left = shard.inFlight.subtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0, draining.load(ordering: .sequentiallyConsistent) { idleSignals.change { $0 += 1 } }
  }

  func drain() { draining.store(true, ordering: .sequentiallyConsistent) }

  /// Waits during a drain until no request is in flight.
  ///
  /// - Returns: false when the deadline came first.
  func waitUntilIdle(deadline: ContinuousClock.Instant) -> Bool {
    idleSignals.wait(until: deadline) { _ in inFlight == 0 }
  }
}
