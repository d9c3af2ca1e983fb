/// A client's `phx_join` push. Only those keys are decoded that determine what the view's element contains before the join,
/// where the page is (LiveView 1.0 to 1.2), and its format (LiveView Native 0.4).
///
///     ["4", "4", "lv:phx-F1", "phx_join", {"url": "…", "params": {"_mounts": 0, …}, "session": "…", "static": "…"}]
package struct JoinPush: Sendable, Hashable {
  /// Why the client joins.
  package enum Origin: Sendable, Hashable {
    /// `_mounts` is greater than 0: the view was joined before in this page, for example before the connection was lost.
    case rejoin
    /// `url`: the main view of a page that has just been loaded.
    case load
    /// `redirect`: live navigation.
    case navigation
    /// No `url` and no `redirect`: a nested view. `static` is a token if the server rendered the view with the page, and `null`
    /// if the view's parent added it later.
    case nested(isStatic: Bool)
    /// None of these keys is present.
    case unknown
  }

  package var origin: Origin
  /// The address of the page, which only the push of its main view has.
  package var url: String?

  /// `_format` in the parameters: the format of the markup that the client requests, such as `swiftui`. A browser sends none.
  package var format: String?

  package init(origin: Origin, url: String? = nil, format: String? = nil) {
    self.origin = origin
    self.url = url
    self.format = format
  }
}
