/// The LiveView whose client a document is held as, as far as its clients differ.
package enum ClientVersion: String, Sendable, Hashable, CaseIterable {
  case one0 = "1.0"
  case one1 = "1.1"
  case one2 = "1.2"

  package static let newest = one2

  /// The version that a join reply names (`liveview_version`), such as `1.1.33`: newer ones count as the newest that is
  /// known, older ones as the oldest.
  package init(liveView version: some StringProtocol) {
    let numbers = version.split(separator: ".").prefix(2).map { Int($0) ?? 0 }
    switch (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0) {
    case (1, 1): self = .one1
    case (1, 2...), (2..., _): self = .one2
    default: self = .one0
    }
  }

  /// `JS.ignore_attributes` and portals came with 1.1.
  var hasPortals: Bool { self != .one0 }
  var hasIgnoredAttributes: Bool { self != .one0 }
  /// A limit of 0 removes all items; before 1.2 it was none.
  var takesLimitZero: Bool { self == .one2 }
}
