import MirrorSupport
import NodeObservation

/// Records the output of the examples.
enum Printed {
  private static let lines = Guarded<[String]>([])

  static func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Runs `body` and returns its output, which may come from any thread. The runs must not overlap:
  /// the suite that uses this function is serialized.
  static func during(_ body: () throws -> Void) rethrows -> String {
    lines.withLock { $0 = [] }
    try body()
    return lines.withLock { $0.joined(separator: "\n") }
  }
}

/// Replaces Swift's `print` in the examples: Swift prefers a function of the same module.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  Printed.note(items.map { "\($0)" }.joined(separator: separator))
}
