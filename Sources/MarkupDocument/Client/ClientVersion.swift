/// The version of LiveView's client that patches the page.
package struct ClientVersion: Sendable, Hashable, Comparable, RawRepresentable {
  /// The three numbers of the version.
  package let major, minor, patch: Int

  /// The newest version whose rules are known.
  package static let newest = ClientVersion(1, 2, 10)
  /// The last known patch release of each minor version.
  private static let lastPatches = [19, 33, newest.patch]

  init(_ major: Int, _ minor: Int, _ patch: Int) { (self.major, self.minor, self.patch) = (major, minor, patch) }

  /// A version such as `1.1.33`; `1.1` is its last patch release. A suffix such as `-rc.1` does not count.
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

  /// The version that a join reply names (`liveview_version`), such as `1.1.33`; the newest one if it cannot be read.
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

/// A rule of LiveView's client that not all versions follow. Each boundary was found in the releases' bundles
/// (`priv/static/phoenix_live_view.js`).
package enum ClientRule: Sendable {
  /// `JS.ignore_attributes` is no command: the client throws where it is executed. Later versions protect attributes.
  case refusesIgnoredAttributes
  /// Elements are shown elsewhere by portals.
  case showsPortals
  /// The name `*` in `JS.ignore_attributes` throws.
  case refusesIgnoredStar
  /// Protected attributes that the element lacks are not added.
  case keepsAttributesAbsent
  /// Portals inside of portals are shown.
  case showsNestedPortals
  /// A portal's `template` gets the new content.
  case updatesPortalTemplates
  /// The content of a portal's `template` is written as markup and parsed again: a form in a form is lost.
  case parsesPortalTemplates
  /// Items of streams inside of portals are found.
  case findsItemsInPortals
  /// Children of a stream container without an id are removed from the new markup.
  case cleansStreams
  /// Moves of keyed entries need the mark `km`; without it the client throws.
  case needsMovedMark
  /// A component's root with another key replaces the element, and its children survive.
  case replacesRenamedRoots
  /// A limit of 0 removes all items of a stream; before, it meant no limit.
  case takesLimitZero
  /// `phx-no-unused-field` is known.
  case hasUnusedFieldOptOut
  /// A file input with `data-phx-active-refs` loses `required`.
  case dropsRequiredOfUploads

  /// The versions that follow the rule: from `first`, up to and without `end`. A rule that began before 1.0 has no `first`. A rule
  /// that the newest client still follows has no `end`.
  var versions: (first: ClientVersion?, end: ClientVersion?) {
    func release(_ minor: Int, _ patch: Int) -> ClientVersion { ClientVersion(1, minor, patch) }
    return switch self {
    case .refusesIgnoredAttributes: (nil, release(1, 0))
    case .showsPortals: (release(1, 0), nil)
    case .refusesIgnoredStar: (release(1, 0), release(1, 13))
    case .keepsAttributesAbsent, .showsNestedPortals: (release(1, 18), nil)
    case .updatesPortalTemplates: (release(1, 20), nil)
    case .parsesPortalTemplates: (release(1, 20), release(1, 27))
    case .findsItemsInPortals: (release(1, 21), nil)
    case .cleansStreams: (release(0, 15), nil)
    case .needsMovedMark, .replacesRenamedRoots: (release(2, 8), nil)
    case .takesLimitZero, .hasUnusedFieldOptOut: (release(2, 0), nil)
    case .dropsRequiredOfUploads: (release(2, 10), nil)
    }
  }
}

/// The rules by which a client applies an update to a document.
package struct PatchRules: Sendable, Hashable {
  /// The version of LiveView's client.
  package var version: ClientVersion
  /// Whether this is the patch of a join.
  package var isJoin: Bool
  /// Whether the client has applied the page already, and the document is what the browser shows. Then the page only adds what the wire
  /// says about the elements, and nothing that a second patch would change in the containers of streams.
  package var isResumption: Bool
  /// The components that the diff does not name: the client leaves them and their content unchanged.
  package var unchanged: Set<Int>
  /// Whether the client leaves roots of function components unchanged if the update does not touch the fragment.
  package var skipsRoots: Bool
  /// Whether the client replaces the roots of function components that were sent as a whole.
  package var renewsRoots: Bool
  /// Whether a component that the diff names is inside of an element that was left unchanged, so that the document differs from
  /// the page.
  package var hidesChanges: Bool

  /// Whether the client skips any element.
  var skipsSome: Bool { skipsRoots || !unchanged.isEmpty }

  /// The default: a later update that skips nothing, patched by the newest client.
  package init(
    version: ClientVersion = .newest, isJoin: Bool = false, isResumption: Bool = false, unchanged: Set<Int> = [],
    skipsRoots: Bool = false,
    renewsRoots: Bool = false, hidesChanges: Bool = false
  ) {
    self.version = version
    self.isJoin = isJoin
    self.isResumption = isResumption
    self.unchanged = unchanged
    self.skipsRoots = skipsRoots
    self.renewsRoots = renewsRoots
    self.hidesChanges = hidesChanges
  }
}
