/// Sends as little as will do: nothing where the client has the answer already, and less where it can decompress.
///
///     ContentNegotiation(router)
///
/// - A 200 with an `ETag` (see ``HTTPResponse/validated()``) becomes a 304 without a body where `If-None-Match` names it, and
///   a 412 where `If-Match` does not. Only for `GET` and `HEAD`, and only after the handler has answered: what is saved is the
///   way to the client.
/// - Text, JSON and what is written in them is compressed by gzip where the client takes it and it is worth it. Such an
///   answer says `Vary: Accept-Encoding`, compressed or not. `HEAD` gets the headers of `GET`.
///
/// A stream is left as it is.
public struct ContentNegotiation: HTTPHandler {
  private let handler: any HTTPHandler

  /// Less is not worth the work: it is one packet anyway.
  static let shortestCompressed = 1 << 10
  /// More would hold up the other connections of the thread for too long.
  static let longestCompressed = 32 << 20

  public init(_ handler: any HTTPHandler) { self.handler = handler }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    let response = try handler.handle(request)
    let isCompressible = response.isCompressible
    // Most are short and have no tag.
    guard isCompressible || response.headers.has("ETag") else { return response }
    var answer = try checkingConditions(of: request, response)
    if isCompressible {
      answer.headers.vary(on: "Accept-Encoding")
      if request.acceptsGzip, let compressed = Gzip.compress(answer.bytes) {
        answer.headers["Content-Encoding"] = "gzip"
        answer.body = .bytes(compressed)
      }
    }
    return answer
  }

  private func checkingConditions(of request: HTTPRequest, _ response: HTTPResponse) throws(HTTPError) -> HTTPResponse {
    guard request.method == .get || request.method == .head, response.status == .ok,
      let field = response.headers["ETag"], let tag = EntityTag(field)
    else { return response }
    if let wanted = request.headers.list(of: "If-Match").flatMap(EntityTag.List.init), !wanted.containsStrongly(tag) {
      var error = HTTPError(
        .preconditionFailed, "What is here now is not what If-Match names.", headers: ["ETag": field])
      error.route = response.route
      throw error
    }
    guard let known = request.headers.list(of: "If-None-Match").flatMap(EntityTag.List.init), known.containsWeakly(tag)
    else { return response }
    // The other headers stay: a client takes over what a 304 says for what it has.
    var answer = response
    answer.status = .notModified
    answer.body = .empty
    answer.headers["Content-Type"] = nil
    return answer
  }
}

extension HTTPResponse {
  fileprivate var isCompressible: Bool {
    guard case .bytes(let bytes) = body,
      (ContentNegotiation.shortestCompressed...ContentNegotiation.longestCompressed).contains(bytes.count),
      headers["Content-Encoding"] == nil, headers["Content-Range"] == nil, let type = headers["Content-Type"],
      headers.list(of: "Cache-Control")?.asciiLowercased.contains("no-transform") != true
    else { return false }
    return Self.isText(type)
  }

  /// Whether content of that media type is text. What is an image, a font or an archive is compressed in itself.
  private static func isText(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }.trimmingOptionalWhitespace.asciiLowercased
    if type.utf8.starts(with: "text/".utf8) || type.hasSuffix("+json") || type.hasSuffix("+xml") { return true }
    return ["application/json", "application/x-ndjson", "application/xml", "application/javascript"].contains(type)
  }
}
