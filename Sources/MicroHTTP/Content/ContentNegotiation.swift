internal import CZlib
internal import MirrorSupport

/// Reduces what is sent: the response is a 304 if the client already has the content, and it is
/// compressed if the client accepts that.
///
///     ContentNegotiation(router)
///
/// - For `GET` and `HEAD`, a 200 with an `ETag` (see ``HTTPResponse/validated()``) becomes a 304
///   without a body if `If-None-Match` contains the tag, and a 412 if `If-Match` does not contain
///   it. The handler has already made the response by then, so this saves only transfer.
/// - Text, JSON and similar formats are compressed by gzip if the client accepts it and the content
///   becomes shorter. Such a response has `Vary: Accept-Encoding`, compressed or not. `HEAD` gets
///   the same headers as `GET`.
///
/// Streams are not changed. `liveview-mirror serve` encloses its `Inspector` in this handler.
public struct ContentNegotiation: HTTPHandler {
  private let handler: any HTTPHandler

  /// Shorter content is not compressed: it fits into one packet anyway.
  static let shortestCompressed = 1 << 10
  /// Longer content is not compressed: that would block the other connections of the thread for too
  /// long.
  static let longestCompressed = 32 << 20

  /// - Parameter handler: makes the responses.
  public init(_ handler: any HTTPHandler) { self.handler = handler }

  /// - Throws: 412 if `If-Match` does not contain the response's tag, and the errors of the
  ///   handler.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    let response = try handler.handle(request)
    let isCompressible = response.isCompressible
    // Most responses are short and have no tag.
    guard isCompressible || response.headers.has("ETag") else { return response }
    var answer = try checkingConditions(of: request, response)
    if isCompressible {
      answer.headers.vary(on: "Accept-Encoding")
      if request.acceptsGzip,
        let compressed = Gzip.compress(answer.bytes, level: answer.isStatic ? Gzip.best : Gzip.level)
      {
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
        .preconditionFailed, "The current version does not match the If-Match header.", headers: ["ETag": field])
      error.route = response.route
      throw error
    }
    guard let known = request.headers.list(of: "If-None-Match").flatMap(EntityTag.List.init), known.containsWeakly(tag)
    else { return response }
    // The other headers remain: a client updates its stored response with the headers of a 304.
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

  /// Whether a media type is text. Images, fonts and archives are compressed already.
  private static func isText(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }.trimmingOptionalWhitespace.asciiLowercased
    if type.utf8.starts(with: "text/".utf8) || type.hasSuffix("+json") || type.hasSuffix("+xml") { return true }
    return ["application/json", "application/x-ndjson", "application/xml", "application/javascript"].contains(type)
  }
}

/// Compresses to the gzip format (RFC 1952).
enum Gzip {
  /// zlib's compression level. `docs/dependencies.md` has measurements.
  static let level: Int32 = 3
  /// The level for the static files of the program. They are short, and a browser that already has
  /// a file gets a 304, so they are seldom compressed.
  static let best: Int32 = 9

  /// Compresses bytes.
  ///
  /// - Returns: `nil` if the result is not shorter.
  /// - Complexity: O(*bytes*).
  static func compress(_ bytes: [UInt8], level: Int32 = Self.level) -> [UInt8]? {
    var stream = z_stream()
    guard let length = UInt32(exactly: bytes.count), shim_gzip_init(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    return bytes.withUnsafeBytes { input -> [UInt8]? in
      stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = length
      var isWhole = false
      // The buffer is as large as the input: a longer result is not used.
      let compressed = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = length
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = isWhole ? bytes.count - Int(stream.avail_out) : 0
      }
      return isWhole && compressed.count < bytes.count ? compressed : nil
    }
  }
}
