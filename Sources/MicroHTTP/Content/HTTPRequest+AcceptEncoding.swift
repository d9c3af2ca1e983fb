internal import MirrorSupport

extension HTTPRequest {
  /// Whether the client accepts gzip, and does not prefer uncompressed content.
  ///
  /// Malformed items are ignored. Without the header nothing is compressed: the client may not support it.
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
