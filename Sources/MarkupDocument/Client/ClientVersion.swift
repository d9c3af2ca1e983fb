/// The LiveView version whose client is followed. Only versions whose clients patch differently are listed.
package enum ClientVersion: String, Sendable, Hashable, CaseIterable {
  /// LiveView 1.0.
  case one0 = "1.0"
  /// LiveView 1.1.
  case one1 = "1.1"
  /// LiveView 1.2.
  case one2 = "1.2"

  /// The newest version.
  package static let newest = one2

  /// The version that a join reply names (`liveview_version`), such as `1.1.33`. A newer version than the listed ones counts as
  /// the newest, an older one as the oldest.
  package init(liveView version: some StringProtocol) {
    let numbers = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    switch (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0) {
    case (1, 1): self = .one1
    case (1, 2...), (2..., _): self = .one2
    default: self = .one0
    }
  }

  /// `JS.ignore_attributes` and portals exist since 1.1.
  var hasPortals: Bool { self != .one0 }
  var hasIgnoredAttributes: Bool { self != .one0 }
  /// `phx-no-unused-field` exists since 1.2.
  package var hasUnusedFieldOptOut: Bool { self == .one2 }
  /// A limit of 0 removes all items since 1.2; before, it meant no limit.
  var takesLimitZero: Bool { self == .one2 }
}
