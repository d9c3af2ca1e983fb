/// Why LiveView's client stops an update with an error. What it has patched until then stays in the
/// page, and the rest is lost. ``ClientPatch`` throws it, and records show it as the diagnostic
/// `client-throws`.
package enum ClientFailure: Error, Sendable, Hashable {
  /// The client has remembered a child as the next one to visit, but the patch has moved this child
  /// into another element (`NotFoundError`).
  case siblingMoved
  /// An element would become a child of itself (`HierarchyRequestError`).
  case elementInItself
  /// Items of a stream overtake each other, so that the update never ends.
  case endless
  /// A form has a field whose name is that of a property that the client reads; see
  /// ``FormProperty``.
  case formField(String)
  /// The content of a portal has no root element, or one without an id.
  case portalRoot
  /// The target of a portal is not a selector.
  case portalTarget(String)
  /// `phx-mounted` executes `JS.ignore_attributes`, which the client does not know.
  case ignoredAttributes
  /// `JS.ignore_attributes` with `*` alone.
  case ignoredStar
  /// `phx-remove` has a value that is no command.
  case removal
  /// A keyed entry moves in a list without the mark `km`.
  case unmarkedMove

  /// What happens in the browser, and which versions of the client it concerns.
  package var reason: String { "\(fault) (\(rule.map(\.versionNames) ?? "every version"))" }

  private var fault: String {
    switch self {
    case .siblingMoved:
      "an element moves into the one before it, and the client continues at its former place: NotFoundError"
    case .elementInItself: "an element would become a child of itself: HierarchyRequestError"
    case .endless: "stream items with the same index displace each other, so the update never ends"
    case .formField(let name): "a form has a field named \"\(name)\", which hides a property of the form"
    case .portalRoot: "a portal needs a single root element with an id"
    case .portalTarget(let selector): "the target of a portal is not a selector: \"\(selector)\""
    case .ignoredAttributes: "phx-mounted executes ignore_attributes, a command that the client does not know"
    case .ignoredStar: "the client takes * in ignore_attributes as a regular expression"
    case .removal: "an element is removed whose phx-remove is not a command of JS"
    case .unmarkedMove: "a list moves keyed entries without the mark km"
    }
  }

  /// The rule of the versions that stop; `nil` if all do.
  private var rule: ClientRule? {
    switch self {
    case .siblingMoved, .elementInItself, .endless, .formField, .removal: nil
    case .portalRoot, .portalTarget: .showsPortals
    case .ignoredAttributes: .refusesIgnoredAttributes
    case .ignoredStar: .refusesIgnoredStar
    case .unmarkedMove: .needsMovedMark
    }
  }
}
