import ArgumentParser
import Glibc

/// What was measured and what did not hold: printed as it comes, and at the end the exit code.
struct Findings {
  private(set) var failures = 0

  /// One line of the report; `holds` says whether it is as it must be.
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
