/// Addresses of pages, as navigation messages name them: URLs, and paths of the same host.
enum PageURL {
  /// The complete address. Only the forms that Phoenix sends are resolved: a URL, `/path` and `?query`.
  ///
  /// - Parameter base: the present address; `nil` if it is not known. Then a path is returned as it is.
  static func resolve(_ address: String, against base: String?) -> String {
    guard let base, let host = base.host, !address.contains("://") else { return address }
    func beginning(upTo signs: String) -> Substring {
      base[..<(base[host...].firstIndex { signs.contains($0) } ?? base.endIndex)]
    }
    if address.hasPrefix("//") { return base[..<host].dropLast(2) + address }
    if address.hasPrefix("/") { return beginning(upTo: "/?#") + address }
    if address.hasPrefix("?") { return beginning(upTo: "?#") + address }
    return address
  }
}

extension String {
  /// The place of the host in a URL, after `://`.
  fileprivate var host: Index? {
    let signs = Array("://".utf8)
    return utf8.indices.first { utf8[$0...].starts(with: signs) }.map { utf8.index($0, offsetBy: signs.count) }
  }
}
