/// A request target in its parts: cut first, decoded afterwards.
struct RequestTarget {
  let path: String
  let query: String?
  /// The path between its slashes, decoded; `nil` where it has no escapes.
  let decodedSegments: [String]?
  let queryItems: [HTTPRequest.QueryItem]

  /// Only the origin form is taken. The absolute form is meant for proxies, and would bring a second host into a request
  /// that has one already.
  init(_ target: String) throws(HTTPError) {
    guard target.utf8.first == UInt8(ascii: "/") else {
      throw HTTPError(.badRequest, "The request target must be a path that begins with a slash.")
    }
    guard !target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "#") }) else {
      throw HTTPError(.badRequest, "The request target has a character that must be percent-encoded.")
    }
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    let path = target[..<(mark ?? target.endIndex)]
    let query = mark.map { target[target.utf8.index(after: $0)...] }

    do throws(PercentEncoding.Failure) {
      decodedSegments = path.utf8.contains(UInt8(ascii: "%")) ? try Self.segments(of: path) : nil
      queryItems = try query.map(Self.items) ?? []
    } catch {
      throw HTTPError(.badRequest, "The request target cannot be read: \(error).")
    }
    self.path = mark == nil ? target : String(path)
    self.query = query.map(String.init)
  }

  private static func segments(of path: Substring) throws(PercentEncoding.Failure) -> [String] {
    var segments: [String] = []
    for part in parts(of: path) { segments.append(try PercentEncoding.decode(part)) }
    return segments
  }

  /// What stands between the slashes, as it was sent.
  static func parts(of path: Substring) -> [Substring] {
    let inner = path.utf8.dropFirst()
    if inner.isEmpty { return [] }
    return inner.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
  }

  private static func items(of query: Substring) throws(PercentEncoding.Failure) -> [HTTPRequest.QueryItem] {
    var items: [HTTPRequest.QueryItem] = []
    for part in query.utf8.split(separator: UInt8(ascii: "&")) {
      let sign = part.firstIndex(of: UInt8(ascii: "="))
      let name = Substring(part[..<(sign ?? part.endIndex)])
      let value = sign.map { Substring(part[part.index(after: $0)...]) } ?? ""
      items.append(
        HTTPRequest.QueryItem(
          name: try PercentEncoding.decode(name, plusIsSpace: true),
          value: try PercentEncoding.decode(value, plusIsSpace: true)))
    }
    return items
  }
}
