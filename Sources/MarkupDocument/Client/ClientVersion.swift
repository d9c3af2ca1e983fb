/// The version of LiveView's client that patches the page. Where versions differ, code asks whether
/// the version follows a ``ClientRule``. A view takes it from the page or the join reply
/// (`LiveViewVersions`), and ``PatchRules`` pass it to the patch.
package struct ClientVersion: Sendable, Hashable, Comparable, RawRepresentable {
  /// The three numbers of the version.
  package let major, minor, patch: Int

  /// The newest version whose rules are known.
  package static let newest = ClientVersion(1, 2, 10)
  /// The last known patch releases of 1.0, 1.1 and 1.2.
  private static let lastPatches = [19, 33, newest.patch]

  init(_ major: Int, _ minor: Int, _ patch: Int) { (self.major, self.minor, self.patch) = (major, minor, patch) }

  /// A version such as `1.1.33`; `1.1` is its last patch release. A suffix such as `-rc.1` does not
  /// count.
  ///
  /// - Returns: `nil` if the text does not begin with two numbers.
  package init?(rawValue: String) { self.init(rawValue[...]) }

  private init?(_ text: Substring) {
    let release = text.prefix { $0 != "-" && $0 != "+" }
    let numbers = release.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0).map(Int.init) }
    guard 2...3 ~= numbers.count, let major = numbers[0], let minor = numbers[1] else { return nil }
    let last = major == 1 && Self.lastPatches.indices.contains(minor) ? Self.lastPatches[minor] : 0
    guard let patch = numbers.count == 3 ? numbers[2] : last else { return nil }
    self.init(major, minor, patch)
  }

  /// The version that a join reply names (`liveview_version`), such as `1.1.33`; the newest one if
  /// it cannot be read.
  package init(liveView version: some StringProtocol) { self = Self(Substring(version)) ?? .newest }

  /// The version as it is written in a release's name.
  package var rawValue: String { "\(major).\(minor).\(patch)" }

  /// Ordered by the three numbers.
  package static func < (a: Self, b: Self) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  /// Whether clients of this version follow a rule.
  package func follows(_ rule: ClientRule) -> Bool {
    let (first, end) = rule.versions
    return first.map { $0 <= self } ?? true && end.map { self < $0 } ?? true
  }
}
