/// A message about the address of the page (LiveView 1.0 to 1.2). Both sides send `live_patch`: the server with `to`, the client
/// with `url`.
///
///     [null, null, "lv:phx-F1", "live_redirect", {"to": "/items", "kind": "push"}]
package struct PageMove: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The same view shows another address.
    case patch = "live_patch"
    /// Another view of the same session is mounted in the page, without loading the page again.
    case navigation = "live_redirect"
    /// The browser loads another page.
    case load = "redirect"
  }

  package var kind: Kind
  /// The new address: a URL, or a path of the same host.
  package var address: String
}
