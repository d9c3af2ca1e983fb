import Foundation

/// The number of inputs of a test.
///
/// CI runs the short tests. Set `MIRROR_LONG_TESTS=1` before a change of the code that such a test covers is merged.
package enum TestEffort {
  package static let isLong = ProcessInfo.processInfo.environment["MIRROR_LONG_TESTS"] == "1"

  package static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
