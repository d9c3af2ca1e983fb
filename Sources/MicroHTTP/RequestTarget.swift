/// A request target in its parts: cut first, decoded afterwards.
struct RequestTarget: Sendable {
  let path: String
  let query: String?
  /// The path, decoded.
  let pathInSegments: RequestPath
  let queryItems: [HTTPRequest.QueryItem]

  /// Only the origin form is taken. The absolute form is meant for proxies, and would bring a second host into a request
  /// that has one already.
  init(_ target: String) throws(HTTPError) {
    var target = target
    let marks = target.withUTF8 { Marks($0) }
    guard marks.beginsWithSlash else {
      throw HTTPError(.badRequest, "The request target must be a path that begins with a slash.")
    }
    guard marks.isEncoded else {
      throw HTTPError(.badRequest, "The request target has a character that must be percent-encoded.")
    }
    if let query = marks.query {
      let mark = target.utf8.index(target.utf8.startIndex, offsetBy: query)
      path = String(target[..<mark])
      self.query = String(target[target.utf8.index(after: mark)...])
    } else {
      path = target
      query = nil
    }
    do throws(PercentEncoding.Failure) {
      pathInSegments = marks.hasEscapes ? try RequestPath(decoding: path) : RequestPath(path)
      queryItems = try query.map(Self.items) ?? []
    } catch {
      throw HTTPError(.badRequest, "The request target cannot be read: \(error).")
    }
  }

  /// What is to be known of a target's bytes, found in one go.
  private struct Marks {
    var beginsWithSlash = false
    /// Whether no byte stands in it that must be encoded.
    var isEncoded = true
    /// Where the first `?` is.
    var query: Int?
    /// Whether there is a `%` before that.
    var hasEscapes = false

    init(_ target: UnsafeBufferPointer<UInt8>) {
      beginsWithSlash = target.first == UInt8(ascii: "/")
      var position = 0
      while position < target.count, target[position] != UInt8(ascii: "?") {
        let byte = target[position]
        if byte == UInt8(ascii: "%") { hasEscapes = true }
        if Self.mustBeEncoded(byte) { isEncoded = false }
        position += 1
      }
      guard position < target.count else { return }
      query = position
      if target[position...].contains(where: Self.mustBeEncoded) { isEncoded = false }
    }

    private static func mustBeEncoded(_ byte: UInt8) -> Bool {
      byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "#")
    }
  }

  private static func items(of query: String) throws(PercentEncoding.Failure) -> [HTTPRequest.QueryItem] {
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
