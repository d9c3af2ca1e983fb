/// A response: status, headers and body. Every ``HTTPHandler`` returns one.
///
///     HTTPResponse.json(bytes)
///     HTTPResponse.text("gone\n", status: .gone)
///     HTTPResponse(status: .noContent)
///
/// The daemon adds `Date`, `Content-Length` and the reason phrase. For `HEAD`, a handler returns
/// the same body as for `GET`, and the daemon sends only its length.
public struct HTTPResponse: Sendable, Hashable {
  /// The content after the headers.
  public enum Body: Sendable, Hashable {
    /// No content.
    case empty
    /// The complete content.
    case bytes([UInt8])
    /// Content that is written while the client reads. See ``HTTPStream``.
    case stream(HTTPStream)
  }

  /// The status.
  public var status: HTTPStatus
  /// The headers, without those that the daemon adds.
  public var headers: HTTPHeaders
  /// The content.
  public var body: Body
  /// The pattern of the route that made the response, for logs and metrics. Set by a ``Router``.
  public var route: String?
  /// Decides when this response, or another one in its place, is sent. `nil` sends it at once.
  public var deferred: DeferredResponse?
  /// Whether the content is the same for many requests, so that ``ContentNegotiation`` takes more
  /// time to compress it.
  var isStatic = false

  /// A response with any headers and content.
  public init(status: HTTPStatus = .ok, headers: HTTPHeaders = [:], body: Body = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with content of a media type.
  public init(status: HTTPStatus = .ok, contentType: String, bytes: [UInt8]) {
    self.init(status: status, headers: ["Content-Type": contentType], body: .bytes(bytes))
  }

  /// The content; empty for a stream.
  public var bytes: [UInt8] {
    switch body {
    case .empty, .stream: []
    case .bytes(let bytes): bytes
    }
  }

  /// A response with plain text.
  public static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
  }

  /// A response with JSON. The media type has no `charset`, because JSON is always UTF-8 (RFC 8259
  /// §8.1).
  public static func json(_ bytes: [UInt8], status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "application/json", bytes: bytes)
  }
}
