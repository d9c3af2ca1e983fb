extension HTTPRequest {
  /// The media type among `offered` that the client prefers according to its `Accept` header.
  ///
  ///     // Accept: text/html, */*;q=0.8
  ///     request.preferred(among: ["application/json", "text/html"])   // "text/html"
  ///
  /// The quality of an offer is that of the most specific range that matches it. The highest quality wins; ties go to the first
  /// offer. Without the header, or if none of its ranges is valid, the result is the first offer.
  ///
  /// - Returns: `nil` if the client accepts none of them.
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
