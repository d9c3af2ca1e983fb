extension HTTPRequest {
  /// The media type that the client likes best of those that are `offered`, by its `Accept` header.
  ///
  ///     // Accept: text/html, */*;q=0.8
  ///     request.preferred(among: ["application/json", "text/html"])   // "text/html"
  ///
  /// Each offer takes the quality of the most specific range that matches it; the highest quality wins, and among equals
  /// the first offered. Without the header, or with one that has no readable range, the first offered is right.
  ///
  /// - Returns: `nil` when the client takes none of them.
  public func preferred(among offered: [String]) -> String? {
    let ranges =
      headers.list(of: "Accept")?
      .utf8.split(separator: UInt8(ascii: ","))
      .compactMap { MediaRange(Substring($0)) } ?? []
    if ranges.isEmpty { return offered.first }

    var best: (offer: String, quality: Int)?
    for offer in offered {
      guard let type = MediaRange(offer[...]),
        let range = ranges.filter({ $0.matches(type) }).max(by: { $0.specificity < $1.specificity })
      else { continue }
      if range.quality > best?.quality ?? 0 { best = (offer, range.quality) }
    }
    return best?.offer
  }
}
