/// A rule of LiveView's client that not all versions follow. ``ClientPatch`` asks
/// ``ClientVersion/follows(_:)`` where the versions differ.
///
/// Each boundary was found in the releases' bundles (`priv/static/phoenix_live_view.js`). Here and
/// at the other rules of the client, a list item *Client* names the client's function and its file,
/// the versions that have the rule (`1.1+` is 1.1.0 and all later ones, `1.1` all of 1.1, and
/// `1.1.0–1.1.12` a range with both ends), and where the rule came from. In LiveView 1.2, most of
/// these files end in `.ts`. `docs/architecture.md` has a table of these items, and a test compares
/// the table with the items.
package enum ClientRule: Sendable {
  /// `JS.ignore_attributes` is not a command, so the client throws where it is executed. Later
  /// versions protect attributes.
  ///
  /// - Client: `exec` in `js.js`, 1.0. Origin: phoenix_live_view#3765.
  case refusesIgnoredAttributes
  /// The content of a portal is shown in the element that the portal names.
  ///
  /// - Client: `teleport` in `dom_patch.js`, 1.1+. Origin: phoenix_live_view#3478.
  case showsPortals
  /// A name in `JS.ignore_attributes` that begins with `*` makes the client throw.
  ///
  /// - Client: `ignoreAttrs` in `js.js`, 1.1.0–1.1.12. Origin: phoenix_live_view#3996.
  case refusesIgnoredStar
  /// A patch does not add a protected attribute that the element lacks.
  ///
  /// - Client: `ignoreAttrs` in `js.js`, 1.1.18+. Origin: phoenix_live_view#4049.
  case keepsAttributesAbsent
  /// Portals inside of portals are shown.
  ///
  /// - Client: `perform` in `dom_patch.js`, 1.1.18+. Origin: phoenix_live_view#4048.
  case showsNestedPortals
  /// A portal's `template` gets the new content.
  ///
  /// - Client: `onBeforeElUpdated` in `dom_patch.js`, 1.1.20+. Origin: phoenix_live_view#4095.
  case updatesPortalTemplates
  /// The content of a portal's `template` is written as markup and parsed again, so that a form in
  /// a form is lost.
  ///
  /// - Client: `onBeforeElUpdated` in `dom_patch.js`, 1.1.20–1.1.26. Origin:
  ///   phoenix_live_view#4162.
  case parsesPortalTemplates
  /// The client also finds stream items in elements that portals show outside of the view.
  ///
  /// - Client: `perform` in `dom_patch.js`, 1.1.21+. Origin: phoenix_live_view#4121.
  case findsItemsInPortals
  /// Children without an id are removed from the new markup of a stream container.
  ///
  /// - Client: `cleanChildNodes` in `dom.js`, 1.0.15+. Origin: phoenix_live_view#3784.
  case cleansStreams
  /// Moves of keyed entries need the mark `km`; without it the client throws.
  ///
  /// - Client: `mergeKeyed` in `rendered.js`, 1.2.8+. Origin: phoenix_live_view#4328.
  case needsMovedMark
  /// If the new markup of a component's root has another key, the new element replaces the old one,
  /// together with its new children.
  ///
  /// - Client: `morphdom` in `morphdom.js`, 1.2.8+. Origin: phoenix_live_view#4334.
  case replacesRenamedRoots
  /// A limit of 0 removes all items of a stream; in earlier versions, it means no limit.
  ///
  /// - Client: `maybeLimitStream` in `dom_patch.js`, 1.2+. Origin: phoenix_live_view#4217.
  case takesLimitZero
  /// The client knows the attribute `phx-no-unused-field`.
  ///
  /// - Client: `serializeForm` in `view.js`, 1.2+. Origin: phoenix_live_view#3577.
  case hasUnusedFieldOptOut
  /// A file input with `data-phx-active-refs` loses `required`.
  ///
  /// - Client: `maybeRemoveRequired` in `hooks.js`, 1.2.10+. Origin: phoenix_live_view#3319.
  case dropsRequiredOfUploads

  /// The versions that follow the rule, from `first` up to and without `end`. A rule that began
  /// before 1.0 has no `first`. A rule that the newest client still follows has no `end`.
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

extension ClientRule {
  /// The versions that follow the rule, in words, for ``ClientFailure/reason``.
  var versionNames: String {
    switch versions {
    case (let first?, let end?) where end.patch == 0: "\(first.rawValue) and later, before \(end.rawValue)"
    case (let first?, let end?):
      "\(first.rawValue) to \(ClientVersion(end.major, end.minor, end.patch - 1).rawValue)"
    case (let first?, nil): "\(first.rawValue) and later"
    case (nil, let end?): "before \(end.rawValue)"
    case (nil, nil): "every version"
    }
  }
}
