import ArgumentParser
import Glibc

/// The measurements and failed checks. They are printed at once, and determine the exit code at the end.
struct Findings {
  /// A time is a failure from this multiple of its limit on; below, it is marked only. In a run for CI others use the disk and the cores.
  let mostOfLimit: Double
  private var failures = 0

  init(_ options: LoadOptions) { mostOfLimit = options.quick ? 3 : 1 }

  /// Adds one line to the report.
  ///
  /// - Parameters:
  ///   - holds: the result of the check.
  ///   - time: what was measured, as a multiple of its limit.
  mutating func note(_ text: String, holds: Bool = true, time: Double = 0) {
    let fails = !holds || time > mostOfLimit
    print(fails ? "✗ \(text)" : time > 1 ? "! \(text)" : "  \(text)")
    fflush(nil)
    if fails { failures += 1 }
  }

  func end() throws {
    guard failures > 0 else { return }
    print("\(failures) did not hold")
    throw ExitCode(1)
  }
}
