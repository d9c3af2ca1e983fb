/// What the view's element held when the view joined: the DOM that the client's join patches.
///
/// The client's join push tells it (LiveView 1.0 to 1.2): `url` on a first load, `redirect` on live navigation, `_mounts`
/// above 0 on a rejoin.
package enum ContainerContent: String, Sendable, CaseIterable {
  /// The dead render: the plain rendering of the same Rendered, as on a first page load.
  case dead
  /// Nothing, as in live navigation.
  case empty
  /// The DOM of the view's previous join, as after a lost connection. A mirror without a previous mount assumes ``dead``.
  case kept

  /// The content that a request or an option names, `dead` or `empty`: a rejoin is known from the client's push alone.
  package init?(stating name: String) {
    guard let content = Self(rawValue: name), content != .kept else { return nil }
    self = content
  }

  /// - Parameters:
  ///   - stated: what the feed says of the element; `nil` where it says nothing.
  ///   - isMounted: whether the mirror has a previous mount of the view.
  init(stated: ContainerContent?, isMounted: Bool) {
    switch stated {
    case nil: self = isMounted ? .empty : .dead
    case .kept where !isMounted: self = .dead
    case .some(let content): self = content
    }
  }
}
