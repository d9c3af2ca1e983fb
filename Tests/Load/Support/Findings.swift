import ArgumentParser
import Glibc

/// The measurements and failed checks. They are printed at once, and determine the exit code at the end.
struct Findings {
  private(set) var failures = 0

  /// Adds one line to the report. `holds` is the result of the check.
  mutating func note(_ text: String, holds: Bool = true) {
    print(holds ? "  \(text)" : "✗ \(text)")
    fflush(nil)
    if !holds { failures += 1 }
  }

  func end() throws {
    guard failures > 0 else { return }
    print("\(failures) did not hold")
    throw ExitCode(1)
  }
}
