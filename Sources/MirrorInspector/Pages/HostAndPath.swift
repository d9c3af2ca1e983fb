/// The parts of a page's address that name the page. The cards of the index and the header of
/// ``ViewPage`` show them.
struct HostAndPath {
  let host: String
  /// The path and the query, which name a page within an app.
  let path: String

  /// - Returns: `nil` for an address without `://`.
  init?(_ url: String) {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let rest = url[scheme.upperBound...]
    host = String(rest.prefix { !"/?#".contains($0) })
    path = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }
}
