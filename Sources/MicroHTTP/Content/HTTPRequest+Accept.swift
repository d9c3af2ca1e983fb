internal import MirrorSupport

extension HTTPRequest {
  /// The media type among `offered` that the client prefers according to its `Accept` header.
  ///
  ///     // Accept: text/html, */*;q=0.8
  ///     request.preferred(among: ["application/json", "text/html"])   // "text/html"
  ///
  /// The quality of an offer is that of the most specific range that matches it. The highest
  /// quality wins; ties go to the first offer. Without the header, or if none of its ranges is
  /// valid, the result is the first offer. The routes of `MirrorInspector` use the result to choose
  /// the form of a response, such as HTML or JSON.
  ///
  /// - Returns: `nil` if the client accepts none of the offers.
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

extension HTTPRequest {
  /// Whether the client accepts gzip, and does not prefer uncompressed content.
  ///
  /// Malformed items are ignored. Without the header, nothing is compressed, because the client may
  /// not support gzip. ``ContentNegotiation`` compresses responses by this rule.
  var acceptsGzip: Bool {
    var gzip: Int?
    var identity: Int?
    var any: Int?
    for item in headers.list(of: "Accept-Encoding")?.utf8.split(separator: UInt8(ascii: ",")) ?? [] {
      let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        .map { Substring($0).trimmingOptionalWhitespace.asciiLowercased }
      var quality = 1000
      if parts.count > 1 {
        guard parts.count == 2, parts[1].utf8.starts(with: "q=".utf8),
          let value = MediaRange.thousandths(parts[1].dropFirst(2))
        else { continue }
        quality = value
      }
      switch parts[0] {
      case "gzip", "x-gzip": gzip = quality
      case "identity": identity = quality
      case "*": any = quality
      default: continue
      }
    }
    let wanted = gzip ?? any ?? 0
    return wanted > 0 && wanted >= identity ?? 0
  }
}

/// One item of an `Accept` header, such as `text/*;q=0.8`.
struct MediaRange: Equatable {
  let type: String
  let subtype: String
  /// The parameters except for `q`, in lower case and sorted, so that their order does not matter.
  let parameters: [String]
  /// `q` in thousandths. It has at most three decimals (RFC 9110 §12.4.2), and integers compare
  /// exactly.
  let quality: Int

  /// - Returns: `nil` if the text is not a media range; such an item is ignored.
  init?(_ text: Substring) {
    let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: true)
      .map { Substring($0).trimmingOptionalWhitespace.asciiLowercased }
    guard let name = parts.first else { return nil }
    let halves = name.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty, halves[0] != "*" || halves[1] == "*" else {
      return nil
    }
    type = String(halves[0])
    subtype = String(halves[1])

    var parameters: [String] = []
    var quality = 1000
    for part in parts.dropFirst() {
      if part.utf8.starts(with: "q=".utf8) {
        guard let value = Self.thousandths(part.dropFirst(2)) else { return nil }
        quality = value
      } else {
        parameters.append(part)
      }
    }
    self.parameters = parameters.sorted()
    self.quality = quality
  }

  /// Of several ranges that match a type, the one with the highest specificity applies (RFC 9110
  /// §12.5.1).
  var specificity: Int {
    if type == "*" { return 0 }
    if subtype == "*" { return 1 }
    return 2 + parameters.count
  }

  func matches(_ offered: MediaRange) -> Bool {
    (type == "*" || type == offered.type) && (subtype == "*" || subtype == offered.subtype)
      && parameters.allSatisfy(offered.parameters.contains)
  }

  /// Parses a quality such as `0`, `1` or `0.8` (RFC 9110 §12.4.2).
  static func thousandths(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), bytes.count <= 5,
      bytes.count < 2 || bytes[1] == UInt8(ascii: "."), bytes.dropFirst(2).allSatisfy(\.isASCIIDigit)
    else { return nil }
    var value = first == UInt8(ascii: "1") ? 1000 : 0
    var weight = 100
    for digit in bytes.dropFirst(2) {
      value += Int(digit - UInt8(ascii: "0")) * weight
      weight /= 10
    }
    return value <= 1000 ? value : nil
  }
}
