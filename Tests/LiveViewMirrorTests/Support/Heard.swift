import NodeObservation

/// What was heard, from any thread.
final class Heard: Sendable {
  private let entries = Guarded<[String]>([])
  func note(_ entry: String) { entries.withLock { $0.append(entry) } }
  var all: [String] { entries.withLock { $0 } }
}
