/// A parsed request target. It is split first, and then its parts are decoded, so an encoded `?` or
/// `&` does not separate parts. ``Exchange`` parses the target of each new head. The ``path``
/// begins with a slash.
struct RequestTarget: Sendable {
  /// The host and port of the absolute form; `nil` for the origin form.
  let authority: String?
  let path: String
  let query: String?
  /// The decoded path.
  let pathInSegments: RequestPath
  let queryItems: [(name: String, value: String)]

  /// - Parameter target: the origin form (`/path?query`), or the absolute form
  ///   (`http://host:port/path?query`), which clients send to proxies and servers must accept (RFC
  ///   9112 §3.2.2).
  init(_ target: String) throws(HTTPError) {
    var target = target
    (authority, target) = target.utf8.first == UInt8(ascii: "/") ? (nil, target) : try Self.absolute(target)
    let marks = target.withUTF8 { Marks($0) }
    guard marks.isEncoded else {
      throw HTTPError(.badRequest, "The request target contains a character that must be percent-encoded.")
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
      throw HTTPError(.badRequest, "The request target is invalid: \(error).")
    }
  }

  /// Whether a target has one of the two forms, and no byte that must be percent-encoded. If such a
  /// target is refused, only its escapes are wrong, so ``Exchange`` keeps the connection.
  static func isWellFormed(_ target: String) -> Bool {
    let isPath = target.utf8.first == UInt8(ascii: "/")
    guard var path = isPath ? target : (try? absolute(target))?.target else { return false }
    return path.withUTF8 { Marks($0).isEncoded }
  }

  /// Splits the absolute form into its authority and the corresponding origin form.
  private static func absolute(_ target: String) throws(HTTPError) -> (authority: String, target: String) {
    let scheme = ["http://", "https://"].first { scheme in
      HTTPHeaders.matches(String(decoding: target.utf8.prefix(scheme.utf8.count), as: UTF8.self), scheme)
    }
    guard let scheme else {
      throw HTTPError(.badRequest, "The request target must be a path that begins with a slash.")
    }
    let rest = target.utf8.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    let authority = Substring(rest[..<end])
    guard HTTPAuthority(authority) != nil else {
      throw HTTPError(.badRequest, "The request target must have a host with an optional port, and no user.")
    }
    let path = Substring(rest[end...])
    return (String(authority), path.first == "/" ? String(path) : "/\(path)")
  }

  /// The properties of a target's bytes, found in one pass.
  private struct Marks {
    /// Whether the target has no byte that must be percent-encoded.
    var isEncoded = true
    /// The offset of the first `?`.
    var query: Int?
    /// Whether the path, before the `?`, contains a `%`.
    var hasEscapes = false

    init(_ target: UnsafeBufferPointer<UInt8>) {
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

  private static func items(of query: String) throws(PercentEncoding.Failure) -> [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    for part in query.utf8.split(separator: UInt8(ascii: "&")) {
      let sign = part.firstIndex(of: UInt8(ascii: "="))
      let name = Substring(part[..<(sign ?? part.endIndex)])
      let value = sign.map { Substring(part[part.index(after: $0)...]) } ?? ""
      items.append(
        (try PercentEncoding.decode(name, plusIsSpace: true), try PercentEncoding.decode(value, plusIsSpace: true)))
    }
    return items
  }
}
