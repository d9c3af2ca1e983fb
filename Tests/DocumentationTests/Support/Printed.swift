import MirrorSupport
import NodeObservation

/// What the examples print.
enum Printed {
  private static let lines = Guarded<[String]>([])

  static func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Runs `body`, and gives what it printed, on whatever thread.
  static func during(_ body: () throws -> Void) rethrows -> String {
    lines.withLock { $0 = [] }
    try body()
    return lines.withLock { $0.joined(separator: "\n") }
  }
}

/// Stands before Swift's own in the examples: of two functions of one type the module's own is meant.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  Printed.note(items.map { "\($0)" }.joined(separator: separator))
}
