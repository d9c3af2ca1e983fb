/// The content of the view's element before a mount: the DOM that the client's join patches.
///
/// A ``Mount`` has the content, because the content determines the document that the mount changes.
/// The first of these that states the content counts: an export, the client's push (``TopicJoin``),
/// `?container=`.
///
/// Journals, exports and `?container=` have the raw values, so these must not change.
///
/// The client's join push determines the case (LiveView 1.0 to 1.2): `url` means a first load,
/// `redirect` live navigation, and `_mounts` above 0 a rejoin.
package enum ContainerContent: String, Sendable, CaseIterable {
  /// The dead render: the plain rendering of the same Rendered, as on a first page load.
  case dead
  /// Nothing, as in live navigation.
  case empty
  /// The DOM of the view's previous join, as after a lost connection. A mirror without a previous
  /// mount assumes ``dead``.
  case kept
  /// The DOM that the page shows now. The feed sends it together with the tree that the client
  /// holds, for a mirror that has missed frames. Nothing was joined, so the client's rules for a
  /// join do not apply.
  case resumed

  /// The content with the given name in a request or an option, `dead` or `empty`. The other names
  /// are refused: only the client's push states ``kept``, and ``resumed`` needs markup as well.
  package init?(stating name: String) {
    guard let content = Self(rawValue: name), [.dead, .empty].contains(content) else { return nil }
    self = content
  }

  /// The content for a mount. The result is never ``kept`` without a previous mount.
  ///
  /// - Parameters:
  ///   - stated: the content that the feed states; `nil` if it states none.
  ///   - isMounted: whether the mirror has a previous mount of the view.
  init(stated: ContainerContent?, isMounted: Bool) {
    switch stated {
    case nil: self = isMounted ? .empty : .dead
    case .kept where !isMounted: self = .dead
    case .some(let content): self = content
    }
  }
}
