/// Why LiveView's client stops an update with an error. What it has patched until then stays in the page, the rest is lost.
package enum ClientFailure: Error, Sendable, Hashable {
  /// A child at which the walk continues has moved into another element (`NotFoundError`).
  case siblingMoved
  /// An element would become a child of itself (`HierarchyRequestError`).
  case elementInItself
  /// Items of a stream that overtake each other: the update never ends.
  case endless
  /// A form has a field with the name of a property that the client uses.
  case formField(String)
  /// The content of a portal has no root element, or one without an id.
  case portalRoot
  /// The target of a portal is not a selector.
  case portalTarget(String)
  /// `JS.ignore_attributes` with `*` alone.
  case ignoredStar
  /// `phx-remove` has a value that is no command.
  case removal
  /// A keyed entry moves in a list without the mark `km`.
  case unmarkedMove

  /// What happens in the browser, and which versions of the client it concerns.
  package var reason: String {
    switch self {
    case .siblingMoved:
      "an element moves into the one before it, and the client continues at its former place (NotFoundError, every version)"
    case .elementInItself: "an element would become a child of itself (HierarchyRequestError, every version)"
    case .endless: "items of a stream overtake each other without end (every version)"
    case .formField(let name):
      "a form has a field named \"\(name)\", which hides a property of the form (every version)"
    case .portalRoot: "a portal needs a single root element with an id (1.1 and later)"
    case .portalTarget(let selector): "the target of a portal is not a selector: \"\(selector)\" (1.1 and later)"
    case .ignoredStar: "the client takes * in ignore_attributes as a regular expression (1.1.0 to 1.1.12)"
    case .removal: "an element is removed whose phx-remove is not a command of JS (every version)"
    case .unmarkedMove: "a list moves keyed entries without the mark km (1.2.8 and later)"
    }
  }
}
