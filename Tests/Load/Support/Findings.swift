import ArgumentParser
import Glibc

/// The measurements and failed checks. They are printed at once, and determine the exit code at the
/// end.
struct Findings {
  /// A measurement fails above this multiple of its limit; between 1 and this multiple it is only
  /// marked. In a run for CI, others use the disk and the cores.
  private let failingMultiple: Double
  private var failures = 0

  init(_ options: LoadOptions) { failingMultiple = options.quick ? 3 : 1 }

  /// Adds one line to the report.
  ///
  /// - Parameters:
  ///   - holds: the result of the check.
  ///   - ofLimit: a measured time as a multiple of its limit, or the least rate as a multiple of
  ///     the measured one.
  mutating func note(_ text: String, holds: Bool = true, ofLimit ratio: Double = 0) {
    let fails = !holds || ratio > failingMultiple
    print(fails ? "✗ \(text)" : ratio > 1 ? "! \(text)" : "  \(text)")
    fflush(nil)
    if fails { failures += 1 }
  }

  func end() throws {
    guard failures > 0 else { return }
    print("\(failures) did not hold")
    throw ExitCode(1)
  }
}
