/// A client's `phx_join`, as far as it tells what the view's element holds (LiveView 1.0 to 1.2).
///
///     ["4", "4", "lv:phx-F1", "phx_join", {"url": "…", "params": {"_mounts": 0, …}, "session": "…", "static": "…"}]
package struct JoinPush: Sendable, Hashable {
  package enum Origin: Sendable, Hashable {
    /// `_mounts` above 0: the view was joined before in this page, as before a lost connection.
    case rejoin
    /// `url`: the view of a page that was just loaded.
    case load
    /// `redirect`: live navigation.
    case navigation
    /// Neither: a nested view. `static` is a token if the server rendered it with the page, and `null` if its parent
    /// brought it later.
    case nested(isStatic: Bool)
    /// None of these keys.
    case unknown
  }

  package var origin: Origin

  package init(origin: Origin) { self.origin = origin }
}
