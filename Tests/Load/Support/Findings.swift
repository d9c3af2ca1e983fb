import ArgumentParser
import Glibc

/// The measurements and failed checks. They are printed at once, and determine the exit code at the end.
struct Findings {
  /// Whether an exceeded limit of time is a failure. In a run for CI it is printed only, because the disk and the cores are shared.
  let timesCount: Bool
  private var failures = 0

  init(_ options: LoadOptions) { timesCount = !options.quick }

  /// Adds one line to the report. `holds` is the result of the check, `isInTime` that of a limit of time.
  mutating func note(_ text: String, holds: Bool = true, isInTime: Bool = true) {
    let fails = !holds || (!isInTime && timesCount)
    print(fails ? "✗ \(text)" : isInTime ? "  \(text)" : "! \(text)")
    fflush(nil)
    if fails { failures += 1 }
  }

  func end() throws {
    guard failures > 0 else { return }
    print("\(failures) did not hold")
    throw ExitCode(1)
  }
}
