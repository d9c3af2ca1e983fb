/// The LiveView whose client a document is held as, as far as its clients differ.
package enum ClientVersion: String, Sendable, Hashable, CaseIterable {
  case v1_0 = "1.0"
  case v1_1 = "1.1"
  case v1_2 = "1.2"

  package static let newest = v1_2

  /// The version that a join reply names (`liveview_version`), such as `1.1.33`: newer ones count as the newest that is
  /// known, older ones as the oldest.
  package init(liveView version: some StringProtocol) {
    let numbers = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    switch (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0) {
    case (1, 1): self = .v1_1
    case (1, 2...), (2..., _): self = .v1_2
    default: self = .v1_0
    }
  }

  /// `JS.ignore_attributes` and portals came with 1.1.
  var hasPortals: Bool { self != .v1_0 }
  var hasIgnoredAttributes: Bool { self != .v1_0 }
  /// A limit of 0 removes all items; before 1.2 it was none.
  var takesLimitZero: Bool { self == .v1_2 }
}
