import Foundation

/// The number of inputs of a test.
///
/// `script/test` runs few. `script/test --all`, as CI, sets `MIRROR_ALL_TESTS`. Set
/// `MIRROR_LONG_TESTS=1` before a change of the code that such a test covers is merged.
package enum TestEffort {
  package static let isLong = ProcessInfo.processInfo.environment["MIRROR_LONG_TESTS"] == "1"
  package static let isAll = isLong || ProcessInfo.processInfo.environment["MIRROR_ALL_TESTS"] != nil

  /// - Parameter all: the number with `--all`; `nil` for the same as `short`.
  package static func count(_ short: Int, all: Int? = nil, long: Int) -> Int {
    isLong ? long : isAll ? all ?? short : short
  }
}
