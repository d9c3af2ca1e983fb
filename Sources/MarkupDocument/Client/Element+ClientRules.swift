/// The elements of a document that limit which updates can be scoped. Scoped updates read these
/// properties to decide whether a full update is needed. A *whole element* is one that a client
/// patches as a whole, or whose addition has side effects. It stays one until it is removed, even
/// if it loses the attribute that made it one.
extension Document {
  /// Whether the document has an element that makes every update a full one; see
  /// ``Element/needsFullUpdates``.
  ///
  /// - Complexity: O(1)
  package var needsFullUpdates: Bool { !elementsForFullUpdates.isEmpty }

  /// Whether the document has elements that are patched as a whole; see ``wholeElementRefs``.
  package var hasWholeElements: Bool { !wholeElements.isEmpty }

  /// The elements that a client patches as a whole, or whose addition has side effects; `nil` if
  /// there are more than 256.
  package var wholeElementRefs: [NodeRef]? {
    wholeElements.count > 256 ? nil : wholeElements.map { NodeRef(epoch: epoch, number: $0) }
  }
}

extension NodeTree {
  /// Whether a client may patch any element of the tree by special rules. ``Page`` asks once.
  ///
  /// - Complexity: O(*attributes*).
  func hasClientRules(in dialect: Dialect) -> Bool {
    preorder().contains { self[$0].element?.hasClientRules(in: dialect) ?? false }
  }
}

extension Element {
  /// Whether a client may patch the element by special rules. Documents and pages note it, so that
  /// most updates need no ``ClientPatch``.
  func hasClientRules(in dialect: Dialect) -> Bool {
    if !dialect.isPatchedByBrowser { return updateRule != .replace }
    // Most tags of a large page are shorter. Comparing their lengths first is faster.
    if tag.utf8.count >= 6, tag == "select" || tag == "textarea" || tag == "template" { return true }
    // The other rules depend on attributes, which most elements of a large page do not have.
    if attributes.isEmpty { return false }
    if isNamedDetails || needsFullUpdates { return true }
    return attributes.contains { attribute in
      guard attribute.name.utf8.first == UInt8(ascii: "p") || attribute.name.utf8.first == UInt8(ascii: "d") else {
        return false
      }
      return Self.clientRules.contains(attribute.name)
    }
  }

  private static let clientRules: Set = [
    "phx-update", "data-phx-update", "phx-mounted", "phx-remove", "phx-trigger-action", "data-phx-sticky",
    "data-phx-parent-id",
    "data-phx-active-refs", "data-phx-ref-src", "data-phx-skip", "data-phx-teleported",
  ]

  /// Whether patching anything inside of the element depends on more than its markup. Examples are
  /// a control with a selection, a `template`, a container that keeps entries, and a nested view.
  /// Scoped updates refuse a change inside of such an element.
  package func isPatchedAsWhole(in dialect: Dialect) -> Bool {
    guard dialect.isPatchedByBrowser, hasClientRules(in: dialect) else { return false }
    if ["select", "textarea", "template"].contains(tag) { return true }
    return isAppendContainer || self["data-phx-sticky"] != nil || self["data-phx-skip"] != nil
      || self["data-phx-ref-src"] != nil || self["phx-trigger-action"] != nil
      || self["data-phx-parent-id"] != nil
  }

  /// Whether an element with `phx-update="ignore"` takes the attribute of this name from the new
  /// markup. Its other attributes stay unchanged.
  ///
  /// - Client: `mergeAttrs` in `dom.js`, 1.0+. Origin: none known.
  package static func isMergedIntoIgnored(_ name: String) -> Bool { name.hasPrefix("data-") }

  private var isAppendContainer: Bool { ["append", "prepend"].contains(self["phx-update"]) }

  /// Whether adding the element has side effects, such as a selection that the next patch writes,
  /// content that a portal shows at its target, or protected attributes. Scoped updates refuse to
  /// add such an element.
  package func actsWhenAdded(in dialect: Dialect) -> Bool {
    guard dialect.isPatchedByBrowser else { return false }
    return tag == "select" || tag == "template" && self["data-phx-portal"] != nil || isNamedDetails
      || needsFullUpdates
      || isAppendContainer
      || self["phx-mounted"]?.contains("ignore_attrs") == true
  }
}
