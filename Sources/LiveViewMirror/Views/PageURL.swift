/// Resolves the addresses in navigation messages and links, which are URLs or relative to the
/// present address. ``PageTable`` resolves them for the address of a page, and ``ClientActions``
/// for the links that an action follows.
enum PageURL {
  /// Completes an address, which is a URL, `//host`, `/path`, `path`, `?query` or `#fragment` (RFC
  /// 3986, 5.2, without `.` and `..`).
  ///
  /// - Parameter base: the present address; `nil` if it is not known. `address` is then returned
  ///   unchanged.
  static func resolve(_ address: String, against base: String?) -> String {
    guard let base, let host = base.host, !address.hasScheme else { return address }
    func beginning(upTo signs: String) -> Substring {
      base[..<(base[host...].firstIndex { signs.contains($0) } ?? base.endIndex)]
    }
    if address.hasPrefix("//") { return base[..<host].dropLast(2) + address }
    if address.hasPrefix("/") { return beginning(upTo: "/?#") + address }
    if address.hasPrefix("?") { return beginning(upTo: "?#") + address }
    if address.isEmpty || address.hasPrefix("#") { return beginning(upTo: "#") + address }
    let path = beginning(upTo: "?#")
    guard let slash = path[host...].lastIndex(of: "/") else { return path + "/" + address }
    return path[...slash] + address
  }
}

extension String {
  /// Whether the address begins with a scheme, such as `https:` or `mailto:`.
  var hasScheme: Bool { firstMatch(of: #/^[A-Za-z][A-Za-z0-9+.\-]*:/#) != nil }

  /// The place of the host in a URL, after `://`.
  fileprivate var host: Index? {
    let signs = Array("://".utf8)
    return utf8.indices.first { utf8[$0...].starts(with: signs) }.map { utf8.index($0, offsetBy: signs.count) }
  }
}
